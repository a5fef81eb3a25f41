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
	q.Levels = nil
	shutOut, err := p.shutOut(ctx, a, q, o)
	if err != nil {
		return err
	}
	a.WhatIf = a.WhatIfPrices(p.Spec.MaxUSDPerHour, shutOut)
	if !p.base.Workload.TraceTimes() {
		twice, err := p.twice(ctx, a, q, o)
		if err != nil {
			return err
		}
		a.WhatIf = append(a.WhatIf, *twice)
	}
	lost, err := p.nodeLost(ctx, &a.Options[0], q, o)
	if err != nil {
		return err
	}
	a.WhatIf = append(a.WhatIf, lost...)
	return nil
}

// shutOut are fleets within the limits if their accelerators were cheaper, of those that are in no answer because of the budget.
func (p *Planning) shutOut(ctx context.Context, a *results.Answer, q planner.Question, o planner.Options) ([]results.Option, error) {
	if p.Spec.Objective != "cost" {
		return nil, nil
	}
	serving := map[string]bool{}
	for i := range a.Options {
		serving[a.Options[i].Unit.Mix()] = true
	}
	out := p.outFor(a, func(x *results.Option) bool {
		return x.Out == results.OutLimited && x.Detail == budget && !serving[x.Unit.Mix()]
	})
	for i := range out {
		c := &out[i]
		u := unitOf(&c.Unit)
		c.Most, c.Bound = p.most(&u, 1-results.PriceSwing)
	}
	found, err := p.resize(ctx, a, out, 1, q, o)
	return found.Options, err
}

// resize finds what serves a multiple of the demand, and counts what that takes.
func (p *Planning) resize(ctx context.Context, a *results.Answer, of []planner.Candidate, factor float64, q planner.Question,
	o planner.Options) (planner.Found, error) {
	found, err := planner.Resize(ctx, of, factor, q, o)
	a.Runs, a.Requests = a.Runs+found.Runs, a.Requests+found.Requests
	return found, err
}

// twice is what serves twice the demand, beyond the limits where nothing does within.
func (p *Planning) twice(ctx context.Context, a *results.Answer, q planner.Question, o planner.Options) (*results.WhatIf, error) {
	const what, factor = "twice the demand", 2
	found, err := p.resize(ctx, a, p.mayServe(a), factor, q, o)
	if err != nil {
		return nil, err
	}
	if len(found.Options) == 0 {
		if w, err := p.withoutLimits(ctx, a, what, factor, q, o); w != nil || err != nil {
			return w, err
		}
	}
	w := a.WhatIfDemand(what, found.Options)
	return &w, nil
}

// withoutLimits is what would serve a multiple of the demand if there were no limits; nil where these leave nothing out.
func (p *Planning) withoutLimits(ctx context.Context, a *results.Answer, what string, factor float64, q planner.Question,
	o planner.Options) (*results.WhatIf, error) {
	all := p.mayServe(a)
	all = append(all, p.outFor(a, func(x *results.Option) bool { return x.Out == results.OutLimited })...)
	for i := range all {
		all[i].Most, all[i].Bound = math.Inf(1), ""
	}
	q.Levels = nil
	found, err := p.resize(ctx, a, all, factor, q, o)
	if err != nil || len(found.Options) == 0 {
		return nil, err
	}
	w := a.WhatIfDemand(what, found.Options)
	i := slices.IndexFunc(all, func(c planner.Candidate) bool { return c.Option.Name == w.Best })
	w.Beyond = p.beyond(&all[i], w.Units)
	if p.Spec.MaxKW > 0 {
		w.KW = unitOf(&all[i].Unit).watts / 1e3 * float64(w.Units+q.Spare)
	}
	return &w, nil
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

// nodeLost judges what is left of the best fleet without a node of each of its accelerators.
func (p *Planning) nodeLost(ctx context.Context, best *results.Option, q planner.Question, o planner.Options) ([]results.WhatIf, error) {
	var all []results.WhatIf
	names := []string{""}
	if len(best.Unit.Of) > 0 {
		c := p.named(best.Name)
		u := unitOf(&c.Unit)
		names = u.names()
	}
	for _, name := range names {
		w, err := p.withoutNode(ctx, best, name, q, o)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// withoutNode judges what is left of a fleet without a node, whose accelerators are of one name: "" where all of the fleet are. As many
// units lose them as have that many, and keep their others. No units are left where none has any of that name.
func (p *Planning) withoutNode(ctx context.Context, best *results.Option, name string, q planner.Question, o planner.Options) (results.WhatIf, error) {
	c := p.named(best.Name)
	node, each, others := "a node", best.Unit.Accelerators, 0
	if name != "" {
		u := unitOf(&c.Unit)
		node, each = "a node of "+name, u.count[name]
		others = best.Unit.Accelerators - each
	}
	all := best.Units + p.Spec.Spare
	left := all - int(math.Ceil(float64(p.Spec.AcceleratorsPerNode)/float64(each)))
	w := results.WhatIf{What: fmt.Sprintf("%s lost (accelerators: %d)", node, p.Spec.AcceleratorsPerNode), Best: best.Name, Lost: name}
	if left < 1 {
		return w, nil
	}
	w.Units, w.Fleet = left, left*each+all*others
	var err error
	if name == "" {
		w.Judged, err = planner.Judge(ctx, c, left, q, o)
		return w, err
	}
	rest := without(c, name, all, left)
	w.Judged, err = planner.Judge(ctx, &rest, 1, q, o)
	return w, err
}

// without are a number of units of a candidate, of which so many are left that have accelerators of a name, as one unit.
func without(c *planner.Candidate, name string, units, left int) planner.Candidate {
	rest := *c
	rest.Unit.Pools = slices.Clone(c.Unit.Pools)
	for i := range rest.Unit.Pools {
		pool := &rest.Unit.Pools[i]
		if pool.Deployment.Roofline.Accelerator.Name == name {
			pool.Replicas *= left
		} else {
			pool.Replicas *= units
		}
	}
	return rest
}

// named is the candidate of a name.
func (p *Planning) named(name string) *planner.Candidate {
	return &p.candidates[slices.IndexFunc(p.candidates, func(c planner.Candidate) bool { return c.Option.Name == name })]
}
