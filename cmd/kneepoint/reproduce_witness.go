package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// witnessSheet is a row for every published curve that was simulated with the step times of a witness as
// well; without rows where none was.
func witnessSheet(all []reproduction) *sheet {
	s := newSheet(head{title: "experiment", name: isName}, head{title: "figure or table", name: isName}, head{title: "curve", name: isName},
		head{title: "numbers", spare: 1}, head{title: "in band", spare: 2}, head{title: "witness\nin band", spare: 2}, head{title: "simulated over\npublished"},
		head{title: "witness over\npublished"})
	for i := range all {
		for _, w := range all[i].Witnesses {
			s.AppendRow(table.Row{all[i].Experiment, w.Figure, w.Curve, w.Numbers, w.Simulated.InBand, w.Witness.InBand,
				nearnessText(w.Simulated), nearnessText(w.Witness)})
		}
	}
	return s
}

// nearnessText is the median of values over published; - where there are none.
func nearnessText(n results.Nearness) string {
	if n.Ratio == nil {
		return "-"
	}
	return units.Short(*n.Ratio)
}

// haveWitnesses tells whether any curve has one.
func haveWitnesses(all []reproduction) bool {
	return slices.ContainsFunc(all, func(r reproduction) bool { return len(r.Witnesses) > 0 })
}

// printWitnesses prints the table of witnesses, if there are any.
func printWitnesses(p page, all []reproduction) {
	if !haveWitnesses(all) {
		return
	}
	p.heading("witnesses")
	witnessSheet(all).print(p)
}

// witnessSection is the same in Markdown.
func witnessSection(b *strings.Builder, all []reproduction) {
	if !haveWitnesses(all) {
		return
	}
	b.WriteString("## Witnesses\n\nThe same with step times from elsewhere, and nothing else changed. What both are off by is not the steps'.\n\n")
	b.WriteString(witnessSheet(all).RenderMarkdown())
	b.WriteString("\n\n")
}

// witnessNotes say which strategy bears witness for which.
func witnessNotes(p *results.Paper) []string {
	var notes []string
	for _, strategy := range slices.Sorted(maps.Keys(p.Witness)) {
		notes = append(notes, fmt.Sprintf("Witness of %s: %s", strategy, p.Witness[strategy]))
	}
	return notes
}
