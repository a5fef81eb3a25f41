package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderTradeoffs writes by which factor every strategy changes the metrics of
// the first one: a row a strategy, for each metric a column a load.
func renderTradeoffs(w io.Writer, res *results.Results) {
	if len(res.Tradeoffs) == 0 {
		return
	}
	t := newTable()
	titles, header := table.Row{""}, table.Row{"strategy"}
	for _, metric := range results.TradeoffMetrics {
		titles = append(titles, metricTitle(metric), "", "")
		header = append(header, "low", "knee", "high")
	}
	t.AppendHeader(titles)
	t.AppendHeader(header)
	for i := range res.Series[1:] {
		strategy := res.Series[1+i].Strategy
		row := table.Row{strategy}
		for _, metric := range results.TradeoffMetrics {
			for _, load := range res.Tradeoffs {
				row = append(row, factor(load.Factors[strategy][metric]))
			}
		}
		t.AppendRow(row)
	}
	var places []string
	for _, load := range res.Tradeoffs {
		places = append(places, load.Place)
	}
	fmt.Fprintf(w, "\nfactors over %s at %s\n", res.Tradeoffs[0].Baseline, strings.Join(places, ", "))
	render(w, t, len(header))
}

// renderClaims says of each [[claim]] table where it holds.
func renderClaims(w io.Writer, res *results.Results) {
	before := "\nclaims\n"
	for i := range res.Claims {
		c := &res.Claims[i]
		from := ""
		if c.Source != "" {
			from = " (" + c.Source + ")"
		}
		fmt.Fprintf(w, "%s%s of %s over %s: %s%s\n  %s\n", before, metricTitle(c.Metric), c.Strategy, c.Over, claimed(c), from, verdicts(c))
		before = ""
	}
}

// claimed is the range of factors that a claim allows.
func claimed(c *results.Claim) string {
	if c.Low == c.High {
		return factor(&c.Low)
	}
	return factor(&c.Low) + " to " + factor(&c.High)
}

// verdicts lists where a claim holds, and what comes out where it does not.
func verdicts(c *results.Claim) string {
	const holds, more, fails, unknown = "holds ", "is exceeded ", "does not hold ", "has no value "
	places := map[string][]string{}
	for _, v := range c.Verdicts {
		place := cmp.Or(strings.TrimSuffix("at "+v.Place, "at "), "here")
		switch {
		case v.Factor == nil:
			places[unknown] = append(places[unknown], place)
		case v.Holds:
			places[holds] = append(places[holds], place+" "+factor(v.Factor))
		case exceeded(c, *v.Factor):
			places[more] = append(places[more], place+" "+factor(v.Factor))
		default:
			places[fails] = append(places[fails], place+" "+factor(v.Factor))
		}
	}
	var parts []string
	for _, verdict := range []string{holds, more, fails, unknown} {
		if places[verdict] != nil {
			parts = append(parts, verdict+strings.Join(places[verdict], ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// exceeded tells whether a factor is further from 1 than a claim has it, on the same
// side.
func exceeded(c *results.Claim, x float64) bool {
	return c.High < 1 && x < c.Low || c.Low > 1 && x > c.High
}

// factor writes "×1.80", or "÷2.30" for what became less.
func factor(x *float64) string {
	const same = 0.995 // up to here the inverse is 1.01 or more
	switch {
	case x == nil:
		return "–"
	case *x == 0:
		return "0"
	case *x < same:
		return "÷" + units.Significant(1 / *x)
	default:
		return "×" + units.Significant(*x)
	}
}
