package plots

import (
	"slices"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// throughputAgainstTPOT draws what a request waits for against what the service
// delivers, along the first swept variable.
func throughputAgainstTPOT(res *results.Results, s sweep) Figure {
	curves := curvesAgainst(res, s, metrics.MedianTPOT, metrics.OutputThroughput)
	for i := range curves {
		if k := curves[i].knee; k != nil && s.variable.Unit != "" {
			k.label += " " + s.variable.Unit
		}
	}
	x := func(a *plot.Axis) { chart.FromZero(a, xs(curves), latency) }
	if spread(xs(curves)) >= wideRange {
		x = func(a *plot.Axis) { chart.Log(a, xs(curves), latency) }
	}
	body := &curvePlot{curves: curves, x: x, y: func(a *plot.Axis) { chart.FromZero(a, ys(curves), exact) },
		xTitle: "Median time per output token", yTitle: "Output throughput (tok/s)"}
	marks := append(curveNotes(res, curves, s), "numbers along the curves: "+lowerTitle(s))
	return Figure{
		Name:     "throughput-vs-tpot",
		Title:    "Output throughput against time per output token",
		Subtitle: subtitle(res, "up and left is better"),
		Notes:    notes(res, "", slices.Concat(marks, hiddenCurves(curves, s), offLog(curves, isLog(x), false))...),
		Data:     againstTable(curves, s, metrics.MedianTPOT, metrics.OutputThroughput),
		body:     body,
	}
}

func lowerTitle(s sweep) string {
	if s.variable.Unit != "" {
		return s.name() + " (" + s.variable.Unit + ")"
	}
	return s.name()
}
