package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// renderResults writes the tables of an experiment: one per curve, the knees,
// where the time goes (at every point if why is set), the paired differences, and the warnings.
func renderResults(w io.Writer, res *results.Results, why, colour bool) {
	fmt.Fprintf(w, "%s\n", res.Title)
	for i := range res.Series {
		fmt.Fprintf(w, "\n%s\n", bold(res.Series[i].Label, colour))
		renderSeries(w, res, &res.Series[i], colour)
		renderClients(w, res, &res.Series[i])
	}
	renderKnees(w, res)
	renderWhy(w, res, why)
	renderDifferences(w, res)
	renderTradeoffs(w, res)
	renderClaims(w, res)
	renderExpectations(w, res, colour)
	for _, warning := range res.Warnings {
		if warning.Kind == results.EnergyEstimated {
			continue // the tables show no energy
		}
		fmt.Fprintf(w, "note: %s\n", warning)
	}
}

// column is one column of the table of a curve.
type column struct {
	title  string
	metric string
	format func(metrics.Estimate) string
}

// columns are those of every curve. Tails have their interval, since a difference
// within it says nothing; medians hardly vary and keep the table narrow. Goodput is
// shown where anybody has an objective.
func columns(res *results.Results) []column {
	all := []column{
		{"TTFT p50", metrics.MedianTTFT, mean(duration)},
		{"TTFT p99", metrics.P99TTFT, interval(duration)},
		{"TPOT p50", metrics.MedianTPOT, mean(duration)},
		{"TPOT p99", metrics.P99TPOT, interval(duration)},
		{"output tok/s", metrics.OutputThroughput, interval(units.Significant)},
	}
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

// renderSeries writes the table of one curve, a row a point.
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
	t.AppendHeader(append(header, ""))
	for i, p := range s.Points {
		row := append(sweptValues(axes, s, i), shown(cols, p.Metrics)...)
		t.AppendRow(append(row, mark(p.Saturated, colour)))
	}
	render(w, t, len(header)+1)
}

// sweptValues are the values of the axes at the i-th point of a curve.
func sweptValues(axes []results.Axis, s *results.Series, i int) table.Row {
	row := table.Row{}
	for k, axis := range axes {
		value := s.Points[i].Value
		if k > 0 {
			value = axis.Values[i]
		}
		row = append(row, fmt.Sprint(value))
	}
	return row
}

// shown are the columns' metrics, a dash for one without a value.
func shown(cols []column, values map[string]metrics.Estimate) table.Row {
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
// the first one, and those that are zipped with it. Of an interrupted run, whose
// points may have gaps, only the first one is known.
func shownAxes(res *results.Results, s *results.Series) []results.Axis {
	if len(res.Sweep) == 0 {
		return nil
	}
	if res.Zipped && len(s.Points) == len(res.Sweep[0].Values) {
		return res.Sweep
	}
	return res.Sweep[:1]
}

// mark warns of a point whose latencies depend on the length of the run.
func mark(saturated, colour bool) string {
	switch {
	case saturated && colour:
		return text.FgRed.Sprint("saturated")
	case saturated:
		return "saturated"
	default:
		return ""
	}
}

// axisTitle is a variable with its unit, as the header of a column.
func axisTitle(a results.Axis) string {
	if a.Unit == "" {
		return a.Label
	}
	return a.Label + " " + a.Unit
}

// newTable is a table in the style of all: no frame, a line under the header, and
// titles as they are written.
func newTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Format.Header = text.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	return t
}

// render writes a table with its numbers flush right.
func render(w io.Writer, t table.Writer, columns int) {
	configs := make([]table.ColumnConfig, columns)
	for i := range configs {
		configs[i] = table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight}
	}
	t.SetColumnConfigs(configs)
	for _, line := range strings.Split(t.Render(), "\n") {
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

func bold(s string, colour bool) string {
	if colour {
		return text.Bold.Sprint(s)
	}
	return s
}
