package chart

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Label is a text beside what it names.
type Label struct {
	Text  string
	At    plotter.XY
	Color color.NRGBA
	Gap   vg.Length // to At: the radius of a dot there

	// Of a name: what shows the curve in a key, and its number there.
	Entry  plot.Thumbnailer
	Number int
}

// Labels is a plotter that writes labels so that none covers another, a dot or, where
// that can be, a line. Names of curves go to the right of the plot where the curves end
// there, and beside their ends elsewhere. Where they do not fit, they are numbers, and the
// names are in a key below.
type Labels struct {
	Names  []Label // of curves, at their ends
	Bounds []Label // of lines across the plot, at the right
	Values []Label // at dots: left away where they would lie on each other
	Hints  []Label // at dots: left away where there is no room
	Beside []Label // at the ends of bars, at their right
	Rims   []Label // of what is beyond the left or the right of the plot, inside of it

	Lines []plotter.XYs // what is drawn: better not covered
	Dots  plotter.XYs   // never covered
	Discs []Disc        // likewise

	style    *Style
	numbered bool // the names are in the key
	crowded  bool // they did not fit
}

// Disc is a dot of a size of its own.
type Disc struct {
	At     plotter.XY
	Radius vg.Length
}

// Labels makes a plotter of labels. It is the last one to be added to a panel.
func (s *Style) Labels() *Labels { return &Labels{style: s} }

const (
	mostNames = 12   // beyond, nobody finds a curve by its place
	nameWidth = 0.24 // of a page, at most
)

func (l *Labels) nameStyle(c color.NRGBA) text.Style  { return l.style.Bold(1, c) }
func (l *Labels) valueStyle(c color.NRGBA) text.Style { return l.style.Bold(0.94, c) }
func (l *Labels) hintStyle(c color.NRGBA) text.Style  { return l.style.Text(0.86, c) }
func (l *Labels) rimStyle(c color.NRGBA) text.Style   { return l.style.Text(0.74, c) }

// written is a label's text, broken into lines.
func (l *Labels) written(label Label) string {
	return Wrapped(label.Text, l.nameStyle(label.Color), l.style.Width*nameWidth, 3)
}

// names are the labels of the curves as they are written.
func (l *Labels) names() []Label {
	names := make([]Label, len(l.Names))
	for i, n := range l.Names {
		names[i] = n
		if l.numbered {
			names[i].Text = strconv.Itoa(n.Number)
		} else {
			names[i].Text = l.written(n)
		}
	}
	return names
}

// leader is the room for lines between the ends of curves and their names.
func (l *Labels) leader() vg.Length { return l.style.Em(1.5) }

// GlyphBoxes keeps room for the labels at the right.
func (l *Labels) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	var widest vg.Length
	for _, n := range l.names() {
		if atRight(p, n.At) {
			widest = max(widest, l.leader()+l.nameStyle(n.Color).Width(n.Text))
		}
	}
	for _, b := range l.Bounds {
		widest = max(widest, l.style.Em(0.5)+l.nameStyle(b.Color).Width(b.Text))
	}
	boxes := []plot.GlyphBox{{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: widest}}}}
	for _, e := range l.Beside {
		right := e.Gap + l.size(e, l.valueStyle(e.Color)).X
		boxes = append(boxes, plot.GlyphBox{X: p.X.Norm(e.At.X), Y: p.Y.Norm(e.At.Y), Rectangle: vg.Rectangle{Max: vg.Point{X: right}}})
	}
	return boxes
}

func atRight(p *plot.Plot, at plotter.XY) bool { return p.X.Norm(at.X) > 0.985 }

