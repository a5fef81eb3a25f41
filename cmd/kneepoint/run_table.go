package main

import (
	"fmt"
	"io"
	"strings"

	"kneepoint/experiments/results"
)

// renderResults writes the tables of an experiment: one per curve, the knees, where
// the time goes (at every point if why is set), the paired differences, the verdicts,
// and the warnings. What was found comes before what it means. That requests were rejected
// comes before the knees, which count them as missed; other warnings are last, next to
// the prompt, where nobody misses them.
func renderResults(w io.Writer, res *results.Results, why, colour bool) {
	fmt.Fprintf(w, "%s\n", res.Title)
	for i := range res.Series {
		fmt.Fprintf(w, "\n%s\n", bold(res.Series[i].Label, colour))
		renderSeries(w, res, &res.Series[i], colour)
		renderClients(w, res, &res.Series[i])
	}
	renderRejections(w, res)
	renderKnees(w, res)
	renderOffered(w, res)
	renderWhy(w, res, why)
	renderDifferences(w, res)
	renderTradeoffs(w, res)
	renderClaims(w, res)
	renderExpectations(w, res, colour)
	renderLimits(w, res)
	for _, warning := range res.Warnings {
		if warning.Kind == results.EnergyEstimated || warning.Rejects() {
			continue // the tables show no energy; the others were said before the knees
		}
		fmt.Fprintf(w, "note: %s\n", warning)
	}
}

// renderRejections says that requests were refused, and which key would help.
func renderRejections(w io.Writer, res *results.Results) {
	before := "\n" // one empty line
	for _, warning := range res.Warnings {
		if warning.Rejects() {
			fmt.Fprintf(w, "%snote: %s\n", before, warning)
			before = ""
		}
	}
}

// renderLimits says which sizes of a batch come from the engine, not from the file,
// each with the strategies that have it.
func renderLimits(w io.Writer, res *results.Results) {
	var texts []string
	strategies := map[string][]string{}
	for _, l := range res.Facts.Limits {
		text := l.Text()
		if strategies[text] == nil {
			texts = append(texts, text)
		}
		strategies[text] = append(strategies[text], l.Strategy)
	}
	if len(texts) > 0 {
		fmt.Fprintln(w)
	}
	for _, text := range texts {
		fmt.Fprintf(w, "limits of %s: %s\n", strings.Join(strategies[text], ", "), text)
	}
}
