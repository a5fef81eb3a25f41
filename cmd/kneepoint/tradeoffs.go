package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
)

// renderTradeoffs writes by which factor every strategy changes the metrics of the
// first one: a row a strategy, for each metric a column a load. What a strategy gains
// at one load and loses at another is then in one row.
func renderTradeoffs(w io.Writer, res *results.Results) {
	if len(res.Tradeoffs) == 0 {
		return
	}
	t := newTable()
	columns := addTradeoffHeader(t)
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
	fmt.Fprintf(w, "\nfactors over %s at %s\n", res.Tradeoffs[0].Baseline, strings.Join(places, ", "))
	render(w, t, columns)
}

// addTradeoffHeader adds two lines of titles, metrics above loads, and returns the
// number of columns. The loads are those of results.Loads, in that order.
func addTradeoffHeader(t table.Writer) int {
	titles, loads := table.Row{""}, table.Row{"strategy"}
	for _, metric := range results.TradeoffMetrics {
		titles = append(titles, metricTitle(metric), "", "")
		loads = append(loads, "low", "knee", "high")
	}
	t.AppendHeader(titles)
	t.AppendHeader(loads)
	return len(loads)
}
