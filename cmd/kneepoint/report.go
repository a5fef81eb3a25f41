package main

import (
	"fmt"
	"strings"

	"kneepoint/experiments/results"
)

// tablesFile has all tables of an experiment, as wide as they are.
const tablesFile = "tables.txt"

// mostOnScreen is up to how many lines a run prints the tables of all points in.
const mostOnScreen = 45

// renderRun writes what a run prints: the tables of all points where they are short, or else a
// row a strategy, and the summary. With verbose it writes all tables before that; with why
// it adds where the time goes.
func renderRun(p page, res *results.Results, verbose, why bool) {
	var end strings.Builder
	if p.drawn || verbose {
		renderChart(p.on(&end), res)
	}
	renderSummary(p.on(&end), res, verbose)
	if verbose {
		renderReport(p, res)
	} else {
		p.paragraph(res.Title)
		fmt.Fprint(p, pointsOrOverview(p, res, mostOnScreen-strings.Count(end.String(), "\n")))
		if len(res.Sweep) == 0 {
			renderPools(p, res)
			renderCosts(p, res)
		}
		if why {
			renderWhy(p, res)
		}
	}
	fmt.Fprint(p, end.String())
}

// pointsOrOverview is the tables of all points where they have up to so many lines, or where
// nothing is swept, and else a row a strategy.
func pointsOrOverview(p page, res *results.Results, lines int) string {
	var text strings.Builder
	points := 0
	for i := range res.Series {
		points += len(res.Series[i].Points)
	}
	if points <= lines || len(res.Sweep) == 0 {
		renderPoints(p.on(&text), res)
	}
	if n := strings.Count(text.String(), "\n"); 0 < n && n <= lines || len(res.Sweep) == 0 {
		return text.String()
	}
	text.Reset()
	renderOverview(p.on(&text), res)
	return text.String()
}

// renderReport writes all tables of an experiment: the points of every curve, the knees, where
// the time goes, the pools, the paired differences, the verdicts, and the warnings. What was found comes
// before what it means. That requests were rejected comes before the knees, which count them
// as missed.
func renderReport(p page, res *results.Results) {
	p.paragraph(res.Title)
	renderPoints(p, res)
	renderWarnings(p, res, true)
	renderKnees(p, res)
	renderBreakEvens(p, res)
	renderOffered(p, res)
	renderWhy(p, res)
	renderPools(p, res)
	renderCosts(p, res)
	renderDifferences(p, res)
	renderTradeoffs(p, res)
	renderClaims(p, res)
	renderReproduced(p, res)
	renderExpectations(p, res.Expectations)
	renderLimits(p, res)
	renderWarnings(p, res, false)
}

// renderWarnings writes either the warnings about requests that were refused, and which key
// would help, or the others.
func renderWarnings(p page, res *results.Results, refusals bool) {
	before := "\n" // one empty line
	for _, warning := range res.Warnings {
		if warning.Rejects() == refusals && warning.Kind != results.EnergyEstimated { // the tables show no energy
			fmt.Fprint(p, before)
			p.paragraph("note: " + warning.String())
			before = ""
		}
	}
}

// renderLimits says which sizes of a batch come from the engine, not from the file,
// each with the strategies that have it.
func renderLimits(p page, res *results.Results) {
	var texts []string
	strategies := map[string][]string{}
	for _, l := range res.Facts.Limits {
		text := l.Text()
		if strategies[text] == nil {
			texts = append(texts, text)
		}
		strategies[text] = append(strategies[text], l.Whose())
	}
	if len(texts) > 0 {
		fmt.Fprintln(p)
	}
	for _, text := range texts {
		p.paragraph(fmt.Sprintf("limits of %s: %s", strings.Join(strategies[text], ", "), text))
	}
}
