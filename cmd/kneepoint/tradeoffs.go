package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
)

// renderTradeoffs writes by which factor every strategy changes the metrics of the
// first one: a row a strategy, for each metric a column a load. What a strategy gains
// at one load and loses at another is then in one row.
func renderTradeoffs(p page, res *results.Results) {
	if len(res.Tradeoffs) == 0 {
		return
	}
	heads := []head{{title: "strategy", name: isName}}
	for _, metric := range results.TradeoffMetrics {
		for _, load := range []string{"low", "knee", "high"} { // those of results.Loads
			heads = append(heads, head{title: metricTitle(metric) + "\n" + load})
		}
	}
	t := newSheet(heads...)
	// Over a load each strategy has one curve, and the first one is the baseline.
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
	p.heading(fmt.Sprintf("factors over %s at %s", res.Tradeoffs[0].Baseline, strings.Join(places, ", ")))
	t.print(p)
}
