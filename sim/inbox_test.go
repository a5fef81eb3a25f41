package sim

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestInboxesChangeNothing runs fleets that hand out many requests before their replicas run, under every router, beside the same
// ones that bring each when it arrives: nothing of the record differs.
func TestInboxesChangeNothing(t *testing.T) {
	most := 0
	effort.Check(t, 40, func(t *rapid.T) {
		fresh := drawInboxes(t)
		run := func(inboxes bool) *metrics.Record {
			c := fresh()
			f := newFleet(context.Background(), &c)
			if !inboxes {
				f.inFlight = map[int]workloads.Request{} // as where replicas fail
			}
			rec, err := f.run()
			if err != nil {
				t.Fatal(err)
			}
			if f.deposited != 0 {
				t.Errorf("%d requests are left in inboxes", f.deposited)
			}
			for _, r := range f.replicas {
				most = max(most, cap(r.inbox))
			}
			return rec
		}
		with, without := run(true), run(false)
		sameRequests(t, without, with)
		sameTotals(t, without, with)
		sameGaps(t, &without.ITL, &with.ITL)
		if !reflect.DeepEqual(with.Trend, without.Trend) {
			t.Errorf("the trend is %+v, and %+v", with.Trend, without.Trend)
		}
	})
	if most < inboxSize {
		t.Errorf("no inbox was ever full: at most %d", most)
	}
}

// drawInboxes is a fleet that may keep inboxes.
func drawInboxes(t *rapid.T) func() Config {
	if rapid.Bool().Draw(t, "several pools") {
		return drawFleet(t)
	}
	deployment := drawDeployment(t)
	replicas := rapid.IntRange(1, 3).Draw(t, "replicas of the fleet")
	limit := rapid.SampledFrom([]units.Seconds{0, 0, 0.5, 3}).Draw(t, "max time")
	drain := rapid.Bool().Draw(t, "drain")
	entry := rapid.SampledFrom(routing.Routers).Draw(t, "router entry")
	return func() Config {
		c := deployment()
		c.Pools[0].Replicas, c.Drain, c.MaxTime, c.Requests = replicas, drain, limit, 0
		c.Router = func() routing.Router { return entry.New(entry.Defaults, rand.New(rand.NewPCG(1, 2))) }
		return c
	}
}

// TestWatchedRunsKeepNoInboxes: who watches a run as it goes on sees requests when they come.
func TestWatchedRunsKeepNoInboxes(t *testing.T) {
	for name, watch := range map[string]func(*Config){
		"nobody":   func(*Config) {},
		"observer": func(c *Config) { c.Observer = new(stepCounter) },
		"timeline": func(c *Config) { c.Timeline = &metrics.Timeline{} },
	} {
		c := Config{Traffic: &scripted{}}
		watch(&c)
		if got := newFleet(context.Background(), &c).keepsInboxes(); got != (name == "nobody") {
			t.Errorf("%s watches, inboxes: %t", name, got)
		}
	}
}
