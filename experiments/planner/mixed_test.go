package planner

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
)

// mixes gives the candidates of a grid accelerators of two names, in various proportions, without limits. All cost about the same, so
// that another price changes their order.
func mixes(r *rand.Rand, p *planner, candidates []Candidate, known []curve) {
	for i := range candidates {
		c, a, b := &candidates[i], 1+r.IntN(6), 1+r.IntN(6)
		if r.IntN(8) == 0 {
			b = 0
		}
		parts := []results.Part{{Accelerator: "a", Accelerators: a, USDPerHour: 3 * float64(a)}, {Accelerator: "b", Accelerators: b, USDPerHour: 2 * float64(b)}}
		c.Price, c.Most, c.Bound = parts[0].USDPerHour+parts[1].USDPerHour, math.Inf(1), ""
		if known[i].need > 0 {
			known[i].need = int(300 / c.Price * (1 + 0.2*r.Float64()))
			p.pilots[i] = known[i].pilot(r)
		}
		unit := &c.Option.Unit
		unit.Accelerators, unit.USDPerHour, unit.Accelerator = a+b, &c.Price, "a + b"
		switch {
		case b == 0:
			unit.Accelerator = "a"
		default:
			unit.Of = parts
		}
	}
}

// What the answers rank first at another price of one accelerator is what trying all candidates finds at that price, also where
// units have several accelerators.
func TestOtherPricesOfMixes(t *testing.T) {
	for seed := range 1000 {
		r := rand.New(rand.NewPCG(uint64(seed), 6))
		p, candidates, known := curves(r)
		mixes(r, p, candidates, known)
		if err := p.size(context.Background(), candidates); err != nil {
			t.Fatal(err)
		}
		p.rank()
		a := results.Answer{Least: "cost", Demand: results.Demand{Spare: p.Spare}, Options: p.results().Options}
		for _, w := range a.WhatIfPrices(0, nil) {
			prices := map[string]float64{"a": 3, "b": 2}
			factor := 0.7
			if w.What[len(w.What)-len("dearer"):] == "dearer" {
				factor = 1.3
			}
			prices[w.What[:1]] *= factor
			least := math.Inf(1)
			for i := range candidates {
				if need := known[i].need; need > 0 {
					each := 0.0
					for _, part := range candidates[i].Option.Unit.Parts() {
						each += prices[part.Accelerator] * float64(part.Accelerators)
					}
					least = min(least, each*float64(need+p.Spare))
				}
			}
			if math.Abs(*w.USD-least) > 1e-9*least {
				t.Errorf("grid %d: %s: %s for %v, by trying all %v", seed, w.What, w.Best, *w.USD, least)
			}
		}
	}
}

// Answers of one price are ranked by how well they serve, whatever rounding has made of the price.
func TestRoundingRanksNothing(t *testing.T) {
	p := newPlanner(Question{Target: 0.9}, Options{})
	tenth, one, two := 0.1, 0.95, 0.97
	for i, price := range []float64{0.3, tenth + 2*tenth} { // 0.30000000000000004
		c := &Candidate{Option: results.Option{Name: string(rune('a' + i))}}
		judged := &results.Judgement{Attainment: []float64{one, two}[i]}
		p.found = append(p.found, sized{Candidate: c, price: price, option: results.Option{Name: c.Option.Name, Judged: judged}})
	}
	if p.rank(); p.found[0].option.Name != "b" {
		t.Errorf("%s stands first, want b, which serves better at the same price", p.found[0].option.Name)
	}
}
