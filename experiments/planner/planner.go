package planner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
)

// Question is what is asked of all candidates.
type Question struct {
	Target float64 // share of the requests that is to meet the objective
	Spare  int     // units on top of those that it takes
}

// Options say how scenarios are run. What is found depends on none of them but Allowed.
type Options struct {
	Workers  int // simulations at a time; 0: one per core
	Builder  *scenario.Builder
	Store    runner.Store   // what it has is not simulated again; nil: nothing is kept
	Allowed  int            // requests that are simulated to tell whether a fleet is enough; 0: the default
	Progress func(Progress) // called one call at a time; nil: it is not called
}

// Progress says how far a plan is.
type Progress struct {
	Done, Total int
	Candidate   string // that is sized; empty: the pilots run
	Pruned      int
	Best        *results.Option // so far; nil: none yet
}

// Found is what the planner found out.
type Found struct {
	Options  []results.Option // the cheapest first; of equal price the one that serves better
	Pruned   []results.Option // in the order of the candidates
	Runs     int
	Requests int
}

// ranked is how many candidates of each accelerator are sized however much they cost: the best
// and its runner-up. Prices of accelerators change, so that the best of each must be known;
// what is dearer than two others of its own stays so.
const ranked = 2

// planner is a plan under way.
type planner struct {
	Question
	Options
	pilots         []pilot
	found          []sized
	pruned         []sized
	runs, requests int
}

// sized is a candidate of which is known how many units it takes, or why it is out.
type sized struct {
	*Candidate
	place  int
	option results.Option
	price  float64 // of all units, with spares
}

// Find sizes candidates. What it has found when ctx ends is returned with the error.
func Find(ctx context.Context, candidates []Candidate, q Question, o Options) (Found, error) {
	p := &planner{Question: q, Options: o}
	err := p.find(ctx, candidates)
	f := Found{Runs: p.runs, Requests: p.requests}
	slices.SortStableFunc(p.found, func(a, b sized) int {
		return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(b.option.Judged.Attainment, a.option.Judged.Attainment), a.place-b.place)
	})
	slices.SortFunc(p.pruned, func(a, b sized) int { return a.place - b.place })
	for i := range p.found {
		f.Options = append(f.Options, p.found[i].option)
	}
	for i := range p.pruned {
		f.Pruned = append(f.Pruned, p.pruned[i].option)
	}
	return f, err
}

func (p *planner) find(ctx context.Context, candidates []Candidate) error {
	p.tell(len(candidates), "")
	var err error
	if p.pilots, err = p.runPilots(ctx, candidates); err != nil {
		return err
	}
	for _, place := range p.order(candidates) {
		p.tell(len(candidates), candidates[place].Option.Name)
		if err := p.take(ctx, &candidates[place], place); err != nil {
			return err
		}
	}
	return p.measure(ctx)
}

// order is the numbers of the candidates, the one first that is thought to be the cheapest.
func (p *planner) order(candidates []Candidate) []int {
	order := make([]int, len(candidates))
	for i := range order {
		order[i] = i
	}
	price := func(i int) float64 { return candidates[i].Price * p.pilots[i].units() * p.pilots[i].idleness(p.Target) }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(price(i), price(j)) })
	return order
}

// take sizes a candidate, or finds out why it is out.
func (p *planner) take(ctx context.Context, c *Candidate, place int) error {
	pilot, s := &p.pilots[place], sized{Candidate: c, place: place, option: c.Option}
	most, out, bound := p.most(c)
	switch {
	case pilot.err != nil:
		p.prune(s, results.OutFailed, pilot.err.Error())
		return nil
	case most < 1:
		p.prune(s, out, bound)
		return nil
	case !pilot.reachable(p.Target):
		p.prune(s, results.OutUnreachable, "")
		return nil
	}
	found, err := p.size(ctx, c, pilot, min(most, pilot.enough()))
	if err != nil {
		return err
	}
	if found.met == 0 {
		s.option.Units, s.option.Judged = found.missed, found.judged[found.missed]
		switch {
		case most < pilot.enough():
			p.prune(s, out, bound)
		case s.option.Judged.Unsettled:
			p.prune(s, results.OutFailed, "not settled within the limit of requests")
		default:
			p.prune(s, results.OutUnreachable, "")
		}
		return nil
	}
	s.option.Units, s.option.Judged, s.option.Fewer = found.met, found.judged[found.met], found.judged[found.met-1]
	s.price = c.Price * float64(found.met+p.Spare)
	p.found = append(p.found, s)
	return nil
}

// most is how many units a candidate may have, and what bounds that: a limit of its own, or the
// price of the last of the best so far that have the same accelerators.
func (p *planner) most(c *Candidate) (most float64, out results.Out, bound string) {
	if prices := p.prices(c.Option.Unit.Accelerator); len(prices) >= ranked {
		if n := c.affordable(prices[ranked-1], p.Spare); n < c.Most {
			return n, results.OutDearer, ""
		}
	}
	return c.Most, results.OutLimited, c.Bound
}

// prices are those of the candidates with an accelerator that were sized, the lowest first.
func (p *planner) prices(accelerator string) []float64 {
	var prices []float64
	for i := range p.found {
		if p.found[i].option.Unit.Accelerator == accelerator {
			prices = append(prices, p.found[i].price)
		}
	}
	slices.Sort(prices)
	return prices
}

func (p *planner) prune(s sized, why results.Out, detail string) {
	s.option.Out, s.option.Detail = why, detail
	p.pruned = append(p.pruned, s)
}

// tell reports how far the plan is.
func (p *planner) tell(total int, candidate string) {
	if p.Progress == nil {
		return
	}
	now := Progress{Done: len(p.found) + len(p.pruned), Total: total, Candidate: candidate, Pruned: len(p.pruned)}
	best := math.Inf(1)
	for i := range p.found {
		if p.found[i].price < best {
			best, now.Best = p.found[i].price, &p.found[i].option
		}
	}
	p.Progress(now)
}

func (p *planner) running() runner.Options {
	return runner.Options{Workers: p.Workers, Builder: p.Builder, Store: p.Store}
}

func (p *planner) searching() search.Options {
	return search.Options{Workers: p.Workers, Builder: p.Builder}
}
