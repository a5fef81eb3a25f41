package plots

import (
	"math"
	"slices"

	"kneepoint/experiments/results"
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
	plot := &curvePlot{curves: curves, last: math.NaN(), y: fromZero(ys(curves), exact), x: fromZero(xs(curves), latency)}
	if spread(xs(curves)) >= wideRange {
		plot.x = logarithmic(xs(curves), latency)
	}
	plot.x.title = "Median time per output token"
	notes := append(curveNotes(res, curves, s), "numbers along the curves: "+lowerTitle(s))
	return Figure{
		Name:     "throughput-vs-tpot",
		Title:    "Output throughput against time per output token",
		Subtitle: subtitle(res, "output tokens per second; up and left is better"),
		Notes:    slices.Concat(provenance(res, ""), notes, hiddenCurves(curves, s), offLog(curves, plot.x.log, plot.y.log)),
		body:     plot,
	}
}

func lowerTitle(s sweep) string {
	if s.variable.Unit != "" {
		return s.name() + " (" + s.variable.Unit + ")"
	}
	return s.name()
}
