package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kneepoint/experiments"
	"kneepoint/sim/metrics"
)

// renderResults writes the tables of an experiment: one per curve, the knees,
// the paired differences, and the warnings.
func renderResults(w io.Writer, res *experiments.Results, colour bool) {
	fmt.Fprintf(w, "%s\n", res.Title())
	for i := range res.Series {
		fmt.Fprintf(w, "\n%s\n", bold(res.Series[i].Label, colour))
		renderSeries(w, res, &res.Series[i], colour)
	}
	renderKnees(w, res)
	renderDifferences(w, res)
	for _, warning := range res.Warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
}

// column is one column of the table of a curve.
type column struct {
	title  string
	metric string
	format func(metrics.Estimate) string
}

func columns(res *experiments.Results) []column {
	all := []column{
		{"TTFT p50", "median_ttft_ms", mean(duration)},
		{"TTFT p99", "p99_ttft_ms", interval(duration)},
		{"TPOT p50", "median_tpot_ms", mean(duration)},
		{"TPOT p99", "p99_tpot_ms", interval(duration)},
		{"output tok/s", "output_throughput", interval(amount)},
	}
	if hasMetric(res, "request_goodput") {
		all = append(all,
			column{"goodput req/s", "request_goodput", interval(amount)},
			column{"SLO met", "slo_attainment", mean(percent)})
	}
	return all
}

func hasMetric(res *experiments.Results, key string) bool {
	for i := range res.Series {
		for _, p := range res.Series[i].Points {
			if _, ok := p.Metrics[key]; ok {
				return true
			}
		}
	}
	return false
}

func renderSeries(w io.Writer, res *experiments.Results, s *experiments.Series, colour bool) {
	t := newTable()
	header := table.Row{}
	if len(res.Sweep) > 0 {
		header = append(header, axisTitle(res.Sweep[0]))
	}
	cols := columns(res)
	for _, c := range cols {
		header = append(header, c.title)
	}
	t.AppendHeader(append(header, ""))
	for _, p := range s.Points {
		row := table.Row{}
		if len(res.Sweep) > 0 {
			row = append(row, fmt.Sprint(p.Value))
		}
		for _, c := range cols {
			cell := "–"
			if estimate, ok := p.Metrics[c.metric]; ok {
				cell = c.format(estimate)
			}
			row = append(row, cell)
		}
		t.AppendRow(append(row, mark(p.Saturated, colour)))
	}
	render(w, t, len(header)+1)
}

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

func axisTitle(a experiments.Axis) string {
	if a.Unit == "" {
		return a.Label
	}
	return a.Label + " " + a.Unit
}

func renderKnees(w io.Writer, res *experiments.Results) {
	before := "\n"
	for i := range res.Series {
		s := &res.Series[i]
		if s.Knee != nil {
			fmt.Fprintf(w, "%sknee of %s: %s\n", before, s.Label, kneeText(s.Knee, res))
			before = ""
		}
	}
}

func kneeText(k *experiments.Knee, res *experiments.Results) string {
	at := strings.TrimSpace(significant(k.Value) + " " + res.Sweep[0].Unit)
	meets := fmt.Sprintf("%s of requests meet the SLO", percent(res.SLO.Attainment))
	switch k.Kind {
	case experiments.KneeBelow:
		return fmt.Sprintf("below %s: at no swept load %s", at, meets)
	case experiments.KneeBeyond:
		return fmt.Sprintf("%s or more: even there %s", at, meets)
	case experiments.KneePower:
		return fmt.Sprintf("%s, where throughput / latency is largest (no SLO is set)", at)
	default:
		return fmt.Sprintf("≈ %s (interpolated): up to there %s", at, meets)
	}
}

// comparison is one column of the table of differences.
type comparison struct {
	metric string
	format func(*experiments.Difference, string) string
}

var comparisons = []comparison{
	{"p99_ttft_ms", relative}, {"p99_tpot_ms", relative}, {"output_throughput", relative}, {"request_goodput", absolute},
}

func renderDifferences(w io.Writer, res *experiments.Results) {
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
func pairing(res *experiments.Results) string {
	for _, d := range res.Differences {
		if e, ok := d.Absolute["output_throughput"]; ok && !math.IsNaN(e.Half) {
			return fmt.Sprintf(", paired over %d seeds, ± 95 %% confidence", e.N)
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

// relative writes a relative difference: "−42 % ±3", or "2.9× ±0.2" when the
// value doubles at least.
func relative(d *experiments.Difference, key string) string {
	e, ok := d.Relative[key]
	switch {
	case !ok:
		return "–"
	case e.Mean >= 1:
		return significant(e.Mean+1) + "×" + plusMinus(e.Half)
	default:
		return signed(e.Mean*100) + " %" + plusMinus(e.Half*100)
	}
}

// absolute writes a difference in the metric's own unit: "+3.42 req/s ±0.2".
func absolute(d *experiments.Difference, key string) string {
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

func signed(x float64) string {
	s := strings.Replace(significant(x), "-", "−", 1)
	if x > 0 {
		s = "+" + s
	}
	return s
}

func plusMinus(half float64) string {
	if math.IsNaN(half) {
		return ""
	}
	return " ±" + significant(half)
}

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

func mean(format func(float64) string) func(metrics.Estimate) string {
	return func(e metrics.Estimate) string { return format(e.Mean) }
}

// interval appends the half width of the confidence interval, in percent of the
// mean, when both are known.
func interval(format func(float64) string) func(metrics.Estimate) string {
	return func(e metrics.Estimate) string {
		switch share := e.Half / math.Abs(e.Mean); {
		case math.IsNaN(share):
			return format(e.Mean)
		case share > 1:
			return format(e.Mean) + " ±>100%"
		default:
			return format(e.Mean) + " ±" + percent(share)
		}
	}
}

// duration writes milliseconds in the unit that suits them.
func duration(ms float64) string {
	if ms >= 9995 {
		return significant(ms/1e3) + " s"
	}
	return significant(ms) + " ms"
}

func amount(x float64) string { return significant(x) }

func percent(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	p := x * 100
	if p != 0 && math.Abs(p) < 0.95 || p > 99 && p < 100 {
		return strconv.FormatFloat(p, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + "%"
}

// significant writes a number with three significant digits, whole from 100 on.
func significant(x float64) string {
	switch a := math.Abs(x); {
	case a >= 99.95 || a == 0:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case a >= 0.0995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	default:
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
}
