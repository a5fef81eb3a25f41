package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// comparison is one column of the table of differences. Ratios are easiest to compare
// for latencies and throughput; goodput may be zero on one side, which has no ratio, so
// its difference is absolute.
type comparison struct {
	metric string
	format func(*results.Difference, string) string
}

var comparisons = []comparison{
	{metrics.P99TTFT, relative}, {metrics.P99TPOT, relative}, {metrics.OutputThroughput, relative}, {metrics.Goodput, absolute},
}

// renderDifferences writes how strategies differ from the first one, at every point.
func renderDifferences(w io.Writer, res *results.Results) {
	if len(res.Differences) == 0 { // of one strategy alone
		return
	}
	fmt.Fprintf(w, "\ncompared with %s on the same requests%s\n", res.Differences[0].Baseline, pairing(res))
	t := newTable()
	cols := shownComparisons(res)
	header := table.Row{"strategy"}
	for _, axis := range res.Sweep {
		header = append(header, axisTitle(axis))
	}
	for _, c := range cols {
		header = append(header, metricTitle(c.metric))
	}
	t.AppendHeader(header)
	for i := range res.Differences {
		t.AppendRow(differenceRow(res, &res.Differences[i], cols))
	}
	render(w, t, len(header))
}

// shownComparisons are those of metrics that have a value anywhere: without objectives
// there is no goodput.
func shownComparisons(res *results.Results) []comparison {
	var shown []comparison
	for _, c := range comparisons {
		if hasMetric(res, c.metric) {
			shown = append(shown, c)
		}
	}
	return shown
}

// differenceRow is a strategy at one point, whose values are those of all axes: a row
// is compared with the first strategy at the very same point.
func differenceRow(res *results.Results, d *results.Difference, cols []comparison) table.Row {
	row := table.Row{d.Strategy}
	for _, axis := range res.Sweep {
		row = append(row, fmt.Sprint(d.Point[axis.Path]))
	}
	for _, c := range cols {
		row = append(row, c.format(d, c.metric))
	}
	return row
}

// pairing says how sure the differences are: any that has an interval says over how
// many seeds. Every run has an output throughput. With one seed there is none.
func pairing(res *results.Results) string {
	for _, d := range res.Differences {
		if e, ok := d.Absolute[metrics.OutputThroughput]; ok && !math.IsNaN(e.Half) {
			return fmt.Sprintf(", paired over %d seeds, ± 95%% confidence", e.N)
		}
	}
	return ""
}

// metricTitle is a key as people say it: "p99_ttft_ms" is "p99 TTFT".
func metricTitle(key string) string {
	words := strings.Split(strings.TrimSuffix(key, "_ms"), "_")
	for i, word := range words {
		if slices.Contains([]string{"ttft", "tpot", "itl", "e2el"}, word) {
			words[i] = strings.ToUpper(word)
		}
	}
	return strings.Join(words, " ")
}

// relative writes a relative difference: "−42% ±3", or as a factor where the value at
// least doubles or halves: "×2.9 ±0.2", "÷540". There percents are no longer read as
// what they mean: −99.8 % and −99.9 % differ by a factor of 2. The interval of 1/x is
// that of x over x², to first order.
func relative(d *results.Difference, key string) string {
	e, ok := d.Relative[key]
	switch {
	case !ok:
		return "–"
	case e.Mean >= 1:
		return "×" + units.Significant(e.Mean+1) + plusMinus(e.Half)
	case e.Mean <= -0.5 && e.Mean > -1:
		return "÷" + units.Significant(1/(1+e.Mean)) + plusMinus(e.Half/((1+e.Mean)*(1+e.Mean)))
	default:
		return signed(e.Mean*100) + "%" + plusMinus(e.Half*100)
	}
}

// absolute writes a difference in the metric's own unit: "+3.42 req/s ±0.2".
func absolute(d *results.Difference, key string) string {
	e, ok := d.Absolute[key]
	if !ok {
		return "–"
	}
	unit := ""
	if definition, ok := metrics.Lookup(key); ok && definition.Unit != "" {
		unit = " " + definition.Unit
	}
	return signed(e.Mean) + unit + plusMinus(e.Half)
}

// negligible is what rounding of times may leave between equal runs, in percent or in
// the metric's own unit: two strategies that do the same must show no difference.
const negligible = 1e-6

// signed writes a difference with its sign, also a plus: what is compared may be more
// or less. What only rounding can have made is 0, and what is real but smaller than
// anybody needs is not.
func signed(x float64) string {
	switch {
	case math.Abs(x) < negligible:
		return "0"
	case math.Abs(x) < 0.001:
		return "≈0"
	}
	s := strings.Replace(units.Significant(x), "-", "−", 1)
	if x > 0 {
		s = "+" + s
	}
	return s
}

// plusMinus writes half an interval, nothing where too few seeds give none: then it is
// NaN, in contrast to the 0 of runs that agree.
func plusMinus(half float64) string {
	switch {
	case math.IsNaN(half):
		return ""
	case half >= negligible && half < 0.001:
		return " ±<0.001"
	case half < negligible:
		return " ±0"
	}
	return " ±" + units.Significant(half)
}
