package main

import (
	"cmp"
	"fmt"
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
	metric   string
	absolute bool
}

func comparisons(pace results.Pace) []comparison {
	return []comparison{{metrics.P99TTFT, false}, {pace.Tail, false}, {metrics.OutputThroughput, false}, {metrics.Goodput, true}}
}

// renderDifferences writes how strategies differ from the first one, at every point.
func renderDifferences(p page, res *results.Results) {
	if len(res.Differences) == 0 { // of one strategy alone
		return
	}
	p.heading(fmt.Sprintf("compared with %s on the same requests%s", res.Differences[0].Baseline, pairing(res)))
	differenceSheet(res).print(p)
}

func differenceSheet(res *results.Results) *sheet {
	heads := []head{{title: "strategy", name: isName}}
	for _, axis := range res.Sweep {
		heads = append(heads, axisHead(&axis))
	}
	var cells []func(*results.Difference) string
	for _, c := range comparisons(res.SLO.Pace()) {
		if hasMetric(res, c.metric) { // without objectives there is no goodput
			title, cell := c.column(res)
			heads, cells = append(heads, head{title: title}), append(cells, cell)
		}
	}
	t := newSheet(heads...)
	for i := range res.Differences {
		d := &res.Differences[i]
		row := table.Row{d.Strategy}
		// The values are those of all axes: a row is compared with the first strategy at
		// the very same point.
		for _, axis := range res.Sweep {
			row = append(row, d.Point[axis.Path].String())
		}
		for _, cell := range cells {
			row = append(row, cell(d))
		}
		t.AppendRow(row)
	}
	return t
}

// column is the title of a comparison, and what it says of a difference. All cells are
// percents, or, where any value at least doubles or halves, factors: there percents are no
// longer read as what they mean, −99.8 % and −99.9 % differing by a factor of 2.
func (c comparison) column(res *results.Results) (title string, cell func(*results.Difference) string) {
	title = metricTitle(c.metric)
	if c.absolute {
		definition, _ := metrics.Lookup(c.metric)
		of := func(d *results.Difference) metrics.Estimate { return d.Absolute[c.metric] }
		return plain(definition.Unit).title(title), estimateOf(of, absolute)
	}
	of := func(d *results.Difference) metrics.Estimate { return d.Relative[c.metric] }
	if slices.ContainsFunc(res.Differences, func(d results.Difference) bool { return isFactor(of(&d).Mean) }) {
		return title, estimateOf(of, factorOf)
	}
	return plain("%").title(title), estimateOf(of, percentOf)
}

// estimateOf writes an estimate of a difference, a dash where there is none.
func estimateOf(of func(*results.Difference) metrics.Estimate, write func(metrics.Estimate) string) func(*results.Difference) string {
	return func(d *results.Difference) string {
		if e := of(d); e.N > 0 {
			return write(e)
		}
		return "–"
	}
}

// isFactor tells whether a relative difference is better read as a factor.
func isFactor(x float64) bool { return x >= 1 || x <= -0.5 }

// percentOf writes a relative difference: "−42 ±3".
func percentOf(e metrics.Estimate) string { return signed(e.Mean*100) + plusMinus(e.Half*100) }

// factorOf writes a relative difference as a factor: "×2.9 ±0.2", "÷540".
func factorOf(e metrics.Estimate) string {
	ratio := 1 + e.Mean
	if ratio <= 0 { // less than nothing is left only by rounding
		return "0"
	}
	return factor(&ratio) + plusMinus(halfOfFactor(ratio, e.Half))
}

// absolute writes a difference in the metric's own unit: "+3.42 ±0.2".
func absolute(e metrics.Estimate) string { return signed(e.Mean) + plusMinus(e.Half) }

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

// metricTitle is a metric as people say it: "p99 TTFT".
func metricTitle(key string) string {
	definition, _ := metrics.Lookup(key)
	return definition.Label()
}

// columnTitles are shorter ones, for above a unit.
var columnTitles = map[string]string{
	metrics.OutputThroughput: "output", metrics.OfferedRate: "offered", metrics.Attainment: "SLO met",
	metrics.SessionGoodput: "sessions", metrics.SessionAttainment: "met",
	metrics.RoutedRequests: "requests", metrics.PromptThroughput: "prompts", metrics.GenerationThroughput: "generated",
	metrics.BusyFraction: "busy", metrics.IdleShare: "idle", metrics.MeanKVUtilization: "KV in use", metrics.MeanWaiting: "waiting",
	metrics.PrefixHitRate: "prefix hits", metrics.LoadImbalance: "imbalance", metrics.MeanPower: "power", metrics.PricePerHour: "price",
	metrics.CostPerMillionTokens: "output", metrics.CostPerMillionGoodTokens: "output at\ngoodput", metrics.EnergyPerToken: "output",
	metrics.SitePower: "site", metrics.CarbonPerMillionTokens: "CO2",
}

// columnTitle is a metric above its column.
func columnTitle(key string) string { return cmp.Or(columnTitles[key], metricTitle(key)) }

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
