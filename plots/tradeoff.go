package plots

import (
	"slices"

	"kneepoint/sim/metrics"
)

// tradeoffFigure draws a metric against another one, such as what the service delivers
// against what a request waits for, along the first swept variable.
func tradeoffFigure(r *request) (Figure, bool) {
	res := r.res
	s, ok := newSweep(res)
	if !ok || !hasValues(res, r.X) || !hasValues(res, r.Metric) {
		return Figure{}, false
	}
	across, up := measureOf(res, r.X), measureOf(res, r.Metric)
	curves := curvesAgainst(res, s, r.X, r.Metric)
	for i := range curves {
		if k := curves[i].knee; k != nil && s.variable.Unit != "" {
			k.label += " " + s.variable.Unit
		}
	}
	x, y := across.axis(xs(curves), false), up.axis(ys(curves), false)
	body := &curvePlot{curves: curves, x: x, y: y, xTitle: across.axisTitle(), yTitle: up.axisTitle()}
	marks := append(curveNotes(res, curves, s), "numbers along the curves: "+lowerTitle(s))
	better := ""
	if r.X == metrics.MedianTPOT && r.Metric == metrics.OutputThroughput {
		better = "up and left is better"
	}
	return Figure{
		Title:    up.title + " against " + across.what,
		Subtitle: subtitle(res, better),
		Notes:    notes(res, "", slices.Concat(marks, hiddenCurves(curves, s), offLog(curves, isLog(x), isLog(y)))...),
		Data:     againstTable(curves, s, r.X, r.Metric),
		body:     body,
	}, true
}

func lowerTitle(s sweep) string {
	if s.variable.Unit != "" {
		return s.name() + " (" + s.variable.Unit + ")"
	}
	return s.name()
}
