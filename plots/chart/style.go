package chart

import (
	"image/color"
	"math"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Style is how a page looks. One goroutine at a time may draw with it.
type Style struct {
	Size
	Theme
	letters letters
}

// NewStyle makes the style of a size and a theme. Letters that Liberation Sans lacks are
// taken from the extra font, if there is one.
func NewStyle(size Size, theme Theme, extra *opentype.Font) *Style {
	return &Style{Size: size, Theme: theme, letters: newLetters(extra)}
}

// Em is a length of n sizes of the tick labels, the unit of all lengths on a page.
func (s *Style) Em(n float64) vg.Length { return s.Size.Text * vg.Length(n) }

// Columns is how many of n panels stand beside each other, each at least as wide as a
// number of sizes of the text: few on a page, which grows downwards, and as many as fill it
// on a slide.
func (s *Style) Columns(n int, width float64) int {
	columns := 1 + min(n/3, 1) + min(n/7, 1)
	if s.Height > 0 {
		columns = int(math.Ceil(math.Sqrt(1.2 * float64(n))))
	}
	return max(1, min(columns, int(s.inner()/s.Em(width))))
}

// Smaller is the style of rows that are together so many sizes of the text high: smaller where
// they would not fit on a page of a given height.
func (s *Style) Smaller(rows float64) *Style {
	const room, least = 18, 0.6
	small := *s
	if s.Height > 0 {
		small.Size.Text *= vg.Length(min(max(room/rows, least), 1))
	}
	return &small
}

// Text is the style of text n times as large as tick labels, in regular weight.
func (s *Style) Text(n float64, c color.Color) text.Style {
	return text.Style{Color: c, Font: font.Font{Typeface: typeface, Variant: "Sans", Size: s.Em(n)}, Handler: s.letters}
}

// Bold is the style of bold text n times as large as tick labels.
func (s *Style) Bold(n float64, c color.Color) text.Style {
	t := s.Text(n, c)
	t.Font.Weight = xfont.WeightBold
	return t
}

// Stroke is the style of a line n hundredths of the tick labels' size wide.
func (s *Style) Stroke(n float64, c color.Color, dashes ...float64) draw.LineStyle {
	line := draw.LineStyle{Color: c, Width: s.Em(n / 100)}
	for _, d := range dashes {
		line.Dashes = append(line.Dashes, s.Em(d))
	}
	return line
}

// Dashed is the style of a line that is no data but a bound or a target, as wide as Stroke's.
func (s *Style) Dashed(n float64, c color.Color) draw.LineStyle { return s.Stroke(n, c, 0.55, 0.35) }

// NewPlot makes an empty panel in the style, with a light grid at the ticks of the y
// axis.
func (s *Style) NewPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.TextHandler = s.letters
	p.Title.TextStyle = s.Bold(1, s.Ink)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = s.Em(0.5)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		s.label(&a.Label.TextStyle, s.Text(1.05, s.Grey))
		s.label(&a.Tick.Label, s.Text(1, s.Grey))
		a.LineStyle = s.Stroke(8, s.Axis)
		a.Tick.LineStyle = s.Stroke(8, s.Axis)
		a.Tick.Length = s.Em(0.4)
		a.Label.Padding = s.Em(0.35)
		a.Padding = 0
	}
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	grid := plotter.NewGrid()
	grid.Vertical.Color = nil
	grid.Horizontal = s.Stroke(6, s.Grid)
	p.Add(grid)
	return p
}

// label gives text another font and colour, and leaves it where it is.
func (s *Style) label(t *text.Style, as text.Style) {
	t.Font, t.Color, t.Handler = as.Font, as.Color, as.Handler
}
