package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"kneepoint/experiments/crossing"
	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// breakEvens searches, for an experiment that CheckKnees made, at which values of the varied key the other strategies have as
// much of the metric as the one that they are compared with. The points of the results are the values that were looked at, with their runs.
func (e *Experiment) breakEvens(ctx context.Context, o Options) (*results.Results, error) {
	plan := e.Plan()
	all := compared(plan, e.Spec.Search.Over)
	m := e.newMeasuring(o)
	var err error
	for i := range all {
		m.progress = Searching{Curve: all[i].s.Label, Number: i + 1, Curves: len(all), BreakEven: true}
		var found results.BreakEven
		if found, err = m.breakEven(ctx, all[i]); err != nil {
			break
		}
		plan.BreakEvens = append(plan.BreakEvens, found)
	}
	curves := plan.Curves()
	var simulated [][]search.Simulated
	for i := range curves {
		if s := m.simulated(curves[i].Label); err == nil || len(s) > 0 {
			simulated = append(simulated, s)
		}
	}
	outcomes, failed := e.fill(plan, curves[:len(simulated)], simulated)
	return results.Aggregate(plan, results.ByKey(outcomes)), errors.Join(err, failed)
}

// breakEvenShard is KneeShard of a search for break-evens: of every n-th comparison all runs are made, for the store to keep.
func (e *Experiment) breakEvenShard(ctx context.Context, i, n int, o Options) (searched, comparisons int, err error) {
	all, m := compared(e.Plan(), e.Spec.Search.Over), e.newMeasuring(o)
	for at := i - 1; at < len(all); at += n {
		m.progress = Searching{Curve: all[at].s.Label, Number: at + 1, Curves: len(all), BreakEven: true}
		if _, err := m.breakEven(ctx, all[at]); err != nil {
			return searched, len(all), err
		}
		searched++
	}
	return searched, len(all), nil
}

// place is a value of the varied key on a curve.
type place struct {
	curve string // its label
	x     float64
}

// measuring simulates strategies at values of the varied key, and keeps what came out.
type measuring struct {
	*Experiment
	Options
	progress Searching
	keys     map[place]string        // of the first replication's scenario
	runs     map[string][]search.Run // by that key: a strategy that the varied key does not concern runs once
}

func (e *Experiment) newMeasuring(o Options) *measuring {
	return &measuring{Experiment: e, Options: o, keys: map[place]string{}, runs: map[string][]search.Run{}}
}

// breakEven is that of a comparison.
func (m *measuring) breakEven(ctx context.Context, c comparison) (results.BreakEven, error) {
	spec, load := m.Spec.Search, m.File.searched
	found := results.BreakEven{Strategy: c.s.Strategy, Over: spec.Over, Bound: given(spec.Bound, 0), Client: spec.Client, Fixed: c.fixed(),
		Metric: spec.Metric, Key: m.Axes[0].Path, Unit: cmp.Or(load.load.unit, m.Axes[0].Unit),
		Min: *spec.Min, Max: *spec.Max, Crossings: []results.Crossing{}}
	before := m.count()
	q := crossing.Question{Low: found.Min, High: found.Max, Whole: load.load.whole, Tolerance: load.tolerance}
	all, err := crossing.Find(q, func(x float64, replications int) ([]float64, error) {
		return m.differences(ctx, c, x, replications)
	})
	found.Replications, found.Runs = all.Replications, m.count()-before
	less := func(sign float64) string { // of a difference of this sign
		if sign < 0 {
			return c.s.Strategy
		}
		return cmp.Or(spec.Over, results.ByBound)
	}
	for _, x := range all.Crossings {
		sign := 1.0
		if x.Rising {
			sign = -1
		}
		found.Crossings = append(found.Crossings,
			results.Crossing{Value: x.Value, Low: x.Low, High: x.High, Below: less(sign), Above: less(-sign)})
	}
	if all.Sign != 0 {
		found.Less, found.From, found.To = less(all.Sign), all.From, all.To
	}
	return found, err
}

