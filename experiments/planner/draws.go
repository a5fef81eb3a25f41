package planner

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
)

// Uncertain is what the constants of candidates may be off by: values of some factors.
type Uncertain struct {
	Names  []string     // of the factors
	Draws  [][]float64  // by draw and factor
	Ends   [][2]float64 // of each factor, for a tornado
	Scaled func(unit scenario.Scenario, values []float64) scenario.Scenario
}

// mostDrawn is how many options are sized in every draw.
const mostDrawn = 3

const (
	// farthest is how many times the units of the plan a draw may take before it is given up.
	farthest = 8

	// brief is a limit on requests below that of every look, which then ends after runs that were doubled once: of a draw
	// only the number is asked, which those next to it know nearly as well.
	brief = 1
)

// drawn is what one option takes with the factors at some values.
type drawn struct {
	units          int // 0: not within reach
	attainment     float64
	runs, requests int
}

// draw sizes the best options again for every draw, and the best one for both ends of every factor.
func (p *planner) draw(ctx context.Context) (*results.Uncertainty, error) {
	if p.Uncertain == nil || len(p.Uncertain.Draws) == 0 || len(p.found) == 0 {
		return nil, nil
	}
	chosen, vectors := p.chosen(), slices.Concat([][]float64{p.ones()}, p.Uncertain.Draws)
	factors := p.reaching(chosen[0])
	ends := p.ends(factors)
	all := make([][]drawn, len(chosen))
	total := len(chosen)*len(vectors) + len(ends)
	group, within := errgroup.WithContext(ctx)
	if group.SetLimit(p.Workers); p.Workers == 0 {
		group.SetLimit(runtime.GOMAXPROCS(0))
	}
	var mutex sync.Mutex
	done := 0
	for i, option := range chosen {
		values := vectors
		if i == 0 {
			values = slices.Concat(vectors, ends)
		}
		all[i] = make([]drawn, len(values))
		for _, k := range p.Shard.order(len(values)) {
			group.Go(func() (err error) {
				all[i][k], err = p.resize(within, option, values[k])
				mutex.Lock()
				defer mutex.Unlock()
				done++
				p.tell(Progress{Stage: Drawing, Done: done, Total: total, Timed: done, Left: total - done})
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	u := p.uncertainty(chosen, all)
	u.Tornado = p.tornado(chosen[0], factors, all[0][len(vectors):])
	return u, nil
}

// chosen are the best option, the best of other accelerators, and the next best, at most mostDrawn.
func (p *planner) chosen() []*sized {
	var chosen []*sized
	for _, others := range []bool{true, false} {
		for i := range p.found {
			s := &p.found[i]
			known := func(other *sized) bool {
				return other == s || others && other.Option.Unit.Accelerator == s.Option.Unit.Accelerator
			}
			if len(chosen) < mostDrawn && !slices.ContainsFunc(chosen, known) {
				chosen = append(chosen, s)
			}
		}
	}
	return chosen
}

// ones are the factors as they are stated.
func (p *planner) ones() []float64 { return slices.Repeat([]float64{1}, len(p.Uncertain.Ends)) }

// at are the factors as they are stated, but for one.
func (p *planner) at(factor int, value float64) []float64 {
	values := p.ones()
	values[factor] = value
	return values
}

// reaching are the factors that change an option: those of other accelerators do not.
func (p *planner) reaching(option *sized) []int {
	var factors []int
	for i, ends := range p.Uncertain.Ends {
		low, high := p.Uncertain.Scaled(option.Unit, p.at(i, ends[0])), p.Uncertain.Scaled(option.Unit, p.at(i, ends[1]))
		if low.Key() != high.Key() {
			factors = append(factors, i)
		}
	}
	return factors
}

// ends are both ends of some factors, with all others as they are stated.
func (p *planner) ends(factors []int) [][]float64 {
	var all [][]float64
	for _, i := range factors {
		all = append(all, p.at(i, p.Uncertain.Ends[i][0]), p.at(i, p.Uncertain.Ends[i][1]))
	}
	return all
}

// resize finds how many units of an option are enough with the factors at some values, from those of the plan on. One number of many
// is taken for not enough by chance alone, since its short runs seem to fill until their end: the draw has as many requests as the plan
// then.
func (p *planner) resize(ctx context.Context, option *sized, values []float64) (drawn, error) {
	d, chance, err := p.resizeWithin(ctx, brief, option, values)
	if err != nil || !chance {
		return d, err
	}
	again, _, err := p.resizeWithin(ctx, p.Allowed, option, values)
	again.runs, again.requests = again.runs+d.runs, again.requests+d.requests
	return again, err
}

// resizeWithin is resize in looks of so many requests. chance tells whether a number was taken for not enough that did not settle and
// looks well.
func (p *planner) resizeWithin(ctx context.Context, allowed int, option *sized, values []float64) (d drawn, chance bool, err error) {
	c := *option.Candidate
	c.Unit = p.Uncertain.Scaled(c.Unit, values)
	own := p.drawing(allowed)
	s, planned := own.newSizing(&c, option.place), option.option.Units
	s.next, s.confirmed = planned, true
	most := min(c.Most, s.enough, float64(farthest*planned))
	for {
		found, err := s.look(ctx, math.Inf(1))
		if found || err != nil || float64(s.missed) >= most {
			d := drawn{runs: own.runs, requests: own.requests}
			for n, j := range s.judged {
				if n == planned {
					d.attainment = j.Attainment
				}
				chance = chance || j.Unsettled && j.Attainment-j.Half > p.Target
			}
			if found {
				d.units = s.met
			}
			return d, chance, err
		}
	}
}

// uncertainty is what the draws of some options come to. Their first one is of the factors as stated.
func (p *planner) uncertainty(chosen []*sized, all [][]drawn) *results.Uncertainty {
	n := len(p.Uncertain.Draws)
	u := &results.Uncertainty{Draws: n}
	var prices []float64
	for i, s := range chosen {
		var units []int
		for _, d := range all[i][1 : n+1] {
			units = append(units, d.units)
		}
		u.Options = append(u.Options, results.NewUncertainOption(s.option.Name, s.option.Units, all[i][0].units, units))
		prices = append(prices, s.Price)
		for _, d := range all[i] {
			p.runs, p.requests = p.runs+d.runs, p.requests+d.requests
		}
	}
	u.Compare(prices, p.Spare)
	return u
}

// tornado is what the ends of some factors come to for an option.
func (p *planner) tornado(option *sized, factors []int, ends []drawn) []results.TornadoBar {
	var bars []results.TornadoBar
	for i, factor := range factors {
		end := func(side int) results.TornadoEnd {
			d := &ends[2*i+side]
			e := results.TornadoEnd{Value: p.Uncertain.Ends[factor][side], Units: d.units, Attainment: d.attainment}
			if usd := option.option.Unit.USDPerHour; usd != nil && d.units > 0 {
				total := *usd * float64(d.units+p.Spare)
				e.USDPerHour = &total
			}
			return e
		}
		bars = append(bars, results.TornadoBar{Factor: p.Uncertain.Names[factor], Low: end(0), High: end(1)})
	}
	results.SortTornado(bars)
	return bars
}

// drawing is a planner of one draw, in which the mean decides: runs are too short to show anything.
func (p *planner) drawing(allowed int) *planner {
	own := newPlanner(p.Question, p.Options)
	own.pilots, own.Workers, own.Allowed, own.suffices = p.pilots, 1, allowed, (*results.Judgement).Meets
	return own
}
