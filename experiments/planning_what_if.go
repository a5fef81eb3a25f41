package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kneepoint/experiments/planner"
	"kneepoint/experiments/results"
)

// whatIf asks what would be if prices, the demand, or the fleet were others.
func (p *Planning) whatIf(ctx context.Context, a *results.Answer, q planner.Question, o planner.Options) error {
	a.WhatIf = a.WhatIfPrices()
	if !p.base.Workload.TraceTimes() {
		q.Levels = nil
		found, err := planner.Resize(ctx, p.mayServe(a), 2, q, o)
		if err != nil {
			return err
		}
		a.Runs, a.Requests = a.Runs+found.Runs, a.Requests+found.Requests
		a.WhatIf = append(a.WhatIf, a.WhatIfDemand("twice the demand", found.Options))
	}
	lost, err := p.nodeLost(ctx, &a.Options[0], q, o)
	if err != nil {
		return err
	}
	a.WhatIf = append(a.WhatIf, lost)
	return nil
}

// mayServe are the candidates that may serve more than the demand: those that serve it, and those that are only dearer.
func (p *Planning) mayServe(a *results.Answer) []planner.Candidate {
	var names []string
	for i := range a.Options {
		names = append(names, a.Options[i].Name)
	}
	for i := range a.Pruned {
		if a.Pruned[i].Out == results.OutDearer {
			names = append(names, a.Pruned[i].Name)
		}
	}
	return slices.DeleteFunc(slices.Clone(p.candidates), func(c planner.Candidate) bool { return !slices.Contains(names, c.Option.Name) })
}

// nodeLost judges what is left of the best fleet without the units of a node; no units where nothing is.
func (p *Planning) nodeLost(ctx context.Context, best *results.Option, q planner.Question, o planner.Options) (results.WhatIf, error) {
	units := int(math.Ceil(float64(p.Spec.AcceleratorsPerNode) / float64(best.Unit.Accelerators)))
	w := results.WhatIf{What: fmt.Sprintf("a node lost (accelerators: %d)", p.Spec.AcceleratorsPerNode), Best: best.Name,
		Units: best.Units + p.Spec.Spare - units}
	if w.Units < 1 {
		w.Units = 0
		return w, nil
	}
	w.Fleet = w.Units * best.Unit.Accelerators
	i := slices.IndexFunc(p.candidates, func(c planner.Candidate) bool { return c.Option.Name == best.Name })
	var err error
	w.Judged, err = planner.Judge(ctx, &p.candidates[i], w.Units, q, o)
	return w, err
}
