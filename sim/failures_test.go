package sim

import (
	"fmt"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies/scaling"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// exponentialTimes are times with a mean.
func exponentialTimes(seed uint64, mean float64) func(int) units.Seconds {
	factor := exponentially(seed)
	return func(n int) units.Seconds { return units.Seconds(mean * factor(n)) }
}

// TestBreakdowns: an M/M/1 queue whose server breaks down at a rate f while it is up, is
// repaired at a rate r, and goes on where it was:
//
//	E[T] = (μf + (f+r)²) / ((f+r)(rμ - λ(f+r)))
//
// Tokens are an exponential number that take their time, and the step that computes them again
// has the next one.
func TestBreakdowns(t *testing.T) {
	effort.Whole(t)
	const tokens = 1000
	for _, c := range []struct{ load, f, r float64 }{{.3, .02, .2}, {.3, .1, 1}, {.5, .1, 1}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			s := setup{
				workload: poisson(c.load, 20000, fixed(1), exponential(tokens)), batching: continuous(1, 1<<40), warmup: 2000,
				cost: &hardware.Synthetic{PerDecodeRow: 1. / tokens, PerPrefillChunk: 1. / tokens}, queue: &RouterQueue{MaxInFlight: 1},
			}
			s.change = func(p *Pool, seed uint64) {
				p.Failures = []Failure{{Together: 1, Until: exponentialTimes(seed, 1/c.f), Repair: exponentialTimes(seed+100, 1/c.r)}}
			}
			want := (c.f + (c.f+c.r)*(c.f+c.r)) / ((c.f + c.r) * (c.r - c.load*(c.f+c.r)))
			s.replicate(t, sojourn).check(t, "E[T]", want)
		})
	}
}

// after is always the same time.
func after(t units.Seconds) func(int) units.Seconds { return func(int) units.Seconds { return t } }

func TestFailures(t *testing.T) {
	two := func(c *Config) { c.Pools[0].Replicas = 2 }
	for name, c := range map[string]struct {
		arrivals []units.Seconds
		change   func(*Config)
		failures []Failure
		ends     []units.Seconds
		states   string
	}{
		"lost with what it has, and repaired": {
			arrivals: []units.Seconds{0, 0, 2},
			failures: []Failure{{Together: 1, At: 1.5, Repair: after(2), Lose: true}},
			ends:     []units.Seconds{1, 1.5, 4.5}, states: "completed lost completed",
		},
		"sent again": {
			arrivals: []units.Seconds{0, 0, 2},
			failures: []Failure{{Together: 1, At: 1.5, Repair: after(2)}},
			ends:     []units.Seconds{1, 4.5, 5.5}, states: "completed completed completed",
		},
		"repaired, and cold": {
			arrivals: []units.Seconds{0, 2},
			change:   func(c *Config) { c.Pools[0].Startup = Startup{Cold: 3, FirstRequest: 0.25} },
			failures: []Failure{{Together: 1, At: 1.5, Repair: after(2)}},
			ends:     []units.Seconds{1, 7.75}, states: "completed completed",
		},
		"noticed later": { // the third and fifth request are sent to the first replica meanwhile
			arrivals: []units.Seconds{0, 0, 2, 2, 3},
			change:   two,
			failures: []Failure{{Together: 1, At: 0.5, Detection: 4, Repair: after(1)}},
			ends:     []units.Seconds{5.5, 1, 6.5, 3, 7.5}, states: "completed completed completed completed completed",
		},
		"noticed later, and lost": {
			arrivals: []units.Seconds{0, 0, 2, 2, 7},
			change:   two,
			failures: []Failure{{Together: 1, At: 0.5, Detection: 4, Repair: after(1), Lose: true}},
			ends:     []units.Seconds{4.5, 1, 4.5, 3, 8}, states: "lost completed lost completed completed",
		},
		"slow for a while": {
			arrivals: []units.Seconds{0, 0, 2, 2},
			failures: []Failure{{Together: 1, At: 1.5, Repair: after(2), Slowdown: 2}},
			ends:     []units.Seconds{1, 2, 4, 5}, states: "completed completed completed completed",
		},
		"slow twice": {
			arrivals: []units.Seconds{0, 0, 0, 0},
			failures: []Failure{{Together: 1, At: 0.5, Slowdown: 2}, {Together: 1, At: 1.5, Repair: after(3), Slowdown: 3}},
			ends:     []units.Seconds{1, 3, 9, 11}, states: "completed completed completed completed",
		},
		"slow again and again": {
			arrivals: []units.Seconds{0, 1, 2, 3, 4, 5},
			failures: []Failure{{Together: 1, Until: after(1.5), Repair: after(1), Slowdown: 2}},
			ends:     []units.Seconds{1, 2, 4, 6, 7, 9}, states: "completed completed completed completed completed completed",
		},
		"the other one takes all": {
			arrivals: []units.Seconds{0, 0, 0, 2},
			change:   two,
			failures: []Failure{{Together: 1, At: 0.5}},
			ends:     []units.Seconds{2, 1, 3, 4}, states: "completed completed completed completed",
		},
		"a node of two": {
			arrivals: []units.Seconds{0, 0, 0, 0},
			change:   func(c *Config) { c.Pools[0].Replicas = 3 },
			failures: []Failure{{Together: 2, At: 0.5}},
			ends:     []units.Seconds{2, 3, 1, 4}, states: "completed completed completed completed",
		},
		"the pool, for good": {
			arrivals: []units.Seconds{0, 0, 0, 2},
			change:   two,
			failures: []Failure{{At: 1.5}},
			ends:     []units.Seconds{1, 1, 0, 0}, states: "completed completed unfinished unfinished",
		},
		"the pool, where a scaler orders another": {
			arrivals: []units.Seconds{0, 0, 2},
			change: func(c *Config) {
				c.Pools[0].Scaling = &Scaling{Scaler: newScaler("fixed", scaling.Parameters{Replicas: 1}), Bounds: scaling.Bounds{IdleTimeout: 5}}
			},
			failures: []Failure{{At: 1.5}},
			ends:     []units.Seconds{1, 2.5, 3.5}, states: "completed completed completed",
		},
		"again and again": {
			arrivals: []units.Seconds{0, 1, 2, 3, 4, 5},
			failures: []Failure{{Together: 1, Until: after(2.5), Repair: after(1)}},
			ends:     []units.Seconds{1, 2, 4.5, 5.5, 8, 9}, states: "completed completed completed completed completed completed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			rec := course(t, func(config *Config) {
				config.Pools[0].Failures = c.failures
				if c.change != nil {
					c.change(config)
				}
			}, c.arrivals...)
			if got := ends(rec); !slices.Equal(got, c.ends) {
				t.Errorf("requests end at %v, not %v", got, c.ends)
			}
			states := ""
			for i := range rec.Requests {
				states += " " + rec.Requests[i].State.String()
			}
			if states != " "+c.states {
				t.Errorf("they are%s, not %s", states, c.states)
			}
		})
	}
}

