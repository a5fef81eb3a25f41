package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"kneepoint/hardware/estimate"
	"kneepoint/units"

	"github.com/jedib0t/go-pretty/v6/table"
)

// breakdownRow is an operator in the phases that have it.
type breakdownRow struct {
	name   string
	phases [2]estimate.Share // prefill, decode
}

// breakdown pairs the operators of prefill and decode, longest first; what takes
// less than a two-hundredth of both is one row.
func breakdown(e *estimate.Report) []breakdownRow {
	var rows []breakdownRow
	index := map[string]int{}
	add := func(name string, phase int, s estimate.Share) {
		i, seen := index[name]
		if !seen {
			i = len(rows)
			index[name], rows = i, append(rows, breakdownRow{name: name})
		}
		rows[i].phases[phase] = s
	}
	for phase, p := range []*estimate.Phase{&e.Prefill, e.Decode} {
		if p != nil {
			for _, s := range p.Operators {
				name, _, _ := strings.Cut(s.Name, " (")
				add(name, phase, s)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b breakdownRow) int { return cmp.Compare(b.largest(), a.largest()) })
	return gatherSmall(rows)
}

func (r *breakdownRow) largest() float64 { return max(r.phases[0].Share, r.phases[1].Share) }

func gatherSmall(rows []breakdownRow) []breakdownRow {
	small := slices.IndexFunc(rows, func(r breakdownRow) bool { return r.largest() < 0.005 })
	if small < 0 || small == len(rows)-1 {
		return rows
	}
	others := breakdownRow{name: "others"}
	for _, r := range rows[small:] {
		for i, s := range r.phases {
			sum := &others.phases[i]
			sum.TimeMS, sum.Share = sum.TimeMS+s.TimeMS, sum.Share+s.Share
			sum.FLOPs, sum.Bytes = sum.FLOPs+s.FLOPs, sum.Bytes+s.Bytes
		}
	}
	return append(rows[:small], others)
}

// renderBreakdown puts the operators of prefill and decode side by side.
func renderBreakdown(w io.Writer, e *estimate.Report) {
	t := newTable()
	header := table.Row{"where the time goes", "prefill", "", "bound", "FLOPs", "bytes"}
	if e.Decode != nil {
		header = append(header, "decode", "", "bound", "FLOPs", "bytes")
	}
	t.AppendHeader(header)
	for _, r := range breakdown(e) {
		row := append(table.Row{r.name}, shareCells(r.phases[0])...)
		if e.Decode != nil {
			row = append(row, shareCells(r.phases[1])...)
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(w)
	renderNamed(w, t, len(header))
}

func shareCells(s estimate.Share) table.Row {
	if s.TimeMS == 0 {
		return table.Row{"", "", "", "", ""}
	}
	moved := s.Bytes
	if s.LinkBytes > 0 {
		moved = s.LinkBytes
	}
	return table.Row{span(s.TimeMS), units.Percent(s.Share), s.Bound, orNone(s.FLOPs, flops), orNone(moved, size)}
}

func orNone(x float64, format func(float64) string) string {
	if x == 0 {
		return ""
	}
	return format(x)
}

// flops writes arithmetic in the unit that suits it: "12.3 TFLOP".
func flops(n float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e15, "PFLOP"}, {1e12, "TFLOP"}, {1e9, "GFLOP"}} {
		if n >= 0.9995*unit.size {
			return units.Significant(n/unit.size) + " " + unit.name
		}
	}
	return units.Significant(n/1e6) + " MFLOP"
}
