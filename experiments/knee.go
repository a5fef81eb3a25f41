package experiments

import (
	"context"
	"errors"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/search"
)

// Knees searches the knee of every curve of an experiment that CheckKnees made. The points of the results are the loads
// near the knees that were simulated, and their runs those of the search: at its probes, or, where it had none, at the
// ends of its bracket. A search for break-evens has those, and the values at which it looked, instead. When ctx ends,
// the results have what was found until then, and the error is the context's.
func (e *Experiment) Knees(ctx context.Context, o Options) (*results.Results, error) {
	if e.Spec.Search.asksBreakEvens() {
		return e.breakEvens(ctx, o)
	}
	plan := e.Plan()
	curves := searchedCurves(plan)
	var simulated [][]search.Simulated
	var err error
	for i := range curves {
		var one search.Finding
		if one, err = e.kneeOf(ctx, &curves[i], o, Searching{Curve: curves[i].Label, Number: i + 1, Curves: len(curves)}); err != nil {
			break
		}
		plan.Searched, simulated = append(plan.Searched, one.Searched), append(simulated, one.Simulated)
	}
	outcomes, failed := e.fill(plan, curves, simulated)
	return results.Aggregate(plan, results.ByKey(outcomes)), errors.Join(err, failed)
}

// searchedCurves are those that have a knee over the load.
func searchedCurves(plan *results.Plan) []results.Series {
	axis := plan.Sweep[0]
	return slices.DeleteFunc(plan.Curves(), func(s results.Series) bool { return !plan.Concerns(axis, s.Strategy) })
}

// KneeShard searches the knees of the i-th of n parts of the curves, from the first to the n-th, every n-th curve, for
// the store of some options to keep, and returns how many these are. What a search simulates follows from what it saw,
// so that one has no parts.
func (e *Experiment) KneeShard(ctx context.Context, i, n int, o Options) (searched, curves int, err error) {
	if e.Spec.Search.asksBreakEvens() {
		return e.breakEvenShard(ctx, i, n, o)
	}
	all := searchedCurves(e.Plan())
	for c := i - 1; c < len(all); c += n {
		if _, err := e.kneeOf(ctx, &all[c], o, Searching{Curve: all[c].Label, Number: c + 1, Curves: len(all)}); err != nil {
			return searched, len(all), err
		}
		searched++
	}
	return searched, len(all), nil
}

// kneeOf searches the knee of a curve over the load.
func (e *Experiment) kneeOf(ctx context.Context, s *results.Series, o Options, progress Searching) (search.Finding, error) {
	l := e.File.searched
	start, _ := e.Axes[0].Values[0].Number()
	first, err := e.curveAt(s, start)
	if err != nil {
		return search.Finding{}, err
	}
	q := search.Question{Target: first.slo.Attainment, Met: start, Missed: start, Easiest: l.easiest, Hardest: l.hardest,
		Rising: l.load.rising, Whole: l.load.whole}
	return e.searchCurve(ctx, s, q, l.tolerance, o, progress)
}
