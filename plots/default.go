package plots

import (
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// MostCurves is how many strategies and curves a figure shows. Nobody can tell as many
// apart, and the time to find places for their names grows with the square of their number.
const MostCurves = 200

// Default returns the figures that an experiment gets unasked, in the order in
// which they are read. Over a sweep they are curves over the first swept
// variable; without one, strategies are compared in one figure. A metric
// without any value gets no figure, and what is no number, such as an
// accelerator's name, no curve to follow from one metric to another. Of more than
// MostCurves there are no figures.
func Default(res *results.Results) []Figure {
	if len(res.Series) > MostCurves {
		return nil
	}
	s, curves := newSweep(res)
	if !curves {
		if f, ok := comparison(res); ok {
			return []Figure{f}
		}
		return nil
	}
	var figures []Figure
	for _, m := range measures(res) {
		if m.key == metrics.Attainment && s.categories == nil && hasValues(res, metrics.MedianTPOT) && hasValues(res, metrics.OutputThroughput) {
			figures = append(figures, throughputAgainstTPOT(res, s))
		}
		if hasValues(res, m.key) {
			figures = append(figures, m.overSweep(res, s))
		}
	}
	if f, ok := whereTimeGoes(res, s); ok {
		figures = append(figures, f)
	}
	return figures
}

func hasValues(res *results.Results, key string) bool {
	return slices.ContainsFunc(res.Series, func(s results.Series) bool {
		return slices.ContainsFunc(s.Points, func(p results.Point) bool { return finite(estimate(p, key).Mean) })
	})
}
