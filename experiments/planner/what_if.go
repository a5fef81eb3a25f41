package planner

import (
	"context"

	"kneepoint/experiments/results"
)

// Resize finds what serves a multiple of the demand. Only candidates that may serve it are
// sized, and no fleet is measured.
func Resize(ctx context.Context, candidates []Candidate, factor float64, q Question, o Options) (Found, error) {
	var scaled []Candidate
	for i := range candidates {
		scaled = append(scaled, *candidates[i].at(factor))
	}
	p := newPlanner(q, o)
	err := p.find(ctx, scaled)
	p.rank()
	return p.results(), err
}

// Judge says how a number of units of a candidate serve the demand.
func Judge(ctx context.Context, c *Candidate, units int, q Question, o Options) (*results.Judgement, error) {
	p := newPlanner(q, o)
	var err error
	if p.pilots, err = p.runPilots(ctx, []Candidate{*c}); err != nil {
		return nil, err
	}
	return p.judges(ctx, c, units, p.ask(p.lengthOf(0, 1)))
}
