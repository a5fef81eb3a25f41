package sim

import (
	"context"
	"testing"

	"kneepoint/units"
)

// TestSlowOnce: a prompt and an answer of 10 tokens take 10 steps of 1 s. From 2 s on those take twice as long, however often the
// failure strikes that nobody repairs; another failure that comes at 4 s multiplies that.
func TestSlowOnce(t *testing.T) {
	often := Failure{Until: after(1.5), Slowdown: 2}
	for name, c := range map[string]struct {
		failures []Failure
		together int
		last     units.Seconds
	}{
		"a replica": {[]Failure{often}, 1, 2 + 8*2},
		"a pool":    {[]Failure{often}, 0, 2 + 8*2},
		"and once":  {[]Failure{often, {At: 3, Slowdown: 3}}, 1, 2 + 2 + 7*6},
		"repaired":  {[]Failure{{At: 1.5, Slowdown: 2, Repair: after(2)}}, 1, 2 + 2 + 7},
	} {
		t.Run(name, func(t *testing.T) {
			for _, reference := range []bool{false, true} {
				traffic := &scripted{}
				traffic.add(0, 4, 10)
				config := written(traffic, 10, continuous(8, 8)())
				config.Reference = reference
				for _, f := range c.failures {
					f.Together = c.together
					config.Pools[0].Failures = append(config.Pools[0].Failures, f)
				}
				rec, err := Run(context.Background(), config)
				if err != nil {
					t.Fatal(err)
				}
				checkRecord(t, rec)
				if got := rec.Requests[0].Last; got != c.last {
					t.Errorf("reference %t: the last token comes at %v, want %v", reference, got, c.last)
				}
			}
		})
	}
}

// TestSlowLinksOnce: the same of a link, over which 4 bytes go at 2 a second from 4 on.
func TestSlowLinksOnce(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 3)
	config := apart(traffic, Transfer{Bandwidth: 2})
	config.Pools[0].Failures = []Failure{{Together: 1, Until: after(1.5), Slowdown: 2, Link: true}}
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	if got := rec.Requests[0].Last; got != 4+4+2 {
		t.Errorf("the last token comes at %v, want 10 s", got)
	}
}
