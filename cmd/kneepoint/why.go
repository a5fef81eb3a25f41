package main

import (
	"fmt"
	"io"
	"math"
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

// renderWhy writes two tables: the shares of the tail of TTFT, which objectives are
// about, and of the mean E2EL, which throughput depends on. They have all points, or
// the knee and the end of each curve, where strategies differ most.
func renderWhy(w io.Writer, res *results.Results, all bool) {
	var rows []whyRow
	for i := range res.Series {
		rows = append(rows, whyRows(&res.Series[i], all)...)
	}
	tail := ttftStatistic(rows)
	renderSplit(w, res, rows, "TTFT "+tail, func(why *metrics.Why) (metrics.Parts, bool) { p, ok := why.TTFT[tail]; return p, ok })
	renderSplit(w, res, rows, "mean E2EL", func(why *metrics.Why) (metrics.Parts, bool) { p, ok := why.E2EL["mean"]; return p, ok })
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

// whyRows are the points of a curve that are shown.
func whyRows(s *results.Series, all bool) []whyRow {
	var rows []whyRow
	knee := kneePoint(s)
	for i, p := range s.Points {
		if all || i == knee || i == len(s.Points)-1 {
			load := ""
			if !p.Value.IsZero() {
				load = fmt.Sprint(p.Value)
			}
			rows = append(rows, whyRow{s.Label, load, p.Why})
		}
	}
	return rows
}

// kneePoint is the index of the point with the highest load up to the knee: the last
// one that was simulated and meets the objective. It is -1 when there is none.
func kneePoint(s *results.Series) int {
	at, highest := -1, math.Inf(-1)
	if s.Knee == nil || s.Knee.Kind == results.KneeBelow {
		return at
	}
	for i, p := range s.Points {
		if load, ok := p.Value.Number(); ok && load <= s.Knee.Value && load > highest {
			at, highest = i, load
		}
	}
	return at
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
func renderSplit(w io.Writer, res *results.Results, rows []whyRow, title string, of split) {
	shown := shownParts(rows, of)
	header := table.Row{"where the time goes"}
	if len(res.Sweep) > 0 {
		header = append(header, axisTitle(res.Sweep[0]))
	}
	header = append(header, title)
	for i, key := range metrics.PartKeys {
		if shown[i] {
			header = append(header, partTitle.Replace(key))
		}
	}
	t := newTable()
	t.AppendHeader(append(header, "bottleneck"))
	for _, r := range rows {
		t.AppendRow(r.cells(len(res.Sweep) > 0, of, shown))
	}
	fmt.Fprintln(w)
	render(w, t, len(header)+1)
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
func (r *whyRow) cells(swept bool, of split, shown [len(metrics.PartKeys)]bool) table.Row {
	parts, known := of(r.why)
	row := table.Row{r.label}
	if swept {
		row = append(row, r.load)
	}
	row = append(row, latency(parts.Sum(), known))
	for i, part := range parts {
		if shown[i] {
			row = append(row, share(part, parts.Sum()))
		}
	}
	return append(row, string(r.why.Bottleneck))
}

// latency writes a time, or that there is none, where nothing completed.
func latency(t units.Seconds, known bool) string {
	if !known {
		return "–"
	}
	return duration(t.Milliseconds())
}

// share writes a part of a time in percent, nothing for none: most cells are empty, and
// the others are seen at once.
func share(part, whole units.Seconds) string {
	if part == 0 {
		return ""
	}
	return units.Percent(float64(part / whole))
}