// Plot writes the labels.
func (l *Labels) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	at := func(xy plotter.XY) vg.Point { return vg.Point{X: toX(xy.X), Y: toY(xy.Y)} }
	room := l.clutter(c, at)
	var column, inside []placed
	for _, n := range l.names() {
		here := placed{n, at(n.At), l.size(n, l.nameStyle(n.Color)), 1}
		if atRight(p, n.At) {
			column = append(column, here)
		} else {
			inside = append(inside, here)
		}
	}
	for _, b := range l.Bounds {
		column = append(column, placed{b, vg.Point{X: c.Max.X, Y: toY(b.At.Y)}, l.size(b, l.nameStyle(b.Color)), boundWeight})
	}
	l.crowded = len(l.Names) > mostNames || !l.writeInside(c, inside, room)
	l.writeColumn(c, column, room)
	for _, b := range l.Beside {
		style := l.valueStyle(b.Color)
		l.writeBox(c, beside(at(b.At), l.size(b, style), b.Gap, direction{1, 0}), b.Text, style, room)
	}
	for _, r := range l.Rims {
		style, towards := l.rimStyle(r.Color), direction{1, 0}
		if p.X.Norm(r.At.X) > 0.5 {
			towards.x = -1
		}
		box := beside(at(r.At), l.size(r, style), 0, towards)
		l.style.FillMiddle(c, style, vg.Point{X: box.Min.X + l.style.Em(0.15), Y: (box.Min.Y + box.Max.Y) / 2}, r.Text)
		room.boxes = append(room.boxes, box)
	}
	for i, v := range l.Values {
		if !l.repeats(i, at) {
			l.writeNear(c, v, at(v.At), l.valueStyle(v.Color), room, 1, 0.25, 0.7, 1.3, 2, 2.9, 4)
		}
	}
	for _, h := range l.Hints {
		l.writeNear(c, h, at(h.At), l.hintStyle(h.Color), room, 0.1, 0.2, 0.45)
	}
}

// repeats tells whether an earlier value says the same at the same place.
func (l *Labels) repeats(i int, at func(plotter.XY) vg.Point) bool {
	v := l.Values[i]
	return slices.ContainsFunc(l.Values[:i], func(other Label) bool {
		apart := at(v.At).Sub(at(other.At))
		return other.Text == v.Text && math.Hypot(float64(apart.X), float64(apart.Y)) < float64(v.Gap)
	})
}

// writeNear writes a label at one of some distances from a dot, unless it would collide by
// limit or more.
func (l *Labels) writeNear(c draw.Canvas, label Label, dot vg.Point, style text.Style, room *clutter, limit float64, ems ...float64) {
	if box, collision := room.freest(dot, l.size(label, style), l.distances(label.Gap, ems...), aroundDot); collision < limit {
		l.writeBox(c, box, label.Text, style, room)
	}
}

// placed is a label with a place to be near to.
type placed struct {
	Label
	at     vg.Point
	size   vg.Point
	weight float64 // how much it minds being moved
}

// boundWeight keeps the label of a line across the plot at its line when others crowd it.
const boundWeight = 1000

func (l *Labels) clutter(c draw.Canvas, at func(plotter.XY) vg.Point) *clutter {
	room := &clutter{bounds: c.Rectangle, rim: l.style.Em(0.15)}
	for _, line := range l.Lines {
		var run []vg.Point
		for _, xy := range line {
			if math.IsNaN(xy.X) || math.IsNaN(xy.Y) {
				room.addLine(run, l.style.Em(0.25))
				run = nil
				continue
			}
			run = append(run, at(xy))
		}
		room.addLine(run, l.style.Em(0.25))
	}
	for _, d := range l.Dots {
		room.addDot(at(d), l.style.DotSize())
	}
	for _, d := range l.Discs {
		room.addDot(at(d.At), d.Radius)
	}
	return room
}

func (l *Labels) size(label Label, style text.Style) vg.Point {
	return vg.Point{X: style.Width(label.Text) + l.style.Em(0.3), Y: style.Height(label.Text)}
}

func (l *Labels) distances(gap vg.Length, ems ...float64) []vg.Length {
	all := make([]vg.Length, len(ems))
	for i, n := range ems {
		all[i] = gap + l.style.Em(n)
	}
	return all
}

