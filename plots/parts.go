package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// latencyPlot is a bar for each curve, of the parts of a latency at one point.
type latencyPlot struct {
	title   string
	rows    []latencyRow
	shown   []int // parts that are seen anywhere
	targets []target
}

// latencyRow is the bar of a curve.
type latencyRow struct {
	name  string
	parts metrics.Parts
	total float64 // in ms
}

// latencyParts draws what a latency is made of at one place on every curve: of the
// percentile that the objective asks for, or of the mean where there are no others.
func latencyParts(r *request) (Figure, bool) {
	res := r.res
	m, statistic := r.splitStatistic()
	body := &latencyPlot{title: m.axisTitle()}
	data := Table{Header: []string{"curve", "at", "statistic", "part", "ms"}}
	var answers []results.Finding
	for i := range res.Series {
		series := &res.Series[i]
		p := res.PointShown(series, r.At)
		parts, known := r.split(p, statistic)
		if !known {
			continue
		}
		row := latencyRow{seriesName(*series), parts, parts.Sum().Milliseconds()}
		for k, t := range parts {
			data.add(row.name, p.Value.String(), statistic, metrics.PartKeys[k], number(t.Milliseconds()))
		}
		row.name = r.nameAt(series, p)
		body.rows, answers = append(body.rows, row), append(answers, saturation(*p))
	}
	if len(body.rows) == 0 || len(body.rows) > mostBars {
		return Figure{}, false
	}
	body.shown = body.seen()
	var marks []string
	body.targets, _, marks = m.withTargets(res, r.By, body.totals())
	marks = append(marks, r.placeNotes()...)
	title := "What " + m.brief + " is made of" + r.where()
	if slices.Contains(answers, results.Yes) {
		marks = append(marks, "latency of saturated services grows with run length")
	}
	return Figure{
		Title:    title,
		Subtitle: subtitle(res, ""),
		Data:     data,
		Notes:    notes(res, "", marks...),
		body:     body,
	}, true
}

// splitStatistic is the statistic of the latency whose parts are shown, and its metric.
func (r *request) splitStatistic() (measure, string) {
	slo := commonSLO(r.res)
	key, statistic := percentileOf(slo, r.Metric)
	if !finite(askedFor(slo)) || !slices.Contains(metrics.SplitStatistics(), statistic) || r.streamed() {
		key, statistic = "mean_"+r.Metric+"_ms", "mean"
	}
	return measureOf(r.res, key), statistic
}

// streamed tells whether some point has parts of means alone.
func (r *request) streamed() bool {
	return slices.ContainsFunc(r.res.Series, func(s results.Series) bool {
		return slices.ContainsFunc(s.Points, func(p results.Point) bool { return p.Why != nil && len(p.Why.E2EL) == 1 })
	})
}

// split is the parts of the latency at a point.
func (r *request) split(p *results.Point, statistic string) (metrics.Parts, bool) {
	if p == nil || p.Why == nil {
		return metrics.Parts{}, false
	}
	all := p.Why.E2EL
	if r.Metric == "ttft" {
		all = p.Why.TTFT
	}
	parts, known := all[statistic]
	return parts, known && parts.Sum() > 0
}

// seen are the parts that are a notable share of some bar.
func (l *latencyPlot) seen() []int {
	var shown []int
	for i := range parts {
		if slices.ContainsFunc(l.rows, func(r latencyRow) bool { return r.parts[i].Milliseconds() >= leastShare*r.total }) {
			shown = append(shown, i)
		}
	}
	return shown
}

func (l *latencyPlot) totals() []float64 {
	var all []float64
	for _, r := range l.rows {
		all = append(all, r.total)
	}
	return all
}

func (l *latencyPlot) draw(s *chart.Style) drawing {
	p, labels := s.NewPlot(), s.Labels()
	values := l.totals()
	for _, t := range l.targets {
		values = append(values, t.value)
	}
	_, most := chart.Extent(values, true)
	chart.FromZero(&p.X, []float64{most * 1.15}, latency)
	p.X.Label.Text = l.title
	names := make([]string, len(l.rows))
	for i, r := range l.rows {
		names[i] = s.Fit(r.name, p.Y.Tick.Label, s.Width*0.3)
	}
	slices.Reverse(names)
	chart.Categories(&p.Y, names)
	if len(l.targets) > 0 {
		p.Y.Max += max(0.8, 0.08*float64(len(l.rows))) // where the target is named
	}
	defer fixed(p)()
	l.addBars(s, p)
	for i, r := range l.rows {
		labels.Beside = append(labels.Beside, chart.Label{Text: latency(r.total),
			At: plotter.XY{X: r.total, Y: l.height(i)}, Color: s.Ink, Gap: s.Em(0.3)})
	}
	addBounds(s, p, labels, l.targets)
	p.Add(labels)
	return drawing{panels: [][]*plot.Plot{{p}}, labels: []*chart.Labels{labels}, key: partsKey(s, l.shown),
		rowHeight: rowHeight*float64(len(l.rows)) + 6.5}
}

// height is where a row is: the first one on top.
func (l *latencyPlot) height(row int) float64 { return float64(len(l.rows) - 1 - row) }

// addBars stacks the parts of every row, with their lengths where these fit.
func (l *latencyPlot) addBars(s *chart.Style, p *plot.Plot) {
	var below *plotter.BarChart
	for _, part := range l.shown {
		bars := &plotter.BarChart{Width: s.Em(partsWidth), Color: parts[part].fill, Horizontal: true, Values: make(plotter.Values, len(l.rows))}
		for i, r := range l.rows {
			bars.Values[len(l.rows)-1-i] = r.parts[part].Milliseconds()
		}
		if below != nil {
			bars.StackOn(below)
		}
		p.Add(bars)
		below = bars
	}
	p.Add(s.Insides(l.lengths()))
}

// lengths are those of the parts, where they are drawn.
func (l *latencyPlot) lengths() []chart.Inside {
	var all []chart.Inside
	for i, r := range l.rows {
		left := 0.0
		for _, part := range l.shown {
			length := r.parts[part].Milliseconds()
			all = append(all, chart.Inside{Min: plotter.XY{X: left, Y: l.height(i) - 0.4}, Max: plotter.XY{X: left + length, Y: l.height(i) + 0.4},
				Fill: parts[part].fill, Texts: []string{latency(length)}})
			left += length
		}
	}
	return all
}

// partsWidth is how high the bar of a latency is, in sizes of tick labels.
const partsWidth = 1.5

// partsKey names the parts that are seen.
func partsKey(s *chart.Style, shown []int) []chart.Entry {
	var key []chart.Entry
	for _, i := range shown {
		key = append(key, chart.Entry{Name: parts[i].name, Swatch: s.AreaSwatch(chart.Look{Line: parts[i].fill})})
	}
	return key
}
