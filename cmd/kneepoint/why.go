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
	load  string
	why   *metrics.Why
}

// renderWhy writes two tables: the shares of the tail of TTFT and of the mean
// E2EL, at all points or at the knee and the end of each curve.
func renderWhy(w io.Writer, res *results.Results, all bool) {
	var rows []whyRow
	for i := range res.Series {
		rows = append(rows, whyRows(&res.Series[i], all)...)
	}
	tail := "p99"
	for _, r := range rows {
		if _, ok := r.why.TTFT[tail]; !ok && len(r.why.TTFT) > 0 {
			tail = "mean" // of streamed runs
		}
	}
	renderSplit(w, res, rows, "TTFT "+tail, func(why *metrics.Why) (metrics.Parts, bool) { p, ok := why.TTFT[tail]; return p, ok })
	renderSplit(w, res, rows, "mean E2EL", func(why *metrics.Why) (metrics.Parts, bool) { p, ok := why.E2EL["mean"]; return p, ok })
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

// kneePoint is the point with the highest load up to the knee; -1 when there is
// none.
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

// renderSplit writes the table of one statistic. Parts that are less than half a
// percent everywhere have no column.
func renderSplit(w io.Writer, res *results.Results, rows []whyRow, title string, of func(*metrics.Why) (metrics.Parts, bool)) {
	var shown [len(metrics.PartKeys)]bool
	for _, r := range rows {
		parts, _ := of(r.why)
		for i, t := range parts {
			shown[i] = shown[i] || t >= 0.005*parts.Sum() && t > 0
		}
	}
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
		parts, known := of(r.why)
		row := table.Row{r.label}
		if len(res.Sweep) > 0 {
			row = append(row, r.load)
		}
		row = append(row, latency(parts.Sum(), known))
		for i, part := range parts {
			if shown[i] {
				row = append(row, share(part, parts.Sum()))
			}
		}
		t.AppendRow(append(row, string(r.why.Bottleneck)))
	}
	fmt.Fprintln(w)
	render(w, t, len(header)+1)
}

// latency writes a time, or that there is none.
func latency(t units.Seconds, known bool) string {
	if !known {
		return "–"
	}
	return duration(t.Milliseconds())
}

// share writes a part of a time, nothing for none.
func share(part, whole units.Seconds) string {
	if part == 0 {
		return ""
	}
	return units.Percent(float64(part / whole))
}