// writeInside writes names at the ends of their curves, unless they are crowded.
func (l *Labels) writeInside(c draw.Canvas, names []placed, room *clutter) bool {
	trial, drawn := *room, len(room.boxes)
	boxes := make([]vg.Rectangle, len(names))
	for i, n := range names {
		cost := func(box vg.Rectangle) float64 { return trial.collision(box) + l.crossed(n, box, trial.boxes) }
		box, collision := least(n.at, n.size, l.distances(n.Gap, 0.2, 0.7, 1.5, 2.5), aroundEnd, cost)
		if collision > 0.04 && !l.numbered {
			return false
		}
		trial.boxes, boxes[i] = append(trial.boxes, box), box
		if from, to, ok := l.leadOf(n, box); ok {
			trial.addLine([]vg.Point{from, to}, l.style.Em(0.25))
		}
	}
	for i, n := range names {
		if !slices.ContainsFunc(room.boxes[drawn:], func(box vg.Rectangle) bool { return overlap(box, boxes[i]) }) {
			l.lead(c, n, boxes[i], room)
			l.writeBox(c, boxes[i], n.Text, l.nameStyle(n.Color), room)
		}
	}
	return true
}

// writeBox writes a text in the middle of its place, with a rim that keeps lines off the
// letters.
func (l *Labels) writeBox(c draw.Canvas, box vg.Rectangle, txt string, style text.Style, room *clutter) {
	style.XAlign = draw.XCenter
	l.style.FillHalo(c, style, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, txt)
	room.boxes = append(room.boxes, box)
}

// mostMoved is how far a name may be from the end of its curve, in sizes of the text.
const mostMoved = 2.6

// writeColumn writes labels below each other at the right of the plot, each as near to
// its curve's end as the others allow, with thin lines to those that had to move.
func (l *Labels) writeColumn(c draw.Canvas, labels []placed, room *clutter) {
	centres := l.arrange(c, labels)
	if n := len(labels); len(l.Bounds) > 0 && n > len(l.Bounds) && l.moved(labels, centres, false) > 0.5 {
		for _, b := range labels[n-len(l.Bounds):] {
			box, _ := room.freest(b.at, b.size, l.distances(0, 0.15, 0.6), []direction{{-1, 1}, {-1, -1}})
			l.writeBox(c, box, b.Text, l.nameStyle(b.Color), room)
		}
		labels = labels[:n-len(l.Bounds)]
		centres = l.arrange(c, labels)
	}
	l.crowded = l.crowded || l.moved(labels, centres, true) > mostMoved
	spread := l.moved(labels, centres, true) > 0.3
	for i, n := range labels {
		style := l.nameStyle(n.Color)
		left := vg.Point{X: c.Max.X + l.style.Em(0.5), Y: centres[i]}
		if n.weight != boundWeight && spread {
			left.X = c.Max.X + l.leader()
			from := vg.Point{X: n.at.X + n.Gap + l.style.Em(0.15), Y: n.at.Y}
			c.StrokeLine2(l.style.Stroke(6, n.Color), from.X, from.Y, left.X-l.style.Em(0.15), left.Y)
		}
		l.style.FillMiddle(c, style, left, n.Text)
	}
}

// arrange returns the heights of the labels' centres.
func (l *Labels) arrange(c draw.Canvas, labels []placed) []vg.Length {
	slots := make([]slot, len(labels))
	for i, n := range labels {
		slots[i] = slot{n.at.Y, n.size.Y, n.weight}
	}
	return arrange(slots, c.Min.Y-l.style.Em(0.5), c.Max.Y+l.style.Em(0.5))
}

// moved is how far the names, or the labels of lines, are from where they belong, at most,
// in sizes of the text.
func (l *Labels) moved(labels []placed, centres []vg.Length, names bool) float64 {
	most := 0.0
	for i, n := range labels {
		if (n.weight != boundWeight) == names {
			most = max(most, math.Abs(float64(centres[i]-n.at.Y)/float64(l.style.Em(1))))
		}
	}
	return most
}
