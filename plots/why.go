package plots

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// part is how a part of the time is shown.
type part struct {
	name string
	fill color.NRGBA
}

// parts are in the order of metrics.PartKeys. Neighbours differ in lightness, so that they
// are told apart in greyscale.
var parts = [len(metrics.PartKeys)]part{
	{"routing", chart.RGB(0x2f7f86)}, {"front end", chart.RGB(0xc9a0dc)}, {"queue", chart.RGB(0xdb8a00)}, {"KV wait", chart.RGB(0xa63d2f)}, {"prefill", chart.RGB(0x7fc8a9)},
	{"interference", chart.RGB(0xb5477d)}, {"KV transfer", chart.RGB(0x2a4d8f)}, {"decode", chart.RGB(0xa9d0f5)}, {"draft", chart.RGB(0x5b4b8a)},
	{"transfer", chart.RGB(0xe8e3d3)}, {"preemption", chart.RGB(0x2b2b2b)},
}

// partsPlot is a panel for each strategy with a bar for each swept value, of the shares of
// the mean end-to-end latency.
type partsPlot struct {
	panels []partsPanel
	shown  []int // parts that are seen anywhere
	title  string
}

// partsPanel is the bars of a strategy.
type partsPanel struct {
	name   string
	values []string // swept, of each bar
	bars   []metrics.Parts
}

// mostPanels bounds what fits on a page, and mostBars what is seen of a bar.
const (
	mostPanels = 12
	mostBars   = 40
)

// leastShare is the share of a bar from which a part is seen.
const leastShare = 0.005

// whereTimeGoes draws the parts of the mean end-to-end latency over the sweep. It is
// false where there is nothing to draw, or too much.
func whereTimeGoes(r *request) (Figure, bool) {
	res := r.res
	s, curves := newSweep(res)
	if !curves {
		return Figure{}, false
	}
	body := &partsPlot{title: s.title()}
	data := Table{Header: []string{"strategy", s.variable.Path, "part", "share"}}
	for i := range res.Series {
		if p := newPartsPanel(&res.Series[i]); len(p.bars) > 0 {
			body.panels = append(body.panels, p)
			for k, bar := range p.bars {
				for j, key := range metrics.PartKeys {
					data.add(p.name, p.values[k], key, number(float64(bar[j])))
				}
			}
		}
	}
	for i := range parts {
		if slices.ContainsFunc(body.panels, func(p partsPanel) bool {
			return slices.ContainsFunc(p.bars, func(b metrics.Parts) bool { return b[i] >= leastShare })
		}) {
			body.shown = append(body.shown, i)
		}
	}
	n := len(body.panels)
	return Figure{
		Title:    "Where the time of a request goes by " + s.name(),
		Subtitle: subtitle(res, "shares of the mean end-to-end latency"),
		Notes:    notes(res, ""),
		Data:     data,
		body:     body,
	}, n > 0 && n <= mostPanels
}

func newPartsPanel(s *results.Series) partsPanel {
	p := partsPanel{name: seriesName(*s)}
	for _, point := range s.Points {
		if point.Why == nil {
			continue
		}
		mean, known := point.Why.E2EL["mean"]
		if whole := mean.Sum(); known && whole > 0 {
			for i := range mean {
				mean[i] /= whole
			}
			p.values, p.bars = append(p.values, fmt.Sprint(point.Value)), append(p.bars, mean)
		}
	}
	if len(p.bars) > mostBars {
		return partsPanel{}
	}
	return p
}

func (c *partsPlot) draw(s *chart.Style) drawing {
	columns := s.Columns(len(c.panels), 13)
	d := drawing{rowHeight: 13}
	for i, panel := range c.panels {
		if i%columns == 0 {
			d.panels = append(d.panels, make([]*plot.Plot, columns))
		}
		p := c.panel(s, panel, s.Width/vg.Length(columns)*0.8)
		if i+columns < len(c.panels) {
			p.X.Label.Text = "" // it stands below the last panel of the column
		}
		d.panels[i/columns][i%columns] = p
	}
	d.key = partsKey(s, c.shown)
	return d
}

// panel stacks the bars of a strategy.
func (c *partsPlot) panel(s *chart.Style, panel partsPanel, width vg.Length) *plot.Plot {
	p := s.NewPlot()
	chart.Fractions(&p.Y, percent)
	chart.Categories(&p.X, panel.values)
	p.X.Label.Text = c.title
	p.Title.Text = s.Fit(panel.name, p.Title.TextStyle, width)
	defer fixed(p)()
	var below *plotter.BarChart
	for _, i := range c.shown {
		bars := &plotter.BarChart{Width: width / vg.Length(len(panel.bars)+1) * 0.8, Color: parts[i].fill}
		for _, b := range panel.bars {
			bars.Values = append(bars.Values, float64(b[i]))
		}
		if below != nil {
			bars.StackOn(below)
		}
		p.Add(bars)
		below = bars
	}
	return p
}
