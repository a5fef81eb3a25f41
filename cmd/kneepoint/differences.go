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

// comparison is one column of the table of differences.
type comparison struct {
	metric string
	format func(*results.Difference, string) string
}

var comparisons = []comparison{
	{metrics.P99TTFT, relative}, {metrics.P99TPOT, relative}, {metrics.OutputThroughput, relative}, {metrics.Goodput, absolute},
}

// renderDifferences writes how strategies differ from the first one, at every point.
// Ratios are easiest to compare for latencies and throughput; goodput may be zero on
// one side, so its difference is absolute.
func renderDifferences(w io.Writer, res *results.Results) {
	if len(res.Differences) == 0 {
		return
	}
	fmt.Fprintf(w, "\ncompared with %s on the same requests%s\n", res.Differences[0].Baseline, pairing(res))
	t := newTable()
	header := table.Row{"strategy"}
	for _, axis := range res.Sweep {
		header = append(header, axisTitle(axis))
	}
	for _, c := range comparisons {
		if hasMetric(res, c.metric) {
			header = append(header, metricTitle(c.metric))
		}
	}
	t.AppendHeader(header)
	for i := range res.Differences {
		d := &res.Differences[i]
		row := table.Row{d.Strategy}
		for _, axis := range res.Sweep {
			row = append(row, fmt.Sprint(d.Point[axis.Path]))
		}
		for _, c := range comparisons {
			if hasMetric(res, c.metric) {
				row = append(row, c.format(d, c.metric))
			}
		}
		t.AppendRow(row)
	}
	render(w, t, len(header))
}

// pairing says how sure the differences are.
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

// relative writes a relative difference: "−42% ±3", or as a factor where the
// value at least doubles or halves: "2.9× ±0.2", "÷540".
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

// negligible is what rounding of times may leave between equal runs, in percent
// or in the metric's own unit.
const negligible = 1e-6

// signed writes a difference with its sign, also a plus: what is compared may be
// more or less. What only rounding can have made is 0.
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

// plusMinus writes half an interval, nothing where too few seeds give none.
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
