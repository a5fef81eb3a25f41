package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kneepoint/policies/routing"
	"kneepoint/units"
)

// TestLeastTTFT: a prompt of 21 tokens that another replica has, 5 blocks, comes while that one has 101
// tokens of another prompt to compute. An idle one takes 22 s for all, or 5 s to fetch and 2 s to compute the last
// token; the one that has it would take 101 · 22 / 21 + 2 = 108 s. A minute later that is idle, and takes 2 s.
func TestLeastTTFT(t *testing.T) {
	for name, c := range map[string]struct {
		sharing *Sharing
		busy    units.Seconds // TTFT while the one that has the prompt is busy
		other   int           // tokens of the other prompt, 20 of which are there
	}{
		"nothing is shared": {nil, 22, 122},
		"peers":             {&Sharing{Peers: true, Bandwidth: 1, Threshold: 1}, 7, 122},
		"peers far away":    {&Sharing{Peers: true, Bandwidth: 0.2, Threshold: 1}, 22, 122},
		"store":             {&Sharing{Blocks: 100, Bandwidth: 1, Threshold: 1}, 7, 122},
		"others are there":  {&Sharing{Peers: true, Bandwidth: 1, Threshold: 1, Shared: true}, 7, 122},
		"soon idle":         {&Sharing{Peers: true, Bandwidth: 0.3, Threshold: 1}, 2 + 2, 31}, // 11 · 22 / 21 + 2 < 5 / 0.3 + 2
	} {
		t.Run(name, func(t *testing.T) {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 21)
			prompts(traffic, 100, 1, 10, c.other)
			prompts(traffic, 110, 1, 10, 21)
			prompts(traffic, 1000, 1, 10, 21)
			config := sharers(traffic, 2, 100, c.sharing)
			config.Router = func() routing.Router { return &routing.LeastTTFT{Random: rand.New(rand.NewPCG(1, 2))} }
			rec := outcome(t, config)
			for id, want := range map[int]units.Seconds{2: c.busy, 3: 2} {
				if got := rec.Requests[id].TTFT(); math.Abs(float64(got-want)) > 1e-6 {
					t.Errorf("request %d has its first token after %v, want %v", id, got, want)
				}
			}
		})
	}
}

// looks notes the least TTFT that replicas are thought to have, and sends requests to the replicas of given numbers.
type looks struct {
	inTurn
	seen []units.Seconds
}

func (l *looks) Route(r *routing.Request, replicas routing.Replicas) int {
	for i := range replicas.Len() {
		l.seen = append(l.seen, replicas.TTFT(i))
	}
	return l.inTurn.Route(r, replicas)
}

// TestEstimatesSeeLostBlocks: a prompt is thought to take longer with each of its blocks that the answer of another request has
// taken, whether steps are taken together or not, though replicas report once in 1000 s.
func TestEstimatesSeeLostBlocks(t *testing.T) {
	different := map[units.Seconds]bool{}
	for at := units.Seconds(100.5); at < 150; at++ {
		var seen [2][]units.Seconds
		for i, reference := range []bool{false, true} {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 21)
			traffic.add(100, 1, 47)
			prompts(traffic, at, 1, 10, 21)
			config := sharers(traffic, 2, 12, nil)
			router := &looks{inTurn: inTurn{numbers: []int{0, 0, 1}}}
			config.Router = func() routing.Router { return router }
			config.Reference, config.Signals = reference, Signals{Interval: 1000}
			outcome(t, config)
			seen[i] = router.seen
		}
		if !slices.Equal(seen[0], seen[1]) {
			t.Errorf("a request at %v is thought to take %v, step by step %v", at, seen[0], seen[1])
		}
		different[seen[0][4]] = true
	}
	if len(different) < 5 {
		t.Errorf("the prompt takes %v", different)
	}
}
