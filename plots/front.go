package plots

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/plotter"

	"kneepoint/sim/metrics"
)

// preference is which values of a metric are better: more of it, less of it, or neither.
type preference int

const (
	indifferent preference = 0
	more        preference = 1
	less        preference = -1
)

// preferred tells what is better of a metric. Of what describes a load or how a service
// works, such as its batch, neither is.
func preferred(key string) preference {
	d, _ := metrics.Lookup(key)
	return map[metrics.Sense]preference{metrics.Better: more, metrics.Worse: less}[d.Higher()]
}

// better says where in a figure of one metric against another the better points are; ""
// where that cannot be said.
func better(x, y preference) string {
	if x == indifferent || y == indifferent {
		return ""
	}
	return map[preference]string{more: "up", less: "down"}[y] + " and " + map[preference]string{more: "right", less: "left"}[x] + " is better"
}

// front is the Pareto front of points: those of which no other is better in one metric and
// at least as good in the other.
type front struct {
	plotter.XYs // by x
	step        plotter.StepKind
}

// markFront finds the front of all dots of some curves, and marks those that are on it. A
// value of 0, such as the TPOT of answers that come whole, is no merit.
func markFront(curves []curve, x, y preference) front {
	var all []*dot
	for i := range curves {
		for k := range curves[i].dots {
			if d := &curves[i].dots[k]; finite(d.x) && finite(d.y) && d.x > 0 && d.y > 0 {
				all = append(all, d)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *dot) int { // from the best x on, of equal ones from the best y on
		return cmp.Or(cmp.Compare(float64(x)*b.x, float64(x)*a.x), cmp.Compare(float64(y)*b.y, float64(y)*a.y))
	})
	f := front{step: plotter.PreStep}
	if x == less {
		f.step = plotter.PostStep
	}
	for i, d := range all {
		if n := len(f.XYs); i == 0 || float64(y)*d.y > float64(y)*f.XYs[n-1].Y {
			d.front, f.XYs = true, append(f.XYs, plotter.XY{X: d.x, Y: d.y})
		}
	}
	if x == more {
		slices.Reverse(f.XYs)
	}
	return f
}

// steps are the corners of the line along the front.
func (f *front) steps() plotter.XYs {
	var all plotter.XYs
	for i, xy := range f.XYs {
		switch {
		case i == 0:
		case f.step == plotter.PostStep:
			all = append(all, plotter.XY{X: xy.X, Y: f.XYs[i-1].Y})
		default:
			all = append(all, plotter.XY{X: f.XYs[i-1].X, Y: xy.Y})
		}
		all = append(all, xy)
	}
	return all
}
