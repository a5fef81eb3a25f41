package sim

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestMixedPool: times by hand. Prompts of 4 tokens, answers of 3; a prompt takes 4 s where it is
// computed apart, and a step of a replica that decodes 1 s, whatever is in it.
func TestMixedPool(t *testing.T) {
	type times struct{ first, last, moved units.Seconds }
	for name, c := range map[string]struct {
		transfer        Transfer
		prefill, decode int // replicas
		quick           bool
		arrivals        []units.Seconds
		want            []times
	}{
		// The second finds the replica busy that prefills, and one that decodes serves it whole until 3. The
		// third finds that busy too, and the other one must stay. The fourth finds it free again, from its next step on.
		"prompts wait": {Transfer{MaxPendingTokens: 4}, 1, 2, false, []units.Seconds{0, 0, .5, 1.5, 20},
			[]times{{4, 8, 2}, {1, 3, 0}, {8, 12, 2}, {3, 5, 0}, {24, 28, 2}}},
		// Keys and values of the first are on their way until 3. One that prefills serves the others
		// that come until then; nobody does who is the last one of its kind.
		"answers wait":    {Transfer{MaxPendingRequests: 1}, 2, 1, true, []units.Seconds{0, 2, 2.5}, []times{{1, 5, 2}, {3, 5, 0}, {4, 6, 0}}},
		"the last ones":   {Transfer{MaxPendingRequests: 1}, 1, 1, true, []units.Seconds{0, 2}, []times{{1, 5, 2}, {3, 7, 2}}},
		"queues are long": {Transfer{MaxPendingTokens: 5}, 1, 2, false, []units.Seconds{0, 0}, []times{{8, 14, 4}, {8, 14, 4}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, reference := range []bool{false, true} {
				traffic := &scripted{}
				for _, at := range c.arrivals {
					traffic.add(at, 4, 3)
				}
				c.transfer.Bandwidth = 2
				config := apart(traffic, c.transfer)
				config.Reference = reference
				config.Pools[0].Replicas, config.Pools[1].Replicas = c.prefill, c.decode
				config.Pools[0].Batching, config.Pools[1].Batching = continuous(8, 8), continuous(8, 8)
				if c.quick {
					config.Pools[0].Cost = &hardware.Synthetic{StepFixed: 1}
				}
				f := newFleet(context.Background(), &config)
				rec, err := f.run()
				if err != nil {
					t.Fatal(err)
				}
				checkRecord(t, rec)
				if n := len(f.groupOf(0, mixed).members); n > 0 {
					t.Errorf("reference %t: %d replicas have not come back", reference, n)
				}
				for i, want := range c.want {
					r := rec.Requests[i]
					if got := (times{r.First, r.Last, units.Seconds(r.ToLast[metrics.KVTransfer])}); got != want {
						t.Errorf("request %d, reference %t: %v, want %v", i, reference, got, want)
					}
				}
			}
		})
	}
}

// TestQueuesThatAreNeverLong: with thresholds that no queue reaches, every request has the times that it has
// without a mixed pool. Replicas do not come and go: where they do, it matters to routers when a group is
// first asked for, since its members are in the order in which they came then.
func TestQueuesThatAreNeverLong(t *testing.T) {
	effort.Check(t, 5, func(t *rapid.T) {
		fresh := drawApart(t)
		run := func(most int) *metrics.Record {
			c := fresh()
			transfer := *c.Transfer
			transfer.MaxPendingTokens, transfer.MaxPendingRequests = most, most
			c.Transfer, c.Queue = &transfer, nil
			for i := range c.Pools {
				p := &c.Pools[i]
				p.Startup, p.Scaling, p.Restart, p.Failures = Startup{}, nil, nil, nil
			}
			rec, err := Run(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			return rec
		}
		never, reachable := run(0), run(1<<40)
		sameRequests(t, reachable, never)
	})
}

// astrayOnce is a router that once, of two replicas, sends a request to a third.
type astrayOnce struct{ done bool }

func (a *astrayOnce) Route(_ *routing.Request, replicas routing.Replicas) int {
	if replicas.Len() == 2 && !a.done {
		a.done = true
		return 2
	}
	return 0
}

// TestRouterOfWholeRequestsFails: a router that sends a whole request to no replica ends the run, as others do.
func TestRouterOfWholeRequestsFails(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 3)
	traffic.add(0, 4, 3)
	config := apart(traffic, Transfer{Bandwidth: 2, MaxPendingTokens: 4})
	config.Pools[1].Replicas = 2
	config.Pools[0].Batching, config.Pools[1].Batching = continuous(8, 8), continuous(8, 8)
	config.Router = func() routing.Router { return &astrayOnce{} }
	if _, err := Run(t.Context(), config); err == nil {
		t.Error("nobody has noticed")
	}
}
