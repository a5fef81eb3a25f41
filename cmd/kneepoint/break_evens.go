package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// renderSearchedBreakEvens prints the break-evens that were searched, a row a crossing.
func renderSearchedBreakEvens(p page, res *results.Results) {
	first := &res.BreakEvens[0]
	p.paragraph(res.Title)
	fmt.Fprintln(p)
	p.paragraph(p.bold(fmt.Sprintf("break-even: at which %s the %s is that of %s", first.Key, res.Metrics[first.Metric].Label, first.Over)))
	word := senseWord(res, first.Metric)
	t := newSheet(append([]head{{title: "strategy", name: isName}, {title: plain(first.Unit).title("break-even")}},
		values(word+"\nbelow", word+"\nabove", "runs")...)...)
	t.Style().Options.SeparateHeader = false
	for i := range res.BreakEvens {
		b := &res.BreakEvens[i]
		name := b.Strategy + fixedText(b.Fixed, res)
		for _, c := range b.Crossings {
			t.AppendRow(table.Row{name, fmt.Sprintf("%s (%s–%s)", loadText(c.Value), loadText(c.Low), loadText(c.High)),
				leading(res, b, c.Below), leading(res, b, c.Above), b.Runs})
		}
		if len(b.Crossings) == 0 {
			t.AppendRow(table.Row{name, "none", "–", "–", b.Runs})
		}
	}
	t.print(p)
	for i := range res.BreakEvens {
		if b := &res.BreakEvens[i]; len(b.Crossings) == 0 {
			p.paragraph(crossingText(b, res))
		}
	}
	p.paragraph(estimatedText(res))
	p.paragraph(notesText(res))
}

// senseWord is what a strategy is that has less of a metric, or where more of it is better, more.
func senseWord(res *results.Results, metric string) string {
	if res.Metrics[metric].Higher == metrics.Neither {
		return "less"
	}
	return "better"
}

// leading is the strategy that senseWord is about, of a pair, one of which has less of the metric.
func leading(res *results.Results, b *results.BreakEven, less string) string {
	switch {
	case res.Metrics[b.Metric].Higher != metrics.Better:
		return less
	case less == b.Strategy:
		return b.Over
	}
	return b.Strategy
}

// renderBreakEvens says of every break-even where it is.
func renderBreakEvens(p page, res *results.Results) {
	if len(res.BreakEvens) > 0 {
		p.heading("break-evens")
	}
	for i := range res.BreakEvens {
		p.paragraph(crossingText(&res.BreakEvens[i], res))
	}
}

// crossingText says at which values two strategies are as good as each other, and how sure that is, or that there is none.
func crossingText(b *results.BreakEven, res *results.Results) string {
	word := senseWord(res, b.Metric)
	start := fmt.Sprintf("%s%s and %s, %s", b.Strategy, fixedText(b.Fixed, res), b.Over, res.Metrics[b.Metric].Label)
	with := func(x float64) string { return strings.TrimSpace(loadText(x) + " " + b.Unit) }
	var found []string
	for _, c := range b.Crossings {
		found = append(found, fmt.Sprintf("%s (%s to %s, 95%% confidence), below it %s is %s, above it %s", with(c.Value), loadText(c.Low),
			loadText(c.High), leading(res, b, c.Below), word, leading(res, b, c.Above)))
	}
	switch {
	case len(found) > 0:
		return fmt.Sprintf("%s: as good as each other where %s is %s", start, b.Key, strings.Join(found, "; and "))
	case b.Less == "":
		return fmt.Sprintf("%s: not distinguishable from %s = %s to %s", start, b.Key, loadText(b.Min), with(b.Max))
	}
	text := fmt.Sprintf("%s: no break-even from %s = %s to %s: %s is %s",
		start, b.Key, loadText(b.Min), with(b.Max), leading(res, b, b.Less), word)
	if b.From == b.Min && b.To == b.Max {
		return text + " throughout"
	}
	return fmt.Sprintf("%s from %s to %s, and not distinguishable elsewhere", text, loadText(b.From), with(b.To))
}