// fixed are the values that are fixed for either of the two; nil for none.
func (c comparison) fixed() results.Setting {
	all := maps.Clone(c.s.Fixed)
	if c.over != nil && len(c.over.Fixed) > 0 {
		all = results.Setting{}
		maps.Copy(all, c.s.Fixed)
		maps.Copy(all, c.over.Fixed)
	}
	return all
}

// differences are by how much a curve has more of the metric than another one at a value, by replication, in which both serve the
// same requests; or than the bound.
func (m *measuring) differences(ctx context.Context, c comparison, x float64, replications int) ([]float64, error) {
	differences, err := m.values(ctx, c.s, x, replications)
	if err != nil {
		return nil, err
	}
	values := slices.Repeat([]float64{given(m.Spec.Search.Bound, 0)}, replications)
	if c.over != nil {
		values, err = m.values(ctx, c.over, x, replications)
	}
	for i := range values {
		differences[i] -= values[i]
	}
	return differences, err
}

// values are the metric of a curve at a value of the varied key, by replication.
func (m *measuring) values(ctx context.Context, s *results.Series, x float64, replications int) ([]float64, error) {
	runs, err := m.simulate(ctx, s, x, replications)
	var values []float64
	for i := range runs {
		value := m.measured(&runs[i].Outcome).Get(m.Spec.Search.Metric)
		if math.IsNaN(value) {
			return nil, m.File.locate(&badinput.Error{Key: "search.metric", Value: m.Spec.Search.Metric,
				Problem: fmt.Sprintf("%s has none at %s = %v", s.Label, m.Axes[0].Path, m.loadValue(x)),
				Allowed: "min and max between which there is one"})
		}
		values = append(values, value)
	}
	return values, err
}

// measured are the metrics that are compared: those of the measuring window, where the file has one, and else what tables show.
func (m *measuring) measured(o *results.Outcome) metrics.Values {
	if m.Spec.Search.Client != "" {
		for i := range o.Clients {
			if o.Clients[i].Name == m.Spec.Search.Client {
				return o.Clients[i].Metrics
			}
		}
	}
	if o.Steady != nil && o.SteadyState == nil {
		return o.Steady
	}
	return (&results.Run{Outcome: *o}).Shown()
}

// simulate is the replications of a curve at a value, of which those are run that have not been.
func (m *measuring) simulate(ctx context.Context, s *results.Series, x float64, replications int) ([]search.Run, error) {
	first, err := m.scenarioAt(s, x, m.Options)
	if err != nil {
		return nil, err
	}
	key := first.Key()
	m.keys[place{s.Label, x}] = key
	done := len(m.runs[key])
	if done >= replications {
		return m.runs[key][:replications], nil
	}
	runs := slices.Grow(m.runs[key], replications-done)[:replications]
	var failures []error
	err = runner.Run(ctx, replicated(first, done, replications), runner.Options{Workers: m.Workers, Builder: m.builder, Store: m.Store,
		Done: func(r runner.Result) {
			failures = append(failures, r.Err)
			runs[done+r.Index] = search.Run{Key: r.Key, Outcome: r.Outcome}
			if m.progress.Runs++; m.Searching != nil {
				m.Searching(m.progress)
			}
		}})
	if err = errors.Join(err, errors.Join(failures...)); err != nil {
		return nil, err
	}
	m.runs[key] = runs
	return runs, nil
}

// replicated are scenarios that differ in their random numbers, from one replication up to another one.
func replicated(s scenario.Scenario, from, to int) func(yield func(scenario.Scenario) bool) {
	return func(yield func(scenario.Scenario) bool) {
		for s.Replication = from; s.Replication < to; s.Replication++ {
			if !yield(s) {
				return
			}
		}
	}
}

// count is how many runs were asked for.
func (m *measuring) count() int {
	n := 0
	for _, runs := range m.runs {
		n += len(runs)
	}
	return n
}

// simulated is what was run of a curve, by the value.
func (m *measuring) simulated(curve string) []search.Simulated {
	var all []search.Simulated
	for at, key := range m.keys {
		if runs := m.runs[key]; at.curve == curve && len(runs) > 0 {
			all = append(all, search.Simulated{Load: at.x, Runs: runs})
		}
	}
	slices.SortFunc(all, func(a, b search.Simulated) int { return cmp.Compare(a.Load, b.Load) })
	return all
}
