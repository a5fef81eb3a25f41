package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// column is one column of the tables of points.
type column struct {
	metric   string
	scale    scale
	interval bool
	spare    int // as in a head
}

// columns are those of every curve, so that their tables are alike. Tails have their
// interval, since a difference within it says nothing; medians hardly vary and keep the
// table narrow. Goodput is shown where anybody has an objective, that of whole conversations where any end, and what was offered where
// that is not what was asked for.
func columns(res *results.Results) []column {
	var all []column
	if res.OfferedApart() {
		all = append(all, column{metrics.OfferedRate, plain("req/s"), true, 0})
	}
	pace := res.SLO.Pace()
	ttft, between := timesOf(res, metrics.MedianTTFT, metrics.P99TTFT), timesOf(res, pace.Median, pace.Tail)
	all = append(all, []column{
		{metrics.MedianTTFT, ttft, false, 2},
		{metrics.P99TTFT, ttft, true, 0},
		{pace.Median, between, false, 3},
		{pace.Tail, between, true, 0},
		{metrics.OutputThroughput, plain("tok/s"), true, 1},
	}...)
	if hasMetric(res, metrics.Goodput) {
		all = append(all, column{metrics.Goodput, plain("req/s"), true, 0}, column{metrics.Attainment, percents, false, 0})
	}
	if hasMetric(res, metrics.SessionGoodput) {
		all = append(all, column{metrics.SessionGoodput, plain("conv/s"), false, 0}, column{metrics.SessionAttainment, percents, false, 0})
	}
	return all
}

// head is the top of the column.
func (c *column) head() head {
	return head{title: c.scale.title(columnTitle(c.metric)), spare: c.spare}
}

// cell is an estimate in the column.
func (c *column) cell(e metrics.Estimate) string {
	if c.interval {
		return c.scale.write(e.Mean) + intervalText(e)
	}
	return c.scale.write(e.Mean)
}

// timesOf is the scale of some latencies at all points, classes of clients included.
func timesOf(res *results.Results, keys ...string) scale {
	most := 0.0
	for i := range res.Series {
		for _, p := range res.Series[i].Points {
			for _, key := range keys {
				most = max(most, p.Metrics[key].Mean)
				for _, client := range p.Clients {
					most = max(most, client.Metrics[key].Mean)
				}
			}
		}
	}
	return times(most)
}

// hasMetric tells whether a metric has a value anywhere. A curve without one keeps
// the column, so that the tables of all curves are alike.
func hasMetric(res *results.Results, key string) bool {
	for i := range res.Series {
		for _, p := range res.Series[i].Points {
			if _, ok := p.Metrics[key]; ok {
				return true
			}
		}
	}
	return false
}

// renderPoints writes all points: a table a curve, or of all strategies where nothing is
// swept, a row a point: first the load, then what a user feels (TTFT, TPOT), then what
// the operator gets (throughput, goodput).
func renderPoints(p page, res *results.Results) {
	if len(res.Sweep) == 0 {
		fmt.Fprintln(p)
		pointSheet(p, res, res.Series).print(p)
		renderClients(p, res, res.Series)
		return
	}
	var sheets []*sheet
	for i := range res.Series {
		sheets = append(sheets, pointSheet(p, res, res.Series[i:i+1]))
	}
	printSheets(p, sheets, func(i int) { p.heading(res.Series[i].Label) }, func(i int) { renderClients(p, res, res.Series[i:i+1]) })
	if sweepsWindow(res) {
		p.paragraph("of the requests that arrived between warm-up and cool-down")
	}
}

// pointSheet has the points of some curves.
func pointSheet(p page, res *results.Results, curves []results.Series) *sheet {
	cols := columns(res)
	t := newSheet(slices.Concat(placeHeads(res, &curves[0]), metricHeads(cols), []head{{}})...) // the last is of the marks
	for i := range curves {
		s := &curves[i]
		for k := range s.Points {
			point := &s.Points[k]
			row := append(placeCells(res, s, point), metricCells(cols, windowed(res, point))...)
			t.AppendRow(append(row, saturationMark(p, point)))
		}
	}
	return t
}

// windowed are the metrics of a point: where the measuring window is what is swept, those of the
// requests that arrived in it, since the whole run is the same at all points.
func windowed(res *results.Results, p *results.Point) map[string]metrics.Estimate {
	if !sweepsWindow(res) {
		return p.Metrics
	}
	all := maps.Clone(p.Metrics)
	maps.Copy(all, p.Steady)
	return all
}

// sweepsWindow tells whether the points of a curve differ in the part of the run that counts.
func sweepsWindow(res *results.Results) bool {
	return len(res.Sweep) > 0 && strings.HasPrefix(res.Sweep[0].Path, "measure.")
}

// placeHeads name a point: by the swept variables that differ between those of a curve, or
// by the strategy where nothing is swept.
func placeHeads(res *results.Results, s *results.Series) []head {
	if len(res.Sweep) == 0 {
		return []head{{title: "strategy", name: isName}}
	}
	var heads []head
	for _, axis := range shownAxes(res, s) {
		heads = append(heads, axisHead(&axis))
	}
	return heads
}

// axisHead is that of a column of a variable's values.
func axisHead(a *results.Axis) head {
	h := head{title: plain(a.Unit).title(a.Label), name: isNumber}
	if slices.ContainsFunc(a.Values, func(v results.Value) bool { _, ok := v.Number(); return !ok }) {
		h.name = isName
	}
	return h
}

// placeCells are the values at a point of a curve, which knows the first one.
func placeCells(res *results.Results, s *results.Series, point *results.Point) table.Row {
	if len(res.Sweep) == 0 {
		return table.Row{s.Label}
	}
	axes := shownAxes(res, s)
	if len(axes) == 1 {
		return table.Row{point.Value.String()}
	}
	row := table.Row{}
	at := res.SettingOf(s, point)
	for _, axis := range axes {
		row = append(row, at[axis.Path].String())
	}
	return row
}

func metricHeads(cols []column) []head {
	var heads []head
	for _, c := range cols {
		heads = append(heads, c.head())
	}
	return heads
}

// metricCells are the columns' metrics, a dash for one without a value.
func metricCells(cols []column, values map[string]metrics.Estimate) table.Row {
	row := table.Row{}
	for _, c := range cols {
		cell := "–"
		if estimate, ok := values[c.metric]; ok {
			cell = c.cell(estimate)
		}
		row = append(row, cell)
	}
	return row
}

// shownAxes are the swept variables that differ between the points of a curve:
// the first one, and those that are zipped with it and do not name the curve. Those of a
// product are in its name or no concern of its strategy.
func shownAxes(res *results.Results, s *results.Series) []results.Axis {
	return slices.DeleteFunc(slices.Clone(res.Sweep), func(a results.Axis) bool {
		_, named := s.Fixed[a.Path]
		return named || !res.Concerns(a, s.Strategy) && a.Path != res.Sweep[0].Path
	})
}

// saturationMark warns of a point whose latencies depend on the length of the run, since
// its queue grows, and of one whose runs are too short to tell. Requests that all
// come at once offer no load that could be too much.
func saturationMark(p page, point *results.Point) string {
	_, offered := point.Metrics[metrics.OfferedRate]
	switch {
	case point.Saturated == results.Yes:
		return p.red("saturated")
	case point.Saturated == results.Unknown && offered:
		return "saturated?"
	default:
		return ""
	}
}
