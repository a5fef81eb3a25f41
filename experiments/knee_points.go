package experiments

import (
	"cmp"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/search"
)

// searchedPoint is a point that searches chose, with the keys of their runs by strategy.
type searchedPoint struct {
	results.PlannedPoint
	keys map[string][]string
}

// fill makes a plan that of what was simulated for the first of some curves: its points are the
// loads of these runs. Of the other curves it has a point without runs, so
// that the results are incomplete. It returns the outcomes of the runs, by key.
func (e *Experiment) fill(plan *results.Plan, curves []results.Series, found [][]search.Simulated) (map[string]*results.Outcome, error) {
	foreseen := *plan // warnings do not depend on the load
	foreseen.Sweep, foreseen.Points = plan.Sweep[1:], withoutLoads(plan.Points)
	plan.Foreseen = e.foreseen(&foreseen)

	var points []searchedPoint
	outcomes := map[string]*results.Outcome{}
	for i := range curves {
		start := e.File.searched.load.number(e.Axes[0].Values[0])
		simulated := []search.Simulated{{Load: start, Runs: make([]search.Run, 1)}}
		if i < len(found) {
			simulated = found[i]
		}
		for _, at := range simulated {
			point, err := e.searchedPointAt(plan, &points, &curves[i], at.Load)
			if err != nil {
				return nil, err
			}
			point.Searched[curves[i].Strategy] = results.Replications{First: at.First, Count: len(at.Runs)}
			for k := range at.Runs {
				run := &at.Runs[k]
				point.keys[curves[i].Strategy] = append(point.keys[curves[i].Strategy], run.Key)
				if run.Key != "" {
					outcomes[run.Key] = &run.Outcome
				}
			}
		}
	}
	e.setPoints(plan, points)
	return outcomes, nil
}

// withoutLoads are points without the first of their values.
func withoutLoads(points []results.PlannedPoint) []results.PlannedPoint {
	others := slices.Clone(points)
	for i := range others {
		others[i].Values = others[i].Values[1:]
	}
	return others
}

// searchedPointAt is the point of a curve at a load, which is added where it is not there, with the objective,
// the deployment and the traffic that the curve has there.
func (e *Experiment) searchedPointAt(plan *results.Plan, points *[]searchedPoint, s *results.Series, load float64) (*searchedPoint, error) {
	c, err := e.curveAt(s, load)
	if err != nil {
		return nil, err
	}
	planned := e.plannedPoint(c.point, &c)
	at := slices.IndexFunc(*points, func(p searchedPoint) bool { return slices.EqualFunc(p.Values, planned.Values, results.Value.Same) })
	if at < 0 {
		at = len(*points)
		planned.Searched = map[string]results.Replications{}
		*points = append(*points, searchedPoint{planned, map[string][]string{}})
	}
	point := &(*points)[at]
	strategy := slices.Index(plan.Strategies, s.Strategy)
	if c.facts != plan.Facts.Strategies[strategy] {
		if point.Deployments == nil {
			point.Deployments = slices.Clone(plan.Facts.Strategies)
		}
		point.Deployments[strategy] = c.facts
	}
	return point, nil
}

// setPoints puts points into a plan, with their cells: by the other variables in the order of the sweep,
// and by load.
func (e *Experiment) setPoints(plan *results.Plan, points []searchedPoint) {
	others := withoutLoads(plan.Points)
	order := func(p *searchedPoint) int {
		return slices.IndexFunc(others, func(o results.PlannedPoint) bool {
			return slices.EqualFunc(o.Values, p.Values[1:], results.Value.Same)
		})
	}
	load := func(p *searchedPoint) float64 { return e.File.searched.load.number(p.Values[0]) }
	slices.SortStableFunc(points, func(a, b searchedPoint) int {
		return cmp.Or(cmp.Compare(order(&a), order(&b)), cmp.Compare(load(&a), load(&b)))
	})
	plan.Points = nil
	var loads []float64
	for i := range points {
		plan.Points = append(plan.Points, points[i].PlannedPoint)
		loads = append(loads, load(&points[i]))
	}
	slices.Sort(loads)
	axis := &plan.Sweep[0]
	axis.Values = nil
	for _, x := range slices.Compact(loads) {
		axis.Values = append(axis.Values, results.ValueOf(e.File.searched.load.value(x)))
	}
	plan.Cells = plan.AllCells()
	for i := range plan.Cells {
		cell := &plan.Cells[i]
		p := &points[cell.Point]
		cell.Key = p.keys[cell.Strategy][cell.Replication-p.Searched[cell.Strategy].First]
	}
}
