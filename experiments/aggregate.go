package experiments

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/internal/strict"
	"kneepoint/sim/metrics"
)

// results aggregates the runs; nil marks one that was not finished.
func (e *Experiment) results(runs []*Run) *Results {
	res := &Results{
		Tool:          Tool,
		SchemaVersion: SchemaVersion,
		Version:       Version,
		Experiment:    strict.Encode(&e.Spec),
		Sweep:         slices.Concat([]Axis{}, e.Axes),
		SLO:           e.Spec.SLO,
		Warnings:      []string{},
		Differences:   []Difference{},
		Expectations:  []Expectation{},
		Claims:        []Claim{},
		Tradeoffs:     []Tradeoff{},
		Runs:          []Run{},
	}
	for _, run := range runs {
		if run == nil {
			res.Incomplete = true
			continue
		}
		res.Runs = append(res.Runs, *run)
	}
	groups := e.group(runs)
	res.Warnings = append(res.Warnings, e.warnings(groups)...)
	res.Series = e.series(groups)
	res.Differences = append(res.Differences, e.differences(groups)...)
	if !res.Incomplete {
		res.Expectations = append(res.Expectations, e.expectations(res)...)
		res.Claims = append(res.Claims, e.claims(res)...)
		res.Tradeoffs = append(res.Tradeoffs, e.tradeoffs(res)...)
	}
	return res
}

// group is the runs of one strategy at one point, by replication.
type group struct {
	strategy string
	slo      *SLO
	point    point
	runs     []*Run // that were finished
}

// group splits the runs, which are in the order of the cells.
func (e *Experiment) group(runs []*Run) []group {
	n := e.Spec.Replications
	var groups []group
	for i := range e.cells {
		g := group{strategy: e.cells[i].strategy, slo: &e.cells[i].slo, point: e.cells[i].point}
		for _, run := range runs[i*n : (i+1)*n] {
			if run != nil {
				g.runs = append(g.runs, run)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// series arranges the groups as curves over the first axis.
func (e *Experiment) series(groups []group) []Series {
	var all []Series
	places := map[string]int{}
	var slos []*SLO // of the curves: an objective may be swept
	for _, strategy := range e.Spec.Strategies {
		for _, g := range groups {
			if g.strategy != strategy.Name || len(g.runs) == 0 {
				continue
			}
			label := e.label(g)
			i, known := places[label]
			if !known {
				i = len(all)
				places[label] = i
				slos = append(slos, g.slo)
				all = append(all, Series{Strategy: g.strategy, Fixed: e.fixed(g.point), Label: label})
			}
			all[i].Points = append(all[i].Points, e.aggregate(g))
		}
	}
	for i := range all {
		all[i].Knee = e.knee(&all[i], slos[i])
	}
	return all
}

// fixed is the values of all axes but the first. Zipped axes go together, so
// the first one stands for all.
func (e *Experiment) fixed(p point) map[string]any {
	if len(p) < 2 || e.zipped() {
		return nil
	}
	m := p.named(e.Axes)
	delete(m, e.Axes[0].Path)
	return m
}

func (e *Experiment) zipped() bool { return e.Spec.Sweep["mode"] == "zip" }

// label names a curve: the strategy, and the fixed values when there are any.
func (e *Experiment) label(g group) string {
	parts := []string{g.strategy}
	fixed := e.fixed(g.point)
	for _, axis := range e.Axes {
		if v, ok := fixed[axis.Path]; ok {
			parts = append(parts, fmt.Sprintf("%s %v", axis.Label, v))
		}
	}
	return strings.Join(parts, ", ")
}

// aggregate estimates every metric over the replications of a point.
func (e *Experiment) aggregate(g group) Point {
	p := Point{Metrics: g.estimates(func(r *Run) metrics.Values { return r.Metrics }), Clients: g.clientPoints()}
	if len(g.point) > 0 {
		p.Value = g.point[0]
	}
	p.Saturated = p.Metrics["saturated"].Mean > 0.5
	p.Why = meanWhy(g.runs)
	return p
}

// estimates are the metrics over the runs that have a value in any.
func (g *group) estimates(of func(*Run) metrics.Values) map[string]metrics.Estimate {
	all := map[string]metrics.Estimate{}
	for _, key := range metrics.Keys() {
		values := make([]float64, len(g.runs))
		for i, run := range g.runs {
			values[i] = of(run).Get(key)
		}
		if estimate := metrics.NewEstimate(values); estimate.N > 0 {
			all[key] = estimate
		}
	}
	return all
}
