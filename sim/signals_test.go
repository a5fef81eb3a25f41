package sim

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
	"kneepoint/workloads"
)

// noting sends every request to the first replica, and notes how many it is told to have.
type noting struct{ seen *[]int }

// Route implements routing.Router.
func (n noting) Route(_ *routing.Request, replicas routing.Replicas) int {
	*n.seen = append(*n.seen, replicas.At(0).Requests())
	return 0
}

// TestReportsAndDispatches: what is shown of a replica is its last report that has arrived, and
// each request that was sent since it was made, once. A request takes four steps of a second.
func TestReportsAndDispatches(t *testing.T) {
	for name, c := range map[string]struct {
		signals Signals
		at      []units.Seconds
		want    []int
	}{
		"at once":                     {Signals{}, []units.Seconds{0, .5, 4.5}, []int{0, 1, 1}},
		"late":                        {Signals{Delay: 1}, []units.Seconds{0, .5, 1.2, 1.8, 4.5, 5.5}, []int{0, 1, 2, 3, 4, 4}},
		"late, without dispatches":    {Signals{Delay: 1, IgnoreDispatches: true}, []units.Seconds{0, .5, 1.2, 1.8, 4.5, 5.5}, []int{0, 0, 1, 2, 4, 4}},
		"every second":                {Signals{Interval: 1, IgnoreDispatches: true}, []units.Seconds{.5, .7, 1.5, 2.5}, []int{0, 0, 2, 3}},
		"at the time of a report":     {Signals{Interval: 1}, []units.Seconds{1, 1.5, 2, 2.5}, []int{0, 1, 2, 3}},
		"reports have what came then": {Signals{Interval: 1, IgnoreDispatches: true}, []units.Seconds{1, 1.5}, []int{0, 1}},
		"every second and late":       {Signals{Interval: 1, Delay: .75, IgnoreDispatches: true}, []units.Seconds{.5, 1.5, 1.8, 2.8}, []int{0, 0, 1, 3}},
	} {
		for _, reference := range []bool{false, true} {
			var seen []int
			traffic := &scripted{}
			for _, at := range c.at {
				traffic.add(at, 1, 4)
			}
			config := written(traffic, 100, continuous(8, 8)())
			config.Router, config.Signals, config.Reference = always(noting{&seen}), c.signals, reference
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(seen, c.want) {
				t.Errorf("%s, reference %t: it has %v requests, want %v", name, reference, seen, c.want)
			}
		}
	}
}

// notingCached sends every request to the first replica, and notes what that has cached of it.
type notingCached struct{ seen *[]int }

// Route implements routing.Router.
func (n notingCached) Route(_ *routing.Request, replicas routing.Replicas) int {
	*n.seen = append(*n.seen, replicas.Cached(0))
	return 0
}

// TestCachedOfAPrompt: whole blocks, of two tokens here, and never the last token, which is
// computed in any case.
func TestCachedOfAPrompt(t *testing.T) {
	for _, reference := range []bool{false, true} {
		var seen []int
		traffic := &scripted{}
		for i, prompt := range []int{6, 6, 7, 3, 8} {
			traffic.add(units.Seconds(20*i), prompt, 1)
			traffic.requests[i].Content, traffic.requests[i].Named = &workloads.Content{IDs: []int{7}, Span: 1}, min(prompt, 7)
		}
		config := written(traffic, 100, continuous(8, 8)())
		config.Pools[0].Eviction = policies.LRU{}
		config.Router, config.Reference = always(notingCached{&seen}), reference
		if _, err := Run(context.Background(), config); err != nil {
			t.Fatal(err)
		}
		if want := []int{0, 4, 6, 2, 6}; !slices.Equal(seen, want) {
			t.Errorf("reference %t: %v tokens are cached, want %v", reference, seen, want)
		}
	}
}

// lateQuestion sends requests to the first replica until it asks for the one with the fewest.
type lateQuestion struct {
	t      *testing.T
	random *rand.Rand
}

// Route implements routing.Router.
func (l lateQuestion) Route(r *routing.Request, replicas routing.Replicas) int {
	if r.ID < 3 {
		return 0
	}
	to := replicas.FewestRequests(l.random)
	if to != 1 {
		l.t.Errorf("request %d goes to the replica that has all others", r.ID)
	}
	return to
}

// TestCountsBeforeTheFirstQuestion: the first question for the fewest requests counts those
// that were sent before.
func TestCountsBeforeTheFirstQuestion(t *testing.T) {
	traffic := &scripted{}
	for at := range 4 {
		traffic.add(units.Seconds(at), 1, 50)
	}
	config := written(traffic, 100, continuous(8, 8)(), continuous(8, 8)())
	config.Router = always(lateQuestion{t, rand.New(rand.NewPCG(1, 2))})
	if _, err := Run(context.Background(), config); err != nil {
		t.Fatal(err)
	}
}

// Requests whose prompts have been computed are no longer those of the replica that did.
func TestFewestRequestsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := drawApart(t)()
		config.Router, config.Signals = newCounting(t), Signals{}
		if _, err := Run(context.Background(), config); err != nil {
			t.Fatal(err)
		}
	})
}
