package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// Page is what stands on one page: panels with a title above and notes below.
type Page struct {
	Title, Subtitle string
	Panels          [][]*plot.Plot // rows of as many panels; nil for none
	Labels          []*Labels      // on the panels: where names do not fit, those of the first panel are in a key
	Bar             *plot.Plot     // of colours, below the panels; nil for none
	Key             []Entry        // below the panels
	RowHeight       float64        // of a row of panels with their axes, in sizes of the text; 0: 27
	Notes           []string       // below all, as far as they fit in three lines
	Rest            string         // where the other notes are
}

// Entry is a line of a key.
type Entry struct {
	Name   string
	Swatch plot.Thumbnailer
}

const (
	titleText    = 1.6
	subtitleText = 1.1
	noteText     = 0.84
	mostNotes    = 3   // lines
	gutter       = 1.5 // between panels beside each other, in sizes of the text
	barHeight    = 4.8 // of a bar of colours with its axis, likewise
	barWidth     = 0.6 // of the page
)

// Sheet is a page laid out, ready to be written as a file.
type Sheet struct {
	*Style
	page                   Page
	title, subtitle, notes []string
	key                    [][]keyed
	size                   vg.Point
	panels                 vg.Rectangle
}

// Lay lays a page out. Where names do not fit at the ends of curves they get numbers, and
// a key below.
func (s *Style) Lay(p Page) *Sheet {
	sheet := s.lay(p)
	sheet.draw(&recorder.Canvas{})
	crowded := false
	for _, l := range p.Labels {
		crowded = crowded || l.crowded
	}
	if !crowded {
		return sheet
	}
	for _, l := range p.Labels {
		l.numbered = true
	}
	p.Key = append(numbered(p.Labels[0]), p.Key...)
	return s.lay(p)
}

func (s *Style) margin() vg.Length { return s.Em(1.6) }
func (s *Style) inner() vg.Length  { return s.Width - 2*s.margin() }

// Share is the width of one of n panels beside each other, in sizes of the text.
func (s *Style) Share(n int) float64 {
	return (float64(s.inner()/s.Em(1)) - gutter*float64(n-1)) / float64(n)
}

// lay breaks the texts of a page into lines and gives the panels their place. A page
// without a height of its own is as high as its content.
func (s *Style) lay(p Page) *Sheet {
	h := &Sheet{
		Style: s, page: p,
		title:    wrap(p.Title, s.Bold(titleText, s.Ink), s.inner(), 3),
		subtitle: wrap(p.Subtitle, s.Text(subtitleText, s.Grey), s.inner(), 3),
		key:      s.flow(p.Key),
	}
	h.notes = s.footer(p)
	rowHeight := p.RowHeight
	if rowHeight == 0 {
		rowHeight = 27
	}
	above := s.margin() + s.blockHeight(len(h.title), titleText) + s.blockHeight(len(h.subtitle), subtitleText) + s.Em(1.2)
	below := s.margin() + s.blockHeight(len(h.notes), noteText) + s.blockHeight(len(h.key), 1) + s.Em(1)
	if p.Bar != nil {
		below += s.Em(barHeight)
	}
	rows := max(len(p.Panels), 1)
	height := vg.Length(rows)*s.Em(rowHeight) + above + below
	if s.Height > 0 {
		height = max(s.Height, vg.Length(rows)*s.Em(rowHeight)/2+above+below)
	}
	h.size = vg.Point{X: s.Width, Y: height}
	h.panels = vg.Rectangle{Min: vg.Point{X: s.margin(), Y: below}, Max: vg.Point{X: s.Width - s.margin(), Y: height - above}}
	return h
}

// footer is the notes that fit, whole, and where the others are.
func (s *Style) footer(p Page) []string {
	style := s.Text(noteText, s.Axis)
	lines, written := fill(p.Notes, style, s.inner(), mostNotes)
	if written == len(p.Notes) {
		return lines
	}
	room := s.inner() - style.Width(" · "+p.Rest) // at the end of the last line
	if lines, _ = fill(p.Notes, style, room, mostNotes); len(lines) > 0 {
		lines[len(lines)-1] += " · " + p.Rest
	}
	return lines
}

func (s *Style) blockHeight(lines int, size float64) vg.Length {
	return vg.Length(lines) * s.Em(size*leading)
}

// draw draws the sheet.
func (h *Sheet) draw(canvas vg.Canvas) {
	c := draw.NewCanvas(canvas, h.size.X, h.size.Y)
	left := h.margin()
	y := h.block(c, vg.Point{X: left, Y: h.size.Y - h.margin()}, h.title, titleText, true)
	h.block(c, vg.Point{X: left, Y: y}, h.subtitle, subtitleText, false)
	h.drawPanels(draw.Canvas{Canvas: canvas, Rectangle: h.panels})
	bottom := h.margin() + h.blockHeight(len(h.notes), noteText)
	h.block(c, vg.Point{X: left, Y: bottom}, h.notes, noteText, false)
	above := bottom + h.blockHeight(len(h.key), 1) + h.Em(0.4)
	h.drawKey(c, vg.Point{X: left, Y: above})
	if h.page.Bar != nil {
		from := vg.Point{X: left + h.Em(1), Y: above}
		to := from.Add(vg.Point{X: barWidth * h.inner(), Y: h.Em(barHeight)})
		h.drawBar(draw.Canvas{Canvas: canvas, Rectangle: vg.Rectangle{Min: from, Max: to}})
	}
}

func (h *Sheet) drawBar(c draw.Canvas) {
	h.space(&h.page.Bar.X, h.page.Bar.DataCanvas(c).Size().X)
	h.page.Bar.Draw(c)
}

func (h *Sheet) drawPanels(c draw.Canvas) {
	if len(h.page.Panels) == 0 {
		return
	}
	tiles := draw.Tiles{Rows: len(h.page.Panels), Cols: len(h.page.Panels[0]), PadX: h.Em(gutter), PadY: h.Em(1)}
	h.eachPanel(tiles, c, func(p *plot.Plot, c draw.Canvas) {
		data := p.DataCanvas(c)
		h.space(&p.X, data.Size().X)
		h.spaceUp(&p.Y, data.Size().Y)
	})
	h.eachPanel(tiles, c, (*plot.Plot).Draw)
}

// eachPanel visits the panels, aligned.
func (h *Sheet) eachPanel(tiles draw.Tiles, c draw.Canvas, visit func(*plot.Plot, draw.Canvas)) {
	canvases := plot.Align(h.page.Panels, tiles, c)
	for i, row := range h.page.Panels {
		for j, p := range row {
			if p != nil {
				visit(p, canvases[i][j])
			}
		}
	}
}

// block writes lines below each other, the first one's top at at.Y, and returns where
// they end.
func (h *Sheet) block(c draw.Canvas, at vg.Point, lines []string, size float64, title bool) vg.Length {
	style := h.Text(size, h.Grey)
	switch {
	case title:
		style = h.Bold(size, h.Ink)
	case size == noteText:
		style.Color = h.Axis
	}
	step := h.Em(size * leading)
	for _, line := range lines {
		h.FillMiddle(c, style, vg.Point{X: at.X, Y: at.Y - step/2}, line)
		at.Y -= step
	}
	return at.Y
}
