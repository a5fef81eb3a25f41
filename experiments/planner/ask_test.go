package planner

import (
	"context"
	"math"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/search"
)

// unitsOf is the number of units that a planner finds enough of a candidate without limits.
func unitsOf(t *testing.T, p *planner) int {
	t.Helper()
	p.pilots = []pilot{{}}
	s := p.newSizing(&Candidate{Most: math.Inf(1)}, 0)
	for found, err := false, error(nil); !found; {
		if found, err = s.look(t.Context(), math.Inf(1)); err != nil {
			t.Fatal(err)
		}
	}
	return s.met
}

// TestFewerUnitsTellHowLongMissesLast: a judgement is told what that of the most units that missed the target says.
func TestFewerUnitsTellHowLongMissesLast(t *testing.T) {
	const need = 9
	p, most, told := newPlanner(Question{Target: 0.9}, Options{}), 0, 0
	p.judges = func(_ context.Context, _ *Candidate, n int, ask search.Ask) (*results.Judgement, error) {
		want := 0.0
		if most > 0 && most < n {
			want = 1000 / float64(most)
			told++
		}
		if ask.Lasting != want {
			t.Errorf("%d units: misses last %v requests, want %v", n, ask.Lasting, want)
		}
		if ask.Tentative == (ask.Length > search.FirstRequests) {
			t.Errorf("%d units in runs of %d: tentative %v", n, ask.Length, ask.Tentative)
		}
		j := &results.Judgement{Attainment: 0.95, Lasting: 1000 / float64(n)}
		if n < need {
			j.Attainment, most = 0.5, max(most, n)
		}
		return j, nil
	}
	if met := unitsOf(t, p); met != need || told < 3 {
		t.Errorf("%d units after %d judgements that were told", met, told)
	}
}

// TestDoubtfulMissesAreLookedAtAgain: what short runs have just below the target counts as not enough when runs as long as those that
// confirm an answer have it there, too; where these have it above, it is the answer.
func TestDoubtfulMissesAreLookedAtAgain(t *testing.T) {
	const need = 9
	for _, long := range []float64{0.901, 0.899} {
		p, again := newPlanner(Question{Target: 0.9}, Options{}), 0
		p.judges = func(_ context.Context, _ *Candidate, n int, ask search.Ask) (*results.Judgement, error) {
			j := &results.Judgement{Attainment: 0.1 * float64(n), Surer: 0.002}
			if n == need {
				j.Attainment = 0.899
				if !ask.Tentative {
					j.Attainment, again = long, again+1
				}
			}
			return j, nil
		}
		want := need
		if long < p.Target {
			want++
		}
		if met := unitsOf(t, p); met != want || again != 1 {
			t.Errorf("%v in long runs: %d units, looked at %d times", long, met, again)
		}
	}
}

// TestOnlyWhatIsShownIsEnough: a number of units whose mean is above the target, and whose interval holds it, is not enough where more runs
// might tell; where none may, as of a trace, the mean decides, and in draws.
func TestOnlyWhatIsShownIsEnough(t *testing.T) {
	const need, unsettling = 9, 123_456
	for _, c := range []struct {
		needed int
		by     suffices
		want   int
	}{{1e6, nil, need}, {0, nil, need - 1}, {1e6, (*results.Judgement).Meets, need - 1}} {
		p := newPlanner(Question{Target: 0.9}, Options{})
		if c.by != nil {
			p.suffices = c.by
		}
		var least []int // that were asked for of the answer
		p.judges = func(_ context.Context, _ *Candidate, n int, ask search.Ask) (*results.Judgement, error) {
			if n == need {
				least = append(least, ask.Least)
			}
			switch {
			case n >= need:
				return &results.Judgement{Attainment: 0.95, Surer: 0.01}, nil
			case n == need-1:
				return &results.Judgement{Attainment: 0.901, Surer: 0.002, Needed: c.needed, Requests: unsettling}, nil
			}
			return &results.Judgement{Attainment: 0.5}, nil
		}
		if met := unitsOf(t, p); met != c.want {
			t.Errorf("%+v: %d units", c, met)
		}
		if c.want == need && least[len(least)-1] != unsettling {
			t.Errorf("%+v: the answer is told by %v requests, want as many as did not settle one less", c, least)
		}
	}
}

// TestDrawsGoByTheMean: a draw takes what a plan does not, of which the interval holds the target.
func TestDrawsGoByTheMean(t *testing.T) {
	p, hardly := newPlanner(Question{Target: 0.9}, Options{}), &results.Judgement{Attainment: 0.901, Surer: 0.002, Needed: 1e6}
	if p.suffices(hardly, p.Target) || !p.drawing(1).suffices(hardly, p.Target) {
		t.Errorf("enough for a plan %t, for a draw %t", p.suffices(hardly, p.Target), p.drawing(1).suffices(hardly, p.Target))
	}
}

// TestWhatIsNeverSettledFails: where the most units that change anything are not settled, it is not said that no number would do.
func TestWhatIsNeverSettledFails(t *testing.T) {
	p := newPlanner(Question{Target: 0.9}, Options{})
	p.pilots = []pilot{{}}
	p.judges = func(context.Context, *Candidate, int, search.Ask) (*results.Judgement, error) {
		return &results.Judgement{Attainment: 0.901, Surer: 0.002, Needed: 1e6}, nil
	}
	s := p.newSizing(&Candidate{Most: math.Inf(1)}, 0)
	s.enough = 3
	for done, err := false, error(nil); !done; {
		if done, err = p.advance(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.pruned) != 1 || p.pruned[0].option.Out != results.OutFailed {
		t.Errorf("found %d, out %+v", len(p.found), p.pruned)
	}
}
