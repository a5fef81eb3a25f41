package main

import (
	"fmt"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
)

// renderClients writes the table of some curves by classes of clients, where there are
// any. All points have the same classes in the same order, by which they are found.
func renderClients(p page, res *results.Results, curves []results.Series) {
	if len(curves) == 0 || len(curves[0].Points) == 0 || len(curves[0].Points[0].Clients) == 0 {
		return
	}
	cols := columns(res)
	t := newSheet(slices.Concat([]head{{title: "client", name: isName}}, placeHeads(res, &curves[0]), metricHeads(cols))...)
	// Class by class, since a class is looked at over the loads.
	for class, client := range curves[0].Points[0].Clients {
		for i := range curves {
			s := &curves[i]
			for k := range s.Points {
				point := &s.Points[k]
				row := append(table.Row{client.Name}, placeCells(res, s, point)...)
				t.AppendRow(append(row, metricCells(cols, point.Clients[class].Metrics)...))
			}
		}
	}
	fmt.Fprintln(p)
	t.print(p)
}
