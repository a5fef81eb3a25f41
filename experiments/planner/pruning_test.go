package planner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/search"
	"kneepoint/sim/metrics"
)

// curve is a candidate whose attainment is known for every number of units.
type curve struct {
	need      int     // units with which the target is met; 0: no number will do
	flattered int     // units fewer that look enough in short runs
	doubtful  int     // units fewer that may be enough, which no run tells
	most      float64 // the attainment that any number reaches
}

// units is how many units look enough in runs of a length.
func (c curve) units(length int) int {
	if length < longer*search.FirstRequests {
		return max(c.need-c.flattered, 1)
	}
	return c.need
}

// judgement is that of n units, which falls below the target with every unit that is missing.
func (c curve) judgement(n, length int, target float64) *results.Judgement {
	j := &results.Judgement{Attainment: c.most, Length: length}
	if c.need == 0 {
		j.Attainment = c.most * (1 - 1e-3/float64(n))
	} else if missing := c.units(length) - n; missing > 0 && c.need-n <= c.doubtful {
		j.Attainment, j.Surer, j.Needed = target+0.001, 0.002, 1e9
	} else if missing > 0 {
		j.Attainment, j.Saturated = target*math.Exp(-0.01*float64(missing)), missing > n
	}
	return j
}

// pilot has guessed the number of units, well or badly, and knows the attainment of requests alone.
func (c curve) pilot(r *rand.Rand) pilot {
	guess := math.Ceil(float64(max(c.need, 1)) * math.Exp(0.7*r.NormFloat64()))
	together := float64(max(c.need, 1)) * 0.05 * (1 + 3*r.Float64()) // with which pilot.enough is at least need
	offered := 1 + 10*r.Float64()
	return pilot{
		alone: results.Outcome{Metrics: metrics.Values{metrics.Attainment: c.most, metrics.MeanE2EL: 1e3 * together / offered}},
		rush:  results.Outcome{Metrics: metrics.Values{metrics.OfferedRate: offered, metrics.RequestThroughput: offered / guess}},
	}
}

// curves is a random grid with a planner that judges by them.
func curves(r *rand.Rand) (*planner, []Candidate, []curve) {
	p := newPlanner(Question{Target: 0.9, Spare: r.IntN(2)}, Options{})
	var candidates []Candidate
	all := make([]curve, 2+r.IntN(24))
	place := map[string]int{}
	for i := range all {
		all[i] = curve{need: int(math.Exp(4 * r.Float64())), flattered: r.IntN(3), doubtful: r.IntN(3), most: p.Target + 0.1*r.Float64()}
		if r.IntN(8) == 0 {
			all[i].need, all[i].most = 0, p.Target-0.05*r.Float64()
		}
		name, accelerator := fmt.Sprint(i), string(rune('a'+r.IntN(3)))
		c := Candidate{Price: 0.5 + float64(r.IntN(40))/8, Most: math.Inf(1), // so that there are equal prices
			Option: results.Option{Name: name, Unit: results.Unit{Accelerator: accelerator, Accelerators: 1}}}
		if r.IntN(4) == 0 {
			c.Most, c.Bound = float64(r.IntN(40)), "a limit"
		}
		place[name] = i
		candidates = append(candidates, c)
		p.pilots = append(p.pilots, all[i].pilot(r))
	}
	p.judges = func(_ context.Context, c *Candidate, n int, ask search.Ask) (*results.Judgement, error) {
		return all[place[c.Option.Name]].judgement(n, ask.Length, p.Target), nil
	}
	return p, candidates, all
}

// Nothing is left out that trying every number of units of every candidate would have chosen, however wrong the pilots'
// guesses are, and what is said of what is left out is so.
func TestNothingBetterIsLeftOut(t *testing.T) {
	for seed := range 1000 {
		p, candidates, all := curves(rand.New(rand.NewPCG(uint64(seed), 5)))
		if err := p.size(context.Background(), candidates); err != nil {
			t.Fatal(err)
		}
		for i := range p.found {
			if s := &p.found[i]; s.option.Units != all[s.place].need || s.price != p.tried(s.Candidate, all[s.place]) {
				t.Errorf("grid %d: %d units of %s, %d are enough", seed, s.option.Units, s.Option.Name, all[s.place].need)
			}
		}
		for i := range p.pruned {
			if s := &p.pruned[i]; p.wronglyOut(s, all[s.place]) {
				t.Errorf("grid %d: %s is out (%s), %d units are enough", seed, s.Option.Name, s.option.Out, all[s.place].need)
			}
		}
		if len(p.found)+len(p.pruned) != len(candidates) {
			t.Errorf("grid %d: %d found and %d pruned of %d", seed, len(p.found), len(p.pruned), len(candidates))
		}
	}
}

// tried is what a candidate costs, by trying every number of units; infinite where none is enough, or may be had.
func (p *planner) tried(c *Candidate, known curve) float64 {
	if known.need == 0 || float64(known.need) > c.Most {
		return math.Inf(1)
	}
	return c.Price * float64(known.need+p.Spare)
}

// wronglyOut tells whether a candidate would have been among the best of its accelerator, or is out for another reason
// than is said.
func (p *planner) wronglyOut(s *sized, known curve) bool {
	price, prices := p.tried(s.Candidate, known), p.prices(s.Option.Unit.Mix())
	if math.IsInf(price, 1) {
		return s.option.Out == results.OutFailed || s.option.Out == results.OutUnreachable && known.need > 0
	}
	return s.option.Out != results.OutDearer || len(prices) < ranked || price <= prices[ranked-1]
}
