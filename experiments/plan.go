package experiments

import (
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/internal/strict"
)

// Plan is what the experiment asks, as data: with the outcomes of its cells it is all
// that results are made of, here or by another process that reads a results folder.
func (e *Experiment) Plan() *results.Plan {
	p := &results.Plan{
		Version:      Version,
		Name:         e.File.Name,
		Title:        e.Spec.Title,
		Experiment:   strict.Encode(&e.Spec),
		Facts:        e.facts(),
		Seed:         e.Spec.Seed,
		Replications: e.Spec.Replications,
		Strategies:   e.strategyNames(),
		Sweep:        e.Axes,
		Zipped:       e.zipped(),
		Points:       e.plannedPoints(),
		SLO:          e.Spec.SLO.forResults(),
		Clients:      e.Spec.clients(),
		Expected:     e.expected(),
		Claimed:      e.claimed(),
		Paper:        e.Spec.Paper.forResults(),
		Published:    e.published(),
		Plots:        e.plots(),
		Prices:       e.prices(),
	}
	p.Foreseen = e.foreseen(p)
	p.Cells = p.AllCells()
	return p
}

func (e *Experiment) strategyNames() []string {
	var names []string
	for _, s := range e.Spec.Strategies {
		names = append(names, s.Name)
	}
	return names
}

// zipped tells whether the swept variables vary together, not in all combinations.
func (e *Experiment) zipped() bool { return e.Spec.Sweep["mode"] == "zip" }

// forResults is the table as results have it.
func (s *SLOSpec) forResults() results.SLO {
	return results.SLO{TTFTms: s.TTFTms, TPOTms: s.TPOTms, E2ELms: s.E2ELms, ITLp99ms: s.ITLp99ms, Attainment: s.Attainment}
}

// plannedPoints are the points of the sweep, with their objectives and deployments where these
// are swept. Strategies do not change the objectives.
func (e *Experiment) plannedPoints() []results.PlannedPoint {
	planned := make([]results.PlannedPoint, len(e.points))
	for i, p := range e.points {
		planned[i] = e.plannedPoint(p, &e.cells[i*len(e.Spec.Strategies)])
		if own := e.deploymentsAt(i); !slices.Equal(own, e.deploymentsAt(0)) {
			planned[i].Deployments = own
		}
	}
	return planned
}

// plannedPoint is a point with the objective and the traffic of one of its cells, where they are not those of the
// first point.
func (e *Experiment) plannedPoint(p point, c *cell) results.PlannedPoint {
	var planned results.PlannedPoint
	for _, v := range p {
		planned.Values = append(planned.Values, results.ValueOf(v))
	}
	if c.slo != e.Spec.SLO.forResults() {
		planned.SLO = &c.slo
	}
	if !slices.Equal(c.clients, e.Spec.clients()) {
		planned.Clients = c.clients
	}
	if c.traffic != e.cells[0].traffic {
		planned.Traffic = &c.traffic
	}
	return planned
}

// expected are the [[expect]] tables as data.
func (e *Experiment) expected() []results.Expected {
	var all []results.Expected
	for i := range e.Spec.Expect {
		x := &e.Spec.Expect[i]
		at, over := x.places()
		all = append(all, results.Expected{Metric: x.Metric, Strategies: x.strategies(), Steady: x.Window == "steady", At: at, Over: over,
			Low: x.Between[0], High: x.Between[1], Source: x.Source})
	}
	return all
}

// claimed are the [[claim]] tables as data.
func (e *Experiment) claimed() []results.Claimed {
	var all []results.Claimed
	for i := range e.Spec.Claims {
		c := &e.Spec.Claims[i]
		plain := results.Claimed{Strategy: c.Strategy, Over: c.Over, Metric: c.Metric, Low: c.Factor[0], High: c.Factor[1], Source: c.Source}
		for _, place := range c.At {
			plain.At = append(plain.At, results.Place(place))
		}
		all = append(all, plain)
	}
	return all
}
