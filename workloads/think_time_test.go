package workloads

import (
	"math"
	"testing"

	"kneepoint/units"
)

// TestThinkTimes: a duration is a constant, a table a law in seconds; both come back from
// the resolved experiment, and have the mean and the bounds that they say.
func TestThinkTimes(t *testing.T) {
	for _, c := range []struct {
		text      string
		mean, std float64
		constant  bool
	}{
		{"'2s'", 2, 0, true},
		{"'0s'", 0, 0, true},
		{"{ type = 'fixed', mean = 0.25 }", 0.25, 0, true},
		{"{ type = 'exponential', mean = 0.3 }", 0.3, 0.3, false},
		{"{ type = 'lognormal', mean = 20, std = 10 }", 20, 10, false},
		{"{ type = 'gamma', mean = 0.02, std = 0.01 }", 0.02, 0.01, false},
		{"{ type = 'uniform', mean = 3, range_ratio = 0.5 }", 3, 3 * 0.5 / math.Sqrt(3), false},
		{"{ type = 'uniform', min = 1, max = 2 }", 1.5, 1 / math.Sqrt(12), false},
		{"{ type = 'empirical', quantiles = [0, 0.5, 1] }", 0.5, 1 / math.Sqrt(12), false},
		{"{ type = 'lognormal_mix', mix = [{ w = 1, mu = 0, sigma = 0.5 }] }", math.Exp(0.125), math.Exp(0.125) * math.Sqrt(math.Expm1(0.25)), false},
	} {
		spec := mustDecode(t, "[arrival]\nprocess = 'closed'\nconcurrency = 2\nthink_time = "+c.text+fixedLengths)
		think := spec.Arrival.ThinkTime
		var again ThinkTime
		if err := again.DecodeTOML(think.EncodeTOML()); err != nil || again.Mean != think.Mean || again.Type != think.Type || again.Max != think.Max {
			t.Errorf("%s: encoded and decoded: %+v, %v", c.text, again, err)
		}
		if think.Constant() != c.constant {
			t.Errorf("%s: constant is %t", c.text, think.Constant())
		}
		draws := newThinking(&think, 1, 0)
		const n = 20000
		var sum, squares float64
		for i := range n {
			x := float64(draws.after(i))
			sum, squares = sum+x, squares+x*x
		}
		mean := sum / n
		if c.mean == 0 {
			about(t, c.text+": mean of the draws plus 1", 1+mean, 1, 0)
			continue
		}
		about(t, c.text+": mean of the draws", mean, c.mean, 4*c.std/c.mean/math.Sqrt(n)+1e-12)
		about(t, c.text+": standard deviation", math.Sqrt(math.Max(squares/n-mean*mean, 0)), c.std, 0.05)
		about(t, c.text+": mean of the law", float64(draws.mean()), c.mean, 1e-3)
	}
}

// TestThinkTimesAreBounded: also a law that has negative values.
func TestThinkTimesAreBounded(t *testing.T) {
	for _, law := range []ThinkTime{{Type: "normal", Mean: 1, Std: 5}, {Type: "exponential", Mean: 3, Min: 2, Max: 4}} {
		draws := newThinking(&law, 1, 0)
		for i := range 1000 {
			if x := float64(draws.after(i)); x < law.Min || law.Max > 0 && x > law.Max {
				t.Fatalf("%+v thinks %v s", law, x)
			}
		}
	}
}

// TestStaggeredStarts: nobody joins before the first response, and then all do within a
// few cycles, one by one and at random. The first cycle after that sends requests at
// about the rate of the loop.
func TestStaggeredStarts(t *testing.T) {
	for _, think := range []string{"0s", "1s", "20s"} {
		const clients, service = 200, 4
		traffic := mustNew(t, "num_requests = 2000\n[arrival]\nprocess = 'closed'\nconcurrency = 200\nthink_time = '"+think+"'"+fixedLengths, 1)
		served, most := serve(t, traffic, service)
		pause, err := units.ParseSeconds(think)
		if err != nil {
			t.Fatal(err)
		}
		cycle := service + pause
		if served[1].Arrival < service {
			t.Errorf("think time %s: the second request comes at %v, before the first was answered", think, served[1].Arrival)
		}
		if most > clients || float64(most) < 0.9*clients*float64(service/cycle) {
			t.Errorf("think time %s: %d in flight at most", think, most)
		}
		early, together := 0, 0
		for i, r := range served {
			if r.Arrival > service && r.Arrival <= service+cycle {
				early++
			}
			if i > 0 && r.Arrival == served[i-1].Arrival {
				together++
			}
		}
		if float64(early) < 0.7*clients || float64(early) > 1.3*clients || together > 0 {
			t.Errorf("think time %s: %d requests in the first cycle after the first response, %d at the same time as another", think, early, together)
		}
	}
}

// TestUsersJoinInTheMiddle: the first conversation of a user begins at any turn, with
// what was said before in its prompt; those after it with the first turn.
func TestUsersJoinInTheMiddle(t *testing.T) {
	traffic := mustNew(t, "num_requests = 4000\n[session]\nturns = 5\nusers = 400\ninput = { type = 'fixed', mean = 10 }\noutput = { type = 'fixed', mean = 3 }", 1)
	first := map[int]int{} // prompts that a conversation begins with, by tokens
	seen := map[int]bool{}
	converse(traffic, func(Request) units.Seconds { return 1 }, func(r Request, _ units.Seconds) {
		if own := r.Content.At(0); !seen[own] {
			seen[own] = true
			if len(seen) <= 100 { // of users who join
				first[r.Input]++
			} else if len(seen) > 500 && r.Input != 10 {
				t.Errorf("a later conversation begins with %d tokens", r.Input)
			}
		}
	})
	for turn := range 5 {
		if n := first[10+13*turn]; n < 8 || n > 40 {
			t.Errorf("%d users join at turn %d: %v", n, turn, first)
		}
	}
}
