package main

import (
	"fmt"
	"math"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// costMetrics are those of the table of cost and energy, as far as any point has them.
var costMetrics = []string{metrics.Accelerators, metrics.PricePerHour, metrics.CostPerMillionTokens, metrics.CostPerMillionGoodTokens,
	metrics.EnergyPerToken, metrics.MeanPower, metrics.SitePower, metrics.CarbonPerMillionTokens}

// renderCosts writes what serving takes at every point, in money and in energy, and below which
// prices that rests on.
func renderCosts(p page, res *results.Results) {
	if !hasMetric(res, metrics.MeanPower) && !hasMetric(res, metrics.PricePerHour) {
		return
	}
	p.heading("cost and energy")
	costSheet(res).print(p)
	if res.Prices != nil {
		fmt.Fprintln(p)
		p.paragraph(res.Prices.Text())
	}
}

func costSheet(res *results.Results) *sheet {
	heads := []head{{title: "strategy", name: isName}}
	if len(res.Sweep) > 0 {
		heads = append(heads, axisHead(&res.Sweep[0]))
	}
	var points []results.Point
	var cells []table.Row
	for i := range res.Series {
		s := &res.Series[i]
		for k := range s.Points {
			row := table.Row{s.Label}
			if len(res.Sweep) > 0 {
				row = append(row, s.Points[k].Value.String())
			}
			points, cells = append(points, s.Points[k]), append(cells, row)
		}
	}
	for _, key := range costMetrics {
		values, seen := make([]float64, len(points)), false
		for i := range points {
			values[i] = meanOf(points[i].Metrics, key)
			seen = seen || math.Abs(values[i]) > 0
		}
		if !seen {
			continue
		}
		scale := scaleOf(key, values)
		heads = append(heads, head{title: scale.title(columnTitle(key)), spare: len(heads)})
		for i := range points {
			cells[i] = append(cells[i], known(values[i], scale.write))
		}
	}
	t := newSheet(heads...)
	t.AppendRows(cells)
	return t
}
