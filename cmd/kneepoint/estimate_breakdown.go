package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/hardware/estimate"
	"kneepoint/units"
)

// breakdownRow is an operator in the phases that have it.
type breakdownRow struct {
	name   string
	phases [2]estimate.Share // prefill, decode
}

// smallShare is the share of a phase's time under which an operator is gathered with
// others: what rounds to 0 % in both phases explains nothing.
const smallShare = 0.005

// breakdown pairs the operators of prefill and decode, longest first, and gathers
// those that are small in both.
func breakdown(e *estimate.Report) []breakdownRow {
	rows := pairOperators(e)
	slices.SortStableFunc(rows, func(a, b breakdownRow) int { return cmp.Compare(b.largest(), a.largest()) })
	return gatherSmall(rows)
}

// pairOperators makes a row of each operator, in the order in which they run. What
// follows " (" in a name is the phase: "attention (prefill)" and "attention (decode)"
// are one row.
func pairOperators(e *estimate.Report) []breakdownRow {
	var rows []breakdownRow
	index := map[string]int{} // of the row of a name
	for phase, p := range []*estimate.Phase{&e.Prefill, e.Decode} {
		if p == nil { // one token of output is not decoded
			continue
		}
		for _, s := range p.Operators {
			name, _, _ := strings.Cut(s.Name, " (")
			if _, seen := index[name]; !seen {
				index[name] = len(rows)
				rows = append(rows, breakdownRow{name: name})
			}
			rows[index[name]].phases[phase] = s
		}
	}
	return rows
}

// largest is the share in the phase to which an operator matters more.
func (r *breakdownRow) largest() float64 { return max(r.phases[0].Share, r.phases[1].Share) }

// gatherSmall makes one row of the small ones, which are last; of a single one it
// would only lose the name.
func gatherSmall(rows []breakdownRow) []breakdownRow {
	small := slices.IndexFunc(rows, func(r breakdownRow) bool { return r.largest() < smallShare })
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

// renderBreakdown puts the operators of prefill and decode side by side: the same
// operator is usually bound by compute in one and by memory in the other.
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

// shareCells are the cells of an operator in one phase: time, share, bound, work and
// traffic. An operator that the phase does not have leaves them empty, and one that
// communicates shows the bytes on its link.
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

// orNone leaves a cell empty for 0: communication computes nothing, and a column of
// zeros hides the numbers.
func orNone(x float64, format func(float64) string) string {
	if x == 0 {
		return ""
	}
	return format(x)
}

// flops writes n floating point operations in the unit that suits them: "12.3 TFLOP".
// From 0.9995 of a unit on, three digits are those of 1.00.
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
