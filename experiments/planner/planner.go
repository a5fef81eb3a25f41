package planner

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
)

// Question is what is asked of all candidates.
type Question struct {
	Target float64 // share of the requests that is to meet the objective
	Spare  int     // units on top of those that it takes

	// Levels are shares of the demand, the lowest first, for which the cheapest answers are sized, too.
	Levels []float64
}

// Options say how scenarios are run. What is found depends on none of them but Allowed.
type Options struct {
	Workers  int // simulations at a time; 0: one per core
	Builder  *scenario.Builder
	Store    runner.Store   // what it has is not simulated again; nil: nothing is kept
	Shard    Shard          // that this is, of several that share the store
	Allowed  int            // requests that are simulated to tell whether a fleet is enough; 0: the default
	Progress func(Progress) // called one call at a time; nil: it is not called

	// Uncertain is what constants may be off by; nil: the answer is of the constants as stated.
	Uncertain *Uncertain
}

// Found is what the planner found out.
type Found struct {
	Options  []results.Option // the cheapest first; of equal price the one that serves better
	Pruned   []results.Option // in the order of the candidates
	Runs     int
	Requests int

	Uncertainty *results.Uncertainty // nil where it was not asked for; without what the factors are
}

// ranked is how many candidates of each mix of accelerators are sized however much they cost: the best
// and its runner-up. Prices of accelerators change, so that the best of each must be known;
// what is dearer than two others of the same accelerators in the same proportions stays so.
const ranked = 2

// planner is a plan under way.
type planner struct {
	Question
	Options
	pilots         []pilot
	judges         judge
	suffices       suffices
	found          []sized
	pruned         []sized
	runs, requests int
	simulated      int      // judgements that were not kept
	underWay       Progress // what was told last while candidates are sized; zero when they are not
}

// judge tells how a number of units of a candidate serve the demand.
type judge func(ctx context.Context, c *Candidate, units int, ask search.Ask) (*results.Judgement, error)

// suffices tells whether a number of units counts as enough, after the looks at it.
type suffices func(j *results.Judgement, target float64) bool

// newPlanner is one that simulates what it judges, and to which only that is enough which is shown to be.
func newPlanner(q Question, o Options) *planner {
	p := &planner{Question: q, Options: o, suffices: (*results.Judgement).Shows}
	p.judges = p.judgeUnits
	return p
}

// sized is a candidate of which is known how many units it takes, or why it is out.
type sized struct {
	*Candidate
	place  int
	option results.Option
	price  float64 // of all units, with spares
	mix    string  // of accelerators
	looks  int     // that it took
}

// Find sizes candidates. What it has found when ctx ends is returned with the error.
func Find(ctx context.Context, candidates []Candidate, q Question, o Options) (Found, error) {
	p := newPlanner(q, o)
	err := p.find(ctx, candidates)
	p.rank()
	if err == nil {
		err = p.measure(ctx)
	}
	if err == nil {
		err = p.findHeadroom(ctx)
	}
	if err == nil {
		err = p.follow(ctx)
	}
	var drawn *results.Uncertainty
	if err == nil {
		drawn, err = p.draw(ctx)
	}
	f := p.results()
	f.Uncertainty = drawn
	return f, err
}

// results are what was found, as it is told.
func (p *planner) results() Found {
	f := Found{Options: []results.Option{}, Runs: p.runs, Requests: p.requests}
	slices.SortFunc(p.pruned, func(a, b sized) int { return a.place - b.place })
	for i := range p.found {
		f.Options = append(f.Options, p.found[i].option)
	}
	for i := range p.pruned {
		f.Pruned = append(f.Pruned, p.pruned[i].option)
	}
	return f
}

// rank sorts the answers: the cheapest first, of equal price the one that serves better.
func (p *planner) rank() {
	slices.SortStableFunc(p.found, func(a, b sized) int { return better(&a, &b) })
}

// better is negative where an answer stands before another one. In which order the candidates were asked for tells nothing: of answers that
// serve as well the one of fewer accelerators is the first, and then the one whose name is.
func better(a, b *sized) int {
	accelerators := func(s *sized) int { return s.option.Units * s.option.Unit.Accelerators }
	return cmp.Or(results.Compare(a.price, b.price), results.Compare(b.option.Judged.Attainment, a.option.Judged.Attainment),
		accelerators(a)-accelerators(b), strings.Compare(a.option.Name, b.option.Name))
}

// find sizes the candidates that the pilots leave.
func (p *planner) find(ctx context.Context, candidates []Candidate) (err error) {
	if p.pilots, err = p.runPilots(ctx, candidates); err != nil {
		return err
	}
	if err := p.checkKept(candidates); err != nil {
		return err
	}
	return p.size(ctx, candidates)
}

