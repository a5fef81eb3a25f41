package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// renderSearchedBreakEvens prints the break-evens that were searched, a row a crossing; none of a search that ended before the first.
func renderSearchedBreakEvens(p page, res *results.Results) {
	p.paragraph(res.Title)
	if len(res.BreakEvens) > 0 {
		fmt.Fprintln(p)
		breakEvenTable(p, res)
	}
	renderExpectations(p, res.Expectations)
	p.paragraph(estimatedText(res))
	p.paragraph(notesText(res))
}

// breakEvenTable prints what was searched and found.
func breakEvenTable(p page, res *results.Results) {
	first := &res.BreakEvens[0]
	p.paragraph(p.bold(fmt.Sprintf("break-even: at which %s, %s, the %s is %s", first.Key, searchedText(first),
		comparedMetric(res, first), comparedWith(res, first))))
	word := sideWord(res, first)
	t := newSheet(append([]head{{title: "strategy", name: isName}, {title: plain(first.Unit).title("break-even")}},
		values(word+"\nbelow", word+"\nabove", "runs")...)...)
	t.Style().Options.SeparateHeader = false
	for i := range res.BreakEvens {
		b := &res.BreakEvens[i]
		name := b.Strategy + fixedText(b.Fixed, res)
		for _, c := range b.Crossings {
			t.AppendRow(table.Row{name, fmt.Sprintf("%s (%s–%s)", loadText(c.Value), loadText(c.Low), loadText(c.High)),
				sideText(res, b, c.Below), sideText(res, b, c.Above), b.Runs})
		}
		if len(b.Crossings) == 0 {
			side := "–"
			if everywhere(b) {
				side = sideText(res, b, b.Less)
			}
			t.AppendRow(table.Row{name, "none", side, side, b.Runs})
		}
	}
	t.print(p)
	for i := range res.BreakEvens {
		if b := &res.BreakEvens[i]; len(b.Crossings) == 0 && !everywhere(b) {
			p.paragraph(crossingText(b, res))
		}
	}
}

// searchedText is the range that was searched.
func searchedText(b *results.BreakEven) string {
	return strings.TrimSpace("from " + loadText(b.Min) + " to " + loadText(b.Max) + " " + b.Unit)
}

// everywhere tells whether it is known which has less of the metric, and it is the same one in all of the range.
func everywhere(b *results.BreakEven) bool { return b.Less != "" && b.From == b.Min && b.To == b.Max }

// comparedMetric is what is compared, of which requests.
func comparedMetric(res *results.Results, b *results.BreakEven) string {
	if b.Client == "" {
		return res.Metrics[b.Metric].Label
	}
	return res.Metrics[b.Metric].Label + " of " + b.Client
}

// comparedWith is what it is compared with.
func comparedWith(res *results.Results, b *results.BreakEven) string {
	if b.Over != "" {
		return "that of " + b.Over
	}
	return strings.TrimSpace(loadText(b.Bound) + " " + res.Metrics[b.Metric].Unit)
}

// sideWord is what sideText tells.
func sideWord(res *results.Results, b *results.BreakEven) string {
	switch {
	case b.Over == "":
		return "bound"
	case res.Metrics[b.Metric].Higher == metrics.Neither:
		return "less"
	}
	return "better"
}

// sideText is which of two strategies is better where one of them has less of the metric, or whether a bound is kept.
func sideText(res *results.Results, b *results.BreakEven, less string) string {
	higher, own := res.Metrics[b.Metric].Higher, less == b.Strategy
	switch {
	case b.Over != "" && own == (higher != metrics.Better):
		return b.Strategy
	case b.Over != "":
		return b.Over
	case higher == metrics.Neither && own:
		return "less"
	case higher == metrics.Neither:
		return "more"
	case own == (higher == metrics.Worse):
		return "kept"
	}
	return "missed"
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

// crossingText says at which values a strategy is as good as another one, or as a bound, and how sure that is, or that there are none.
func crossingText(b *results.BreakEven, res *results.Results) string {
	word := sideWord(res, b)
	side := func(less string) string { return word + ": " + sideText(res, b, less) }
	start := fmt.Sprintf("%s%s: the %s is %s", b.Strategy, fixedText(b.Fixed, res), comparedMetric(res, b), comparedWith(res, b))
	with := func(x float64) string { return strings.TrimSpace(loadText(x) + " " + b.Unit) }
	var found []string
	for _, c := range b.Crossings {
		found = append(found, fmt.Sprintf("%s (%s to %s, 95%% confidence; below it %s, above it %s)", with(c.Value), loadText(c.Low),
			loadText(c.High), side(c.Below), side(c.Above)))
	}
	ends := fmt.Sprintf("from %s = %s to %s", b.Key, loadText(b.Min), with(b.Max))
	switch {
	case len(found) > 0:
		return fmt.Sprintf("%s where %s is %s", start, b.Key, strings.Join(found, " and "))
	case b.Less == "":
		return fmt.Sprintf("%s nowhere for sure %s: not distinguishable", start, ends)
	case everywhere(b):
		return fmt.Sprintf("%s nowhere %s; %s", start, ends, side(b.Less))
	}
	return fmt.Sprintf("%s nowhere for sure %s; %s from %s to %s, and not distinguishable elsewhere", start, ends, side(b.Less),
		loadText(b.From), with(b.To))
}
