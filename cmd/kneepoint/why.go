package main

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// whyRow is a point of a curve in the tables that say where the time goes.
type whyRow struct {
	label string
	load  string // the first swept variable's value; "" without a sweep
	why   *metrics.Why
}

// renderWhy writes two tables, of all points: the shares of the tail of TTFT, which
// objectives are about, and of the mean E2EL, which throughput depends on.
func renderWhy(p page, res *results.Results) {
	var rows []whyRow
	for i := range res.Series {
		rows = append(rows, whyRows(&res.Series[i])...)
	}
	tail := ttftStatistic(rows)
	renderSplit(p, res, rows, tail+" TTFT", func(why *metrics.Why) (metrics.Parts, bool) { p, ok := why.TTFT[tail]; return p, ok })
	renderSplit(p, res, rows, "mean E2EL", func(why *metrics.Why) (metrics.Parts, bool) { p, ok := why.E2EL["mean"]; return p, ok })
}

// ttftStatistic is the one that the parts of TTFT are shown of: p99, or the mean of
// streamed runs, which keep no requests to take a tail's parts from.
func ttftStatistic(rows []whyRow) string {
	for _, r := range rows {
		if _, ok := r.why.TTFT["p99"]; !ok && len(r.why.TTFT) > 0 {
			return "mean"
		}
	}
	return "p99"
}

// whyRows are the points of a curve.
func whyRows(s *results.Series) []whyRow {
	var rows []whyRow
	for _, p := range s.Points {
		rows = append(rows, whyRow{s.Label, p.Value.String(), p.Why})
	}
	return rows
}

// partTitle makes a title of a part's key.
var partTitle = strings.NewReplacer("_", " ", "kv", "KV")

// split finds the parts of one statistic; false where nothing completed.
type split func(*metrics.Why) (metrics.Parts, bool)

// smallPart is the share of a latency under which a part has no column: it would be
// written as 0 %.
const smallPart = 0.005

// renderSplit writes the table of one statistic. All curves have the same columns, so
// that they can be compared.
func renderSplit(p page, res *results.Results, rows []whyRow, title string, of split) {
	heads := []head{{title: "strategy", name: isName}}
	if len(res.Sweep) > 0 {
		heads = append(heads, axisHead(&res.Sweep[0]))
	}
	shown, scale := shownParts(rows, of), latencies(rows, of)
	heads = append(heads, head{title: scale.title(title)})
	for i, key := range metrics.PartKeys {
		if shown[i] {
			heads = append(heads, head{title: partTitle.Replace(key)})
		}
	}
	t := newSheet(append(heads, head{title: "bottleneck"})...)
	for _, r := range rows {
		t.AppendRow(r.cells(len(res.Sweep) > 0, of, shown, scale))
	}
	p.heading("where the time goes: " + title)
	t.print(p)
}

// latencies is the scale of a statistic at all points.
func latencies(rows []whyRow, of split) scale {
	most := 0.0
	for _, r := range rows {
		parts, _ := of(r.why)
		most = max(most, parts.Sum().Milliseconds())
	}
	return times(most)
}

// shownParts tells which parts are more than a small share at any point.
func shownParts(rows []whyRow, of split) [len(metrics.PartKeys)]bool {
	var shown [len(metrics.PartKeys)]bool
	for _, r := range rows {
		parts, _ := of(r.why)
		for i, t := range parts {
			shown[i] = shown[i] || t >= smallPart*parts.Sum() && t > 0
		}
	}
	return shown
}

// cells are a row: the latency in full, its parts as shares, since it is the shares
// that move between strategies; and in a word what they amount to.
func (r *whyRow) cells(swept bool, of split, shown [len(metrics.PartKeys)]bool, scale scale) table.Row {
	parts, known := of(r.why)
	row := table.Row{r.label}
	if swept {
		row = append(row, r.load)
	}
	latency := "–" // nothing completed
	if known {
		latency = scale.write(parts.Sum().Milliseconds())
	}
	row = append(row, latency)
	for i, part := range parts {
		if shown[i] {
			row = append(row, share(part, parts.Sum()))
		}
	}
	return append(row, string(r.why.Bottleneck))
}

// share writes a part of a time in percent, nothing for none: most cells are empty, and
// the others are seen at once.
func share(part, whole units.Seconds) string {
	if part == 0 {
		return ""
	}
	return units.Percent(float64(part / whole))
}