// size finds out how many units of each candidate are enough, as far as these may be among the answers.
func (p *planner) size(ctx context.Context, candidates []Candidate) error {
	deal, open := p.newDeal(candidates), p.open(candidates)
	defer func() { p.underWay = Progress{} }()
	for len(open) > 0 {
		i, err := promising(open), error(nil)
		if deal != nil {
			i, err = deal.next(ctx, open)
		}
		if err != nil {
			return err
		}
		p.tellSized(len(candidates), open)
		done, err := p.advance(ctx, open[i])
		if err != nil {
			return err
		}
		if done {
			open = slices.Delete(open, i, i+1)
		}
	}
	return nil
}

// open are the candidates that the pilots leave.
func (p *planner) open(candidates []Candidate) []*sizing {
	var open []*sizing
	for i := range candidates {
		c, pilot := &candidates[i], &p.pilots[i]
		switch {
		case pilot.err != nil:
			p.prune(c, i, results.OutFailed, pilot.err.Error())
		case !pilot.reachable(p.Target):
			p.prune(c, i, results.OutUnreachable, "")
			p.pruned[len(p.pruned)-1].option.Alone = pilot.served(p.Target)
		case c.Most < 1:
			p.prune(c, i, results.OutLimited, c.Bound)
		default:
			open = append(open, p.newSizing(c, i))
		}
	}
	return open
}

// promising is the number of the one whose next look is at the least price.
func promising(open []*sizing) int {
	best := 0
	for i := range open {
		if sooner(open[i], open[best]) < 0 {
			best = i
		}
	}
	return best
}

// sooner is negative where a candidate is looked at before another one.
func sooner(a, b *sizing) int {
	return cmp.Or(cmp.Compare(a.promise(), b.promise()), strings.Compare(a.Option.Name, b.Option.Name))
}

// advance takes one look at a candidate. It is true when it is known how many units it takes, or
// why it is out.
func (p *planner) advance(ctx context.Context, s *sizing) (done bool, err error) {
	most, out, bound := p.most(s.Candidate)
	if most <= float64(s.missed) { // others have become cheaper than what is left of it
		p.pruneSized(s, out, bound)
		return true, nil
	}
	met, err := s.look(ctx, min(most, s.enough))
	switch {
	case err != nil:
		return false, err
	case met:
		option := s.Option
		option.Units, option.Judged, option.Fewer = s.met, s.judged[s.met], s.judged[s.met-1]
		p.found = append(p.found, sized{Candidate: s.Candidate, place: s.place, option: option, price: s.Price * float64(s.met+p.Spare),
			mix: option.Unit.Mix(), looks: s.looks})
		return true, nil
	case float64(s.missed) < min(most, s.enough):
		return false, nil
	case most < s.enough:
		p.pruneSized(s, out, bound)
	case s.judged[s.missed].Unsettled || !s.judged[s.missed].Clear(p.Target):
		p.pruneSized(s, results.OutFailed, "not settled within the limit of requests")
	default:
		p.pruneSized(s, results.OutUnreachable, "")
	}
	return true, nil
}

// most is how many units a candidate may have, and what bounds that: a limit of its own, or the
// price of the last of the best so far that have the same accelerators, in the same proportions.
func (p *planner) most(c *Candidate) (most float64, out results.Out, bound string) {
	if prices := p.prices(c.Option.Unit.Mix()); len(prices) >= ranked {
		if n := c.affordable(prices[ranked-1], p.Spare); n < c.Most {
			return n, results.OutDearer, ""
		}
	}
	return c.Most, results.OutLimited, c.Bound
}

// prices are those of the candidates with a mix of accelerators that were sized, the lowest first.
func (p *planner) prices(mix string) []float64 {
	var prices []float64
	for i := range p.found {
		if p.found[i].mix == mix {
			prices = append(prices, p.found[i].price)
		}
	}
	slices.Sort(prices)
	return prices
}

// prune leaves a candidate out.
func (p *planner) prune(c *Candidate, place int, why results.Out, detail string) {
	option := c.Option
	option.Out, option.Detail = why, detail
	p.pruned = append(p.pruned, sized{Candidate: c, place: place, option: option})
}

// pruneSized leaves one out with the most units of it that were not enough.
func (p *planner) pruneSized(s *sizing, why results.Out, detail string) {
	p.prune(s.Candidate, s.place, why, detail)
	option := &p.pruned[len(p.pruned)-1].option
	option.Units, option.Judged = s.missed, s.judged[s.missed]
}

func (p *planner) running() runner.Options {
	return runner.Options{Workers: p.Workers, Builder: p.Builder, Store: p.Store}
}

func (p *planner) searching() search.Options {
	return search.Options{Workers: p.Workers, Builder: p.Builder}
}
