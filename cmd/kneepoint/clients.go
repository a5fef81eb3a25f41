package main

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
)

// renderClients writes the table of a curve by classes of clients, where there are
// any. All points have the same classes in the same order, by which they are found.
func renderClients(w io.Writer, res *results.Results, s *results.Series) {
	if len(s.Points) == 0 || len(s.Points[0].Clients) == 0 {
		return
	}
	t := newTable()
	header := table.Row{"client"}
	axes, cols := shownAxes(res, s), columns(res)
	for _, axis := range axes {
		header = append(header, axisTitle(axis))
	}
	for _, c := range cols {
		header = append(header, c.title)
	}
	t.AppendHeader(header)
	// Class by class, since a class is looked at over the loads.
	for class, client := range s.Points[0].Clients {
		for _, p := range s.Points {
			row := append(table.Row{client.Name}, sweptValues(axes, res, s, &p)...)
			t.AppendRow(append(row, metricCells(cols, p.Clients[class].Metrics)...))
		}
	}
	fmt.Fprintln(w)
	render(w, t, len(header))
}
