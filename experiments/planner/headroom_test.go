package planner

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/search"
	"kneepoint/workloads"
)

// roomOf is the headroom of one unit that meets the target up to a multiple of the demand, where judgements are off by chance, which
// their intervals say.
func roomOf(t *testing.T, bears, noise float64, seed uint64) *results.Headroom {
	t.Helper()
	p := newPlanner(Question{Target: 0.9}, Options{})
	p.pilots = []pilot{{}}
	random, missed := rand.New(rand.NewPCG(seed, 1)), 0.0
	p.judges = func(_ context.Context, c *Candidate, _ int, ask search.Ask) (*results.Judgement, error) {
		load, _ := c.Unit.Traffic.Load()
		if ask.Lasting != missed {
			t.Errorf("misses last %v requests, want %v, as at the least load that is shown to miss the target", ask.Lasting, missed)
		}
		at := 1 / (1 + math.Exp(10*math.Log(load/bears)-math.Log(9)))
		j := &results.Judgement{Attainment: at + noise*random.NormFloat64(), Surer: 2.576 * noise, Lasting: load}
		if j.Clear(p.Target) && !j.Meets(p.Target) && j.Attainment > mostlyMet {
			missed = load
		}
		return j, nil
	}
	c := &Candidate{Most: math.Inf(1)}
	c.Unit.Traffic.Arrival = &workloads.ArrivalSpec{Process: "poisson", Rate: 1}
	room, err := p.headroom(t.Context(), &sized{Candidate: c, option: results.Option{Units: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return room
}

// TestHeadroomIsShown: what units bear lies between what they are shown to bear and to miss, whatever chance does to the judgements, and these
// are near each other where it does little.
func TestHeadroomIsShown(t *testing.T) {
	const seeds = 300
	wrong, wide := 0, 0.0
	for seed := range uint64(seeds) {
		h := roomOf(t, 1.4, 0.01, seed)
		if wide += h.Missed / h.Met / seeds; !(h.Met <= 1.4 && 1.4 <= h.Missed) {
			wrong++
		}
	}
	if wide > 1.1 { // intervals of 3 % of the load on either side, and steps of 4 %
		t.Errorf("rooms are %v wide in the mean", wide)
	}
	if wrong > seeds/20 { // some four judgements each that are wrong once in a hundred
		t.Errorf("%d of %d rooms do not hold what the units bear", wrong, seeds)
	}
	for _, bears := range []float64{1.01, 1.4, 3.5} {
		if h := roomOf(t, bears, 1e-6, 1); !(h.Met <= bears && bears <= h.Missed && h.Missed <= 1.09*h.Met) {
			t.Errorf("%v: from %v to %v", bears, h.Met, h.Missed)
		}
	}
	if h := roomOf(t, 10, 1e-6, 1); h.Met != mostRoom || h.Missed != 0 {
		t.Errorf("what bears ten times the demand: %+v", h)
	}
}

// TestHeadroomLearnsHowLongMissesLast: a load that is shown to miss the target tells of smaller ones how long misses last, unless it misses
// it so often that it tells of the opposite.
func TestHeadroomLearnsHowLongMissesLast(t *testing.T) {
	for attainment, want := range map[float64]float64{0.8: 7, 0.2: 0} {
		r := room{met: 1, unmissed: 1}
		r.note(1.5, &results.Judgement{Attainment: attainment, Surer: 0.01, Lasting: 7}, 0.9)
		if r.lasting != want || r.missed != 1.5 || r.unmet != 1.5 {
			t.Errorf("%v: %+v", attainment, r)
		}
	}
	early := room{met: 1, unmissed: 1}
	if early.note(1.05, &results.Judgement{Attainment: 0.95, Surer: 0.1}, 0.9); early.unmet != 0 || early.unmissed != 1.05 {
		t.Errorf("what is not clear before it is known how long misses last: %+v", early)
	}
	r := room{met: 1, unmet: 1.2, unmissed: 1.3, missed: 1.5}
	if r.note(1.3, &results.Judgement{Attainment: 0.95}, 0.9); r.met != 1 {
		t.Errorf("what is shown of a load above one that is not shown to meet the target: %+v", r)
	}
}
