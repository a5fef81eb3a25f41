package sim

import (
	"context"
	"slices"
	"testing"

	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// waitsOf runs requests of one output token, each of which takes a replica a second, and
// returns how long they were at the router, and their states.
func waitsOf(t *testing.T, queue RouterQueue, requests ...workloads.Request) (at []units.Seconds, states []metrics.State) {
	t.Helper()
	for _, reference := range []bool{false, true} {
		traffic := &scripted{requests: slices.Clone(requests)}
		config := written(traffic, 10, continuous(1, 8)())
		config.Queue, config.Reference = &queue, reference
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		at, states = at[:0], states[:0]
		for _, r := range rec.Requests {
			at = append(at, units.Seconds(r.ToLast[metrics.Routing]))
			states = append(states, r.State)
		}
	}
	return at, states
}

// come are requests that arrive at these times.
func come(times ...units.Seconds) (all []workloads.Request) {
	for id, at := range times {
		all = append(all, workloads.Request{ID: id, Input: 1, Output: 1, Arrival: at, Planned: at})
	}
	return all
}

func TestWaitAtRouter(t *testing.T) {
	classes := come(0, 0, .25, .5)
	for i := range 3 {
		classes[i].Class = 1 // less urgent than the last
	}
	byClass := func(r workloads.Request) float64 { return float64(r.Class) }
	c, out := metrics.Completed, metrics.TimedOut
	for name, test := range map[string]struct {
		queue    RouterQueue
		requests []workloads.Request
		at       []units.Seconds
		states   []metrics.State
	}{
		"one at a time":     {RouterQueue{MaxInFlight: 1}, come(0, 0, .5), []units.Seconds{0, 1, 1.5}, nil},
		"two at a time":     {RouterQueue{MaxInFlight: 2}, come(0, 0, .5, .5), []units.Seconds{0, 0, .5, 1.5}, nil},
		"by class":          {RouterQueue{MaxInFlight: 1, Rank: byClass}, classes, []units.Seconds{0, 2, 2.75, .5}, nil},
		"token bucket":      {RouterQueue{Rate: .25, Burst: 2}, come(0, 1, 2, 20, 21, 22), []units.Seconds{0, 0, 2, 0, 0, 2}, nil},
		"gives up":          {RouterQueue{MaxInFlight: 1, Timeout: .75}, come(0, 0, .5), []units.Seconds{0, .75, .5}, []metrics.State{c, out, c}},
		"comes back":        {RouterQueue{MaxInFlight: 1, Timeout: .75, Retries: 1, Backoff: .5}, come(0, 0), []units.Seconds{0, 1.25}, []metrics.State{c, c}},
		"comes back late":   {RouterQueue{MaxInFlight: 1, Timeout: .25, Retries: 2, Backoff: .5}, come(0, 0), []units.Seconds{0, 2}, []metrics.State{c, c}},
		"gives up at last":  {RouterQueue{MaxInFlight: 1, Timeout: .25, Retries: 1, Backoff: .5}, come(0, 0), []units.Seconds{0, 1}, []metrics.State{c, out}},
		"lost to the queue": {RouterQueue{MaxInFlight: 1, Timeout: 1}, come(0, 0), []units.Seconds{0, 1}, []metrics.State{c, out}},
	} {
		t.Run(name, func(t *testing.T) {
			at, states := waitsOf(t, test.queue, test.requests...)
			if !slices.Equal(at, test.at) {
				t.Errorf("at the router for %v, want %v", at, test.at)
			}
			if test.states != nil && !slices.Equal(states, test.states) {
				t.Errorf("%v, want %v", states, test.states)
			}
		})
	}
}
