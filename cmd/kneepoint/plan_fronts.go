package main

import (
	"fmt"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// frontWords name the candidates on each Pareto front that several are on: where there is one,
// it is the best.
func frontWords(a *results.Answer) []string {
	var words []string
	for i := range a.Fronts {
		f := &a.Fronts[i]
		var best []string
		for _, p := range f.Points {
			if p.Dominated == "" {
				best = append(best, fmt.Sprintf("%s (%s, %s)", p.Option, respectText(f.X, p.X), respectText(f.Y, p.Y)))
			}
		}
		if len(best) > 1 {
			words = append(words, fmt.Sprintf("Pareto front of %s and %s: %s.", respectName(f.X), respectName(f.Y), strings.Join(best, "; ")))
		}
	}
	return words
}

// respectName is a respect in a sentence.
func respectName(r results.Respect) string {
	switch r.Metric {
	case results.Interactivity:
		return "tokens a second of a user"
	case metrics.OutputThroughput:
		return "of an accelerator"
	case metrics.PricePerHour:
		return "cost"
	}
	d, _ := metrics.Lookup(r.Metric)
	return d.Label()
}

// respectText is a value with its unit.
func respectText(r results.Respect, v float64) string {
	switch r.Unit {
	case "$/h":
		return "$" + units.Significant(v) + " an hour"
	case "ms":
		return span(v)
	}
	return strings.TrimSpace(units.Significant(v) + " " + r.Unit)
}
