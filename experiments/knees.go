package experiments

import (
	"context"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
)

// searchKnees searches the knee of every curve over a load whose swept points lie on both
// sides of it, between the last of them that meets the objective and the next. What it
// has found when ctx ends is returned with the error.
func (e *Experiment) searchKnees(ctx context.Context, swept *results.Results, o Options) ([]results.Searched, error) {
	if len(e.Axes) == 0 || e.zipped() && len(e.Axes) > 1 { // between zipped points there is nothing to simulate
		return nil, nil
	}
	var curves []*results.Series
	for i := range swept.Series {
		if s := &swept.Series[i]; s.Knee != nil && s.Knee.Kind != results.KneePower {
			curves = append(curves, s)
		}
	}
	var found []results.Searched
	for i, s := range curves {
		one, err := e.searchKnee(ctx, s, o, Searching{Curve: s.Label, Number: i + 1, Curves: len(curves)})
		if err != nil {
			return found, err
		}
		for _, at := range one.Simulated {
			one.Near = append(one.Near, swept.NearPoint(s, results.ValueOf(e.loadValue(at.Load)), at.Outcomes()))
		}
		found = append(found, one.Searched)
	}
	return found, nil
}

// searchKnee searches the knee of a swept curve, around where its points have it.
func (e *Experiment) searchKnee(ctx context.Context, s *results.Series, o Options, progress Searching) (search.Finding, error) {
	q := search.Question{Target: s.Knee.Target, Met: s.Knee.Value, Missed: s.Knee.Value, Whole: e.Axes[0].IsWhole()}
	if s.Knee.Kind == results.KneeInterpolated {
		q.Met, q.Missed = *s.Knee.Low, *s.Knee.High
	}
	q.Easiest, q.Hardest = s.Ends()
	tolerance := search.Tolerance
	if spec := e.Spec.Search; spec != nil {
		tolerance = given(spec.Tolerance, tolerance)
		q.Easiest, q.Hardest = max(q.Easiest, given(spec.Min, q.Easiest)), min(q.Hardest, given(spec.Max, q.Hardest))
	}
	return e.searchCurve(ctx, s, q, tolerance, o, progress)
}

// searchCurve searches the knee of one curve from where a question has it; progress is what there is to say of it.
func (e *Experiment) searchCurve(
	ctx context.Context,
	s *results.Series,
	q search.Question,
	tolerance float64,
	o Options,
	progress Searching,
) (search.Finding, error) {
	at := func(load float64) (scenario.Scenario, error) { return e.scenarioAt(s, load, o) }
	first, err := at(q.Met)
	if err != nil {
		return search.Finding{}, err
	}
	q.Basis = search.BasisOf(&first)
	q.Length = search.FirstRequests
	if q.Basis == results.Horizon {
		q.Length = e.builder.Requests(&first)
	}
	limits := search.Limits{Tolerance: tolerance, Requests: search.MostRequests}
	if spec := e.Spec.Search; spec != nil && spec.MaxRequests != nil {
		limits.Requests = *spec.MaxRequests
	}
	options := search.Options{Workers: o.Workers, Builder: e.builder}
	if o.Searching != nil {
		options.Done = func(runs int) {
			progress.Runs = runs
			o.Searching(progress)
		}
	}
	found, err := e.findPossible(ctx, at, q, limits, options, o.Store)
	found.Strategy, found.Fixed = s.Strategy, s.Fixed
	return found, err
}

// scenarioAt is the scenario of a curve at a load that need not be swept.
func (e *Experiment) scenarioAt(s *results.Series, load float64, o Options) (scenario.Scenario, error) {
	c, err := e.curveAt(s, load)
	c.scenario.Measure.Reference, c.scenario.Fleet.RegretSamples = o.Reference, 0
	return c.scenario, err
}

// loadValue is a load as the file would have it.
func (e *Experiment) loadValue(load float64) any {
	switch {
	case e.File.searched != nil:
		return e.File.searched.load.value(load)
	case e.Axes[0].IsWhole():
		return int64(load)
	}
	return load
}

// curveAt is the cell of a curve at a load that need not be swept.
func (e *Experiment) curveAt(s *results.Series, load float64) (cell, error) {
	p := make(point, len(e.Axes))
	for i, axis := range e.Axes {
		p[i] = axis.Values[0].Any() // any one will do, if it does not tell curves of the strategy apart
		if v, ok := s.Fixed[axis.Path]; ok {
			p[i] = v.Any()
		}
	}
	p[0] = e.loadValue(load)
	index := 0
	for e.Spec.Strategies[index].Name != s.Strategy {
		index++
	}
	_, c, err := e.cellAt(p, index, e.common)
	return c, err
}
