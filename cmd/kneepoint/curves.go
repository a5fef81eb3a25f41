package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// column is one column of the table of a curve.
type column struct {
	title  string
	metric string
	format func(metrics.Estimate) string
}

// columns are those of every curve. Tails have their interval, since a difference
// within it says nothing; medians hardly vary and keep the table narrow. Goodput is
// shown where anybody has an objective, and what was offered where that is not what was
// asked for.
func columns(res *results.Results) []column {
	var all []column
	if res.OfferedApart() {
		all = append(all, column{"offered req/s", metrics.OfferedRate, interval(units.Significant)})
	}
	all = append(all, []column{
		{"TTFT p50", metrics.MedianTTFT, mean(duration)},
		{"TTFT p99", metrics.P99TTFT, interval(duration)},
		{"TPOT p50", metrics.MedianTPOT, mean(duration)},
		{"TPOT p99", metrics.P99TPOT, interval(duration)},
		{"output tok/s", metrics.OutputThroughput, interval(units.Significant)},
	}...)
	if hasMetric(res, metrics.Goodput) {
		all = append(all,
			column{"goodput req/s", metrics.Goodput, interval(units.Significant)},
			column{"SLO met", metrics.Attainment, mean(units.Percent)})
	}
	return all
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

// renderSeries writes the table of one curve, a row a point: first the load, then what
// a user feels (TTFT, TPOT), then what the operator gets (throughput, goodput).
func renderSeries(w io.Writer, res *results.Results, s *results.Series, colour bool) {
	t := newTable()
	header := table.Row{}
	axes := shownAxes(res, s)
	for _, axis := range axes {
		header = append(header, axisTitle(axis))
	}
	cols := columns(res)
	for _, c := range cols {
		header = append(header, c.title)
	}
	t.AppendHeader(append(header, "")) // of the marks, which are rare and speak for themselves
	for _, p := range s.Points {
		row := append(sweptValues(axes, res, s, &p), metricCells(cols, p.Metrics)...)
		t.AppendRow(append(row, saturationMark(&p, colour)))
	}
	render(w, t, len(header)+1)
}

// sweptValues are the values of the axes at a point of a curve, which knows the first
// one.
func sweptValues(axes []results.Axis, res *results.Results, s *results.Series, p *results.Point) table.Row {
	if len(axes) == 0 {
		return table.Row{}
	}
	row := table.Row{p.Value.String()}
	if len(axes) == 1 {
		return row
	}
	at := res.SettingOf(s, p)
	for _, axis := range axes[1:] {
		row = append(row, fmt.Sprint(at[axis.Path]))
	}
	return row
}

// metricCells are the columns' metrics, a dash for one without a value.
func metricCells(cols []column, values map[string]metrics.Estimate) table.Row {
	row := table.Row{}
	for _, c := range cols {
		cell := "–"
		if estimate, ok := values[c.metric]; ok {
			cell = c.format(estimate)
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
func saturationMark(p *results.Point, colour bool) string {
	_, offered := p.Metrics[metrics.OfferedRate]
	switch {
	case p.Saturated == results.Yes && colour:
		return text.FgRed.Sprint("saturated")
	case p.Saturated == results.Yes:
		return "saturated"
	case p.Saturated == results.Unknown && offered:
		return "saturated?"
	default:
		return ""
	}
}

// axisTitle is a variable with its unit, as the header of a column: said once there,
// the unit need not be in every cell.
func axisTitle(a results.Axis) string {
	if a.Unit == "" {
		return a.Label
	}
	return a.Label + " " + a.Unit
}
