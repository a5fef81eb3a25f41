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
	rows := breakdown(e)
	phases := 1
	if e.Decode != nil {
		phases = 2
	}
	var titles []string
	var scales []shareScale
	for i, name := range []string{"prefill", "decode"}[:phases] {
		s := scaleOfShares(rows, i)
		scales = append(scales, s)
		titles = append(titles, s.time.title(name), "", "bound", s.flops.unit, s.bytes.unit)
	}
	t := named("where the time goes", titles...)
	for _, r := range rows {
		row := table.Row{r.name}
		for i, s := range scales {
			row = append(row, s.cells(r.phases[i])...)
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(w)
	t.print(page{Writer: w})
}

// shareScale is the units of the columns of a phase.
type shareScale struct{ time, flops, bytes scale }

// scaleOfShares are the units that suit the largest time, work and traffic in a phase.
func scaleOfShares(rows []breakdownRow, phase int) shareScale {
	var time, work, traffic float64
	for _, r := range rows {
		s := r.phases[phase]
		time, work, traffic = max(time, s.TimeMS), max(work, s.FLOPs/1e6), max(traffic, s.Bytes/1024, s.LinkBytes/1024)
	}
	return shareScale{
		times(time),
		scaledBy(work, 1000, "MFLOP", "GFLOP", "TFLOP", "PFLOP"),
		scaledBy(traffic, 1024, "KiB", "MiB", "GiB", "TiB"),
	}
}

// scaledBy is the scale of the largest unit, each of which is step times the one before, that
// most, in the first of them, has one of. It writes numbers in the first one.
func scaledBy(most, step float64, names ...string) scale {
	size := 1.0
	for len(names) > 1 && most >= step {
		most, size, names = most/step, size*step, names[1:]
	}
	return scale{names[0], func(x float64) string { return units.Significant(x / size) }}
}

// cells are those of an operator in one phase: time, share, bound, work and
// traffic. An operator that the phase does not have leaves them empty, and one that
// communicates shows the bytes on its link.
func (c shareScale) cells(s estimate.Share) table.Row {
	if s.TimeMS == 0 {
		return table.Row{"", "", "", "", ""}
	}
	moved := s.Bytes
	if s.LinkBytes > 0 {
		moved = s.LinkBytes
	}
	return table.Row{
		c.time.write(s.TimeMS), units.Percent(s.Share), s.Bound, orNone(s.FLOPs/1e6, c.flops.write), orNone(moved/1024, c.bytes.write),
	}
}

// orNone leaves a cell empty for 0: communication computes nothing, and a column of
// zeros hides the numbers.
func orNone(x float64, format func(float64) string) string {
	if x == 0 {
		return ""
	}
	return format(x)
}
