package results

import (
	"slices"

	"kneepoint/sim/metrics"
)

// group is the runs of one strategy at one point, by replication.
type group struct {
	strategy string
	point    int    // of the plan
	runs     []*Run // that were finished
}

// groups are those of the plan, by points and strategies, without runs.
func (p *Plan) groups() []group {
	var all []group
	for point := range p.Points {
		for _, strategy := range p.Strategies {
			all = append(all, group{strategy: strategy, point: point})
		}
	}
	return all
}

// collect makes the runs of all cells that have an outcome, in the order of the
// cells, and groups them.
func (p *Plan) collect(lookup Lookup) ([]Run, []group) {
	groups := p.groups()
	runs := make([]Run, 0, len(p.Cells)) // of this capacity, so that none moves
	for _, cell := range p.Cells {
		outcome := lookup(cell.Key)
		if outcome == nil {
			continue
		}
		runs = append(runs, p.Run(&cell, outcome))
		g := &groups[cell.Point*len(p.Strategies)+slices.Index(p.Strategies, cell.Strategy)]
		g.runs = append(g.runs, &runs[len(runs)-1])
	}
	return runs, groups
}

// estimates are the metrics over the runs, of those that have a value in any run; of
// says of what: the whole run, or one class of its requests.
func (g *group) estimates(of func(*Run) metrics.Values) map[string]metrics.Estimate {
	all := map[string]metrics.Estimate{}
	found := make([]metrics.Values, len(g.runs))
	for i, run := range g.runs {
		found[i] = of(run)
	}
	for _, key := range metrics.Keys() {
		if estimate := metrics.NewEstimate(valuesOf(found, key)); estimate.N > 0 {
			all[key] = estimate
		}
	}
	g.replayed().ofReplay(all)
	return all
}

// largest is the largest count of any of the runs.
func (g *group) largest(count func(*Run) float64) float64 {
	most := 0.0
	for _, run := range g.runs {
		most = max(most, count(run))
	}
	return most
}