// TestSparedByFailures: a run that ends before a failure strikes says so, and not where one strikes once or again and again.
func TestSparedByFailures(t *testing.T) {
	for at, want := range map[units.Seconds]int{1.5: 0, 1000: 1} {
		rec := course(t, func(config *Config) {
			config.Pools[0].Failures = []Failure{{Together: 1, At: at, Slowdown: 2}, {Together: 1, Until: after(1.2), Repair: after(0.1)}}
		}, 0, 1, 2, 3)
		if got := rec.Pools[0].Spared; got != want {
			t.Errorf("%d failures have not struck, want %d of the one after %v", got, want, at)
		}
	}
}

// TestTokensSurviveTheirReplica: of a prompt of 4 tokens and an answer of 5 that come one a
// second, the first token is there after 1 s and the third after 3 s. Its replica fails at 3.5
// s; the other one computes 4 + 3 tokens in a step, with which the fourth comes.
func TestTokensSurviveTheirReplica(t *testing.T) {
	for _, reference := range []bool{false, true} {
		traffic := &scripted{}
		traffic.add(0, 4, 5)
		config := written(traffic, 10, continuous(4, 100)(), continuous(4, 100)())
		config.Pools[0].Failures, config.Reference = []Failure{{Together: 1, At: 3.5}}, reference
		rec, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		r := &rec.Requests[0]
		if r.First != 1 || r.Last != 5.5 || r.Generated != 5 || r.State != metrics.Completed || rec.Totals.RecomputedTokens != 6 {
			t.Errorf("reference %t: %+v, %d tokens computed again", reference, r, rec.Totals.RecomputedTokens)
		}
	}
}

// TestWhatTakesTooLongIsLost: a prompt that takes longer than a replica lasts is not sent
// again for ever; those that wait behind it are not to blame.
func TestWhatTakesTooLongIsLost(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 5)
	for i := range 9 {
		traffic.add(units.Seconds(i), 1, 1)
	}
	config := written(traffic, 100, nil)
	p := &config.Pools[0]
	p.Batching, p.Cost = continuous(1, 100), &hardware.Synthetic{PerPrefillToken: 0.3}
	p.Failures = []Failure{{Together: 1, Until: after(1), Repair: after(0)}}
	rec, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rec.Requests {
		r := &rec.Requests[i]
		if want := i > 0; (r.State == metrics.Completed) != want || r.State == metrics.Lost == want {
			t.Errorf("request %d is %v", i, r.State)
		}
	}
	if at := float64(rec.Requests[0].Last); at != mostTries {
		t.Errorf("it was tried for %v s, not %d", at, mostTries)
	}
}
