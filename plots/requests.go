package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/units"
)

// requestsPlot is how long requests are, and below when they come, where that is known.
type requestsPlot struct {
	lengths  *curvePlot
	arrivals *results.DrawnTraffic // nil: not known
}

// trafficFigure draws the lengths and arrivals of the requests at one place.
func trafficFigure(r *request) (Figure, bool) {
	t := r.drawn()
	if t == nil {
		return Figure{}, false
	}
	body := &requestsPlot{lengths: newLengthsPlot(t)}
	requests := 0
	for _, c := range t.Classes {
		requests += c.Requests
	}
	marks := []string{exact(float64(requests)) + " requests, those of the first replication"}
	if requests >= results.MostDrawn {
		marks[0] = "the first " + exact(float64(requests)) + " requests of the first replication"
	}
	if len(t.Arrivals) > 0 {
		body.arrivals = t
		marks = append(marks, "arrivals in buckets of "+latency(1e3*t.Bucket))
	} else {
		marks = append(marks, "arrivals depend on the answers, or all come at once")
	}
	plain := "Lengths and arrivals of the requests" + r.where()
	return Figure{Title: cmp.Or(medians(t), plain), plainTitle: plain, Subtitle: subtitle(r.res, ""),
		Notes: ofOneRun(notes(r.res, "", marks...), r.res), Data: requestsTable(t), body: body}, true
}

// drawn is the requests at the figure's place; nil where there are none.
func (r *request) drawn() *results.DrawnTraffic {
	if len(r.res.Series) == 0 {
		return nil
	}
	s := &r.res.Series[0]
	p := r.res.PointShown(s, r.At)
	for i := range r.res.Drawn {
		if t := &r.res.Drawn[i]; p != nil && sameSetting(r.res.SettingOf(s, p), t.Point) {
			return t
		}
	}
	return nil
}

// medians says how long requests are; nothing of several classes.
func medians(t *results.DrawnTraffic) string {
	if len(t.Classes) != 1 {
		return ""
	}
	median := func(quantiles []float64) string { return units.Short(quantiles[len(quantiles)/2]) }
	c := &t.Classes[0]
	return fmt.Sprintf("The median request has %s prompt and %s output tokens", median(c.Input), median(c.Output))
}

// namedLengths are the quantiles of lengths in tokens, evenly from 0 to 100 %.
type namedLengths struct {
	name      string
	quantiles []float64
}

// lengthsOf are the lengths of a class.
func lengthsOf(c *results.DrawnClass) []namedLengths {
	return []namedLengths{{joinWith(" ", c.Name, "prompts"), c.Input}, {joinWith(" ", c.Name, "outputs"), c.Output}}
}

// newLengthsPlot draws the distributions of lengths over tokens.
func newLengthsPlot(t *results.DrawnTraffic) *curvePlot {
	body := &curvePlot{xTitle: "Tokens", yTitle: "Share of the requests that are no longer",
		y: func(a *plot.Axis) { chart.Fractions(a, percent) }}
	for i := range t.Classes {
		for _, l := range lengthsOf(&t.Classes[i]) {
			c := curve{name: l.name, look: len(body.curves)}
			for k, tokens := range l.quantiles {
				share := float64(k) / float64(len(l.quantiles)-1)
				c.dots = append(c.dots, dot{x: tokens, y: share, low: math.NaN(), high: math.NaN(), saturated: results.No})
			}
			body.curves = append(body.curves, c)
		}
	}
	body.x = func(a *plot.Axis) {
		tokens := xs(body.curves)
		if chart.Log(a, tokens, exact); spread(tokens) > wideRange {
			a.Max = slices.Max(tokens) // so that the longest curve ends at the side, where its name is
		}
	}
	return body
}

// requestsTable is the quantiles of the lengths and the rates of arrivals.
func requestsTable(t *results.DrawnTraffic) Table {
	data := Table{Header: []string{"what", "percentile", "second", "value", "unit"}}
	for i := range t.Classes {
		for _, l := range lengthsOf(&t.Classes[i]) {
			for k, tokens := range l.quantiles {
				data.add(l.name, number(100*float64(k)/float64(len(l.quantiles)-1)), "", number(tokens), "tok")
			}
		}
	}
	for i, n := range t.Arrivals {
		data.add("arrivals", "", number((float64(i)+0.5)*t.Bucket), number(n/t.Bucket), "req/s")
	}
	return data
}

func (r *requestsPlot) draw(s *chart.Style) drawing {
	p, labels := r.lengths.panel(s)
	d := drawing{panels: [][]*plot.Plot{{p}}, labels: []*chart.Labels{labels}}
	if r.arrivals != nil {
		below, more := arrivalsPanel(s, r.arrivals)
		d.panels, d.labels, d.rowHeight = append(d.panels, []*plot.Plot{below}), append(d.labels, more), 18
	}
	return d
}

// arrivalsPanel draws the rate over the time, and its mean.
func arrivalsPanel(s *chart.Style, t *results.DrawnTraffic) (*plot.Plot, *chart.Labels) {
	p, labels := s.NewPlot(), s.Labels()
	line := plotter.XYs{{X: 0}}
	most, sum := 0.0, 0.0
	for i, n := range t.Arrivals {
		rate := n / t.Bucket
		line[i].Y = rate
		line = append(line, plotter.XY{X: float64(i+1) * t.Bucket, Y: rate})
		most, sum = max(most, rate), sum+rate
	}
	chart.Linear(&p.X, 0, line[len(line)-1].X, exact)
	chart.FromZero(&p.Y, []float64{most}, exact)
	p.X.Label.Text = "Time after the first arrival (s)"
	p.Add(s.YTitle("Requests per second"))
	defer fixed(p)()
	p.Add(&plotter.Line{XYs: line, StepStyle: plotter.PostStep, LineStyle: s.Stroke(timelineWidth, s.Axis)})
	mean := sum / float64(len(t.Arrivals))
	ends := plotter.XYs{{X: 0, Y: mean}, {X: p.X.Max, Y: mean}}
	p.Add(&plotter.Line{XYs: ends, LineStyle: s.Dashed(targetWidth, s.Ink)})
	labels.Bounds = append(labels.Bounds, chart.Label{Text: "mean " + units.Short(mean), At: ends[1], Color: s.Ink})
	p.Add(labels)
	return p, labels
}
