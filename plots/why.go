package plots

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// part is how a part of the time is shown.
type part struct {
	name string
	fill color.NRGBA
}

// parts are in the order of metrics.PartKeys.
var parts = [len(metrics.PartKeys)]part{
	{"front end", looks[5].line}, {"queue", looks[4].line}, {"KV wait", looks[3].line}, {"prefill", looks[2].line},
	{"interference", looks[1].line}, {"decode", looks[0].line}, {"draft", looks[7].line}, {"transfer", idealGrey},
	{"preemption", looks[6].line},
}

// partsPlot is a panel for each strategy with a bar for each swept value, of the
// shares of the mean end-to-end latency.
type partsPlot struct {
	panels []panel
	shown  []int // parts that are seen anywhere
	title  string
	axis   axis // of shares
}

// panel is the bars of a strategy.
type panel struct {
	name string
	bars []bar
}

// bar is the parts at a swept value.
type bar struct {
	value  string
	shares [len(metrics.PartKeys)]float64
}

// mostPanels bounds what fits on a page, and mostBars what is seen of a bar.
const (
	mostPanels = 6
	mostBars   = 40
)

// whereTimeGoes draws the parts of the mean end-to-end latency over the sweep. It
// is false where there is nothing to draw, or too much.
func whereTimeGoes(res *results.Results, s sweep) (Figure, bool) {
	plot := &partsPlot{title: lowerTitle(s), axis: fractions()}
	for i := range res.Series {
		if p := newPanel(&res.Series[i]); len(p.bars) > 0 {
			plot.panels = append(plot.panels, p)
		}
	}
	for i := range parts {
		if slices.ContainsFunc(plot.panels, func(p panel) bool {
			return slices.ContainsFunc(p.bars, func(b bar) bool { return b.shares[i] >= 0.005 })
		}) {
			plot.shown = append(plot.shown, i)
		}
	}
	n := len(plot.panels)
	return Figure{
		Name:     "where-time-goes",
		Title:    "Where the time of a request goes by " + s.name(),
		Subtitle: subtitle(res, "shares of the mean end-to-end latency"),
		Notes:    provenance(res, ""),
		body:     plot,
	}, n > 0 && n <= mostPanels
}

func newPanel(s *results.Series) panel {
	p := panel{name: s.Label}
	for _, point := range s.Points {
		if point.Why == nil {
			continue
		}
		mean, known := point.Why.E2EL["mean"]
		if whole := mean.Sum(); known && whole > 0 {
			b := bar{value: fmt.Sprint(point.Value)}
			for i, t := range mean {
				b.shares[i] = float64(t / whole)
			}
			p.bars = append(p.bars, b)
		}
	}
	if len(p.bars) > mostBars {
		return panel{}
	}
	return p
}

const (
	panelHeight = vg.Length(92)
	panelGap    = vg.Length(40) // holds the swept values of the panel above, and the name of the one below
	barShare    = 0.78          // of the distance of two bars
)

func (c *partsPlot) frame(t typesetter, _ vg.Length) frame {
	f := frame{above: labelStyle.size * lineSpacing, below: bottomHeight(nil, c.title)}
	f.height = vg.Length(len(c.panels))*(panelHeight+panelGap) - panelGap
	for _, tk := range c.axis.ticks {
		f.left = max(f.left, t.width(tk.label, tickStyle)+tickGap)
	}
	for _, i := range c.shown {
		f.right = max(f.right, nameGap+swatchWidth+t.width(parts[i].name, labelStyle))
	}
	return f
}

func (c *partsPlot) draw(p pen, area vg.Rectangle) {
	for i, panel := range c.panels {
		top := area.Max.Y - vg.Length(i)*(panelHeight+panelGap)
		c.drawPanel(p, panel, vg.Rectangle{Min: vg.Point{X: area.Min.X, Y: top - panelHeight}, Max: vg.Point{X: area.Max.X, Y: top}})
	}
	y := area.Min.Y - bottomHeight(nil, c.title) + axisStyle.size*lineSpacing/2
	p.text(vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: y}, c.title, axisStyle, alignCentre)
	c.drawLegend(p, area.Max)
}

// drawPanel draws the bars of a strategy; values are written below as far as they
// do not touch.
func (c *partsPlot) drawPanel(p pen, panel panel, area vg.Rectangle) {
	pl := plane{y: c.axis, area: area}
	p.horizontalGrid(pl)
	for _, name := range p.wrap(panel.name, labelStyle, area.Max.X-area.Min.X, 1) {
		p.text(vg.Point{X: area.Min.X, Y: area.Max.Y + labelStyle.size*0.8}, name, labelStyle, alignLeft)
	}
	step := (area.Max.X - area.Min.X) / vg.Length(len(panel.bars))
	free := area.Min.X
	for i, b := range panel.bars {
		middle := area.Min.X + (vg.Length(i)+0.5)*step
		c.drawBar(p, b, middle, step*barShare/2, pl)
		half := p.width(b.value, tickStyle)/2 + 2
		if middle-half >= free {
			p.text(vg.Point{X: middle, Y: area.Min.Y - 3 - tickStyle.size*lineSpacing/2}, b.value, tickStyle, alignCentre)
			free = middle + half
		}
	}
}

func (c *partsPlot) drawBar(p pen, b bar, middle, half vg.Length, pl plane) {
	var low float64
	for i, share := range b.shares {
		bottom, top := pl.toY(low), pl.toY(low+share)
		low += share
		if share > 0 {
			p.polygon([]vg.Point{{X: middle - half, Y: bottom}, {X: middle + half, Y: bottom},
				{X: middle + half, Y: top}, {X: middle - half, Y: top}}, parts[i].fill)
		}
	}
}

// drawLegend names the parts, in the order in which they are stacked.
func (c *partsPlot) drawLegend(p pen, corner vg.Point) {
	for row, i := range slices.Backward(c.shown) {
		y := corner.Y - (vg.Length(len(c.shown)-1-row)+0.5)*labelStyle.size*1.6
		left, half := corner.X+nameGap, labelStyle.size/2
		p.polygon(
			[]vg.Point{{X: left, Y: y - half}, {X: left + 2*half, Y: y - half}, {X: left + 2*half, Y: y + half}, {X: left, Y: y + half}},
			parts[i].fill,
		)
		p.text(vg.Point{X: left + 2*half + 4, Y: y}, parts[i].name, labelStyle, alignLeft)
	}
}
