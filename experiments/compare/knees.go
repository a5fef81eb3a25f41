package compare

import (
	"math"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// kneeRows compare the knees of the i-th strategies, of all their curves that agree in what is fixed for both; unless all are asked
// for, those that have an interval: a bracket is as wide as the sweep is coarse.
func kneeRows(a, b *Side, i int, all bool) []Row {
	var rows []Row
	for j := range a.Results.Series {
		for k := range b.Results.Series {
			s, other := &a.Results.Series[j], &b.Results.Series[k]
			if s.Strategy != a.Strategies[i] || other.Strategy != b.Strategies[i] || !results.SameFixed(s, other) ||
				!s.Knee.Bounded() || !other.Knee.Bounded() {
				continue
			}
			if row := kneeRow(a, b, s, other); all || !math.IsNaN(row.Ratio.Low) {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// kneeRow compares two knees. The evidence is that of their logarithms, where both were searched.
func kneeRow(a, b *Side, s, other *results.Series) Row {
	relative, _ := results.CompareKnees(other, s, b.Results.SearchOf(other), a.Results.SearchOf(s))
	value := func(k *results.Knee) metrics.Estimate { return metrics.Estimate{Mean: k.Value, Half: math.NaN()} }
	l := logRatio{a: s.Knee.Value, b: other.Knee.Value, half: relative.Half / (1 + relative.Mean), df: float64(relative.N - 1)}
	if relative.N < fewest { // of independent searches, whose intervals are wider than those of a normal law already
		l.df = many
	}
	row := newRow(Knee, value(s.Knee), value(other.Knee), l)
	axis := a.Results.Sweep[0]
	row.Label, row.Unit, row.Higher = "knee", axis.Unit, metrics.Better
	if s.Knee.Rising {
		row.Higher = metrics.Worse
	}
	row.Strategy, row.Point = s.Strategy, s.Fixed
	return row
}

// many is a number of degrees of freedom with which Student's law is the normal one.
const many = 1e6
