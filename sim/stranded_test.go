package sim

import (
	"context"
	"testing"

	"kneepoint/policies/scaling"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// ticking wants one replica, each time that it is asked.
type ticking struct{ interval units.Seconds }

// Wanted implements scaling.Scaler.
func (ticking) Wanted(*scaling.Signals) int { return 1 }

// Next implements scaling.Scaler.
func (t ticking) Next(now units.Seconds) units.Seconds { return now + t.interval }

// TestStrandedRunsEnd: where the only replica that decodes is lost at 5 and nobody starts another, the run ends, though
// the scaler of those that prefill looks at them every second. The request of 5 tokens that comes then waits
// in vain for its answer.
func TestStrandedRunsEnd(t *testing.T) {
	for _, reference := range []bool{false, true} {
		traffic := &scripted{}
		traffic.add(6, 4, 3)
		config := apart(traffic, Transfer{Bandwidth: 2})
		config.Reference = reference
		config.Pools[0].Batching, config.Pools[1].Batching = continuous(8, 8), continuous(8, 8)
		config.Pools[0].Scaling = &Scaling{Scaler: func() scaling.Scaler { return ticking{1} }, Bounds: scaling.Bounds{Min: 1, Max: 3}}
		config.Pools[1].Failures = []Failure{{Together: 1, At: 5}}
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		if r := rec.Requests[0]; r.State != metrics.Unfinished || r.Generated != 1 || rec.Ended > 12 {
			t.Errorf("reference %t: the run ends at %v with %+v", reference, rec.Ended, r)
		}
	}
}

// TestTooLongForTheOtherPart: a request that fits in none of the replicas which do one part of it is rejected when it
// comes, though it would wait for those that do the other, which are lost.
func TestTooLongForTheOtherPart(t *testing.T) {
	const prefill, decode = 0, 1
	for name, c := range map[string]struct {
		mode        TransferMode
		lost, small int // pools
	}{
		"those that decode are lost":  {Reserve, decode, prefill},
		"those that prefill are lost": {Pull, prefill, decode},
	} {
		t.Run(name, func(t *testing.T) {
			traffic := &scripted{}
			traffic.add(6, 10, 3)
			config := apart(traffic, Transfer{Bandwidth: 2, Mode: c.mode})
			config.Pools[c.lost].Failures = []Failure{{Together: 1, At: 5}}
			config.Pools[c.small].Blocks = 2 // of two tokens
			rec, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			if r := rec.Requests[0]; r.State != metrics.Rejected {
				t.Errorf("the request is %v", r.State)
			}
		})
	}
}

// TestScalersReplaceTheLost: one request is lost with the only replica, for whose place another one waits at the router.
// Nothing happens any more then but that the scaler looks, at 10.
func TestScalersReplaceTheLost(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 5)
	traffic.add(0, 4, 5)
	config := written(traffic, 10, continuous(8, 8)(), continuous(8, 8)(), continuous(8, 8)())
	p := &config.Pools[0]
	p.Replicas, config.Queue = 1, &RouterQueue{MaxInFlight: 1}
	p.Scaling = &Scaling{Scaler: func() scaling.Scaler { return ticking{10} }, Bounds: scaling.Bounds{Min: 1, Max: 3}}
	p.Failures = []Failure{{Together: 1, At: 1.5, Lose: true}}
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	if a, b := rec.Requests[0], rec.Requests[1]; a.State != metrics.Lost || b.State != metrics.Completed || b.Last != 15 {
		t.Errorf("%+v and %+v", a, b)
	}
}
