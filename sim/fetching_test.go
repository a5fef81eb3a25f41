package sim

import (
	"math"
	"testing"

	"kneepoint/policies/routing"
	"kneepoint/units"
)

// TestFetchesShareALink: of 5 blocks at a byte a second, one fetch takes 5 s and half a second of latency, two
// at once over one link twice 5 s. Behind each comes a step of the last token.
func TestFetchesShareALink(t *testing.T) {
	for name, c := range map[string]struct {
		sharing Sharing
		want    units.Seconds
	}{
		"store, one link":      {Sharing{Blocks: 100, Shared: true}, 10.5 + 2},
		"store, links of each": {Sharing{Blocks: 100}, 5.5 + 2},
		"peers, one link":      {Sharing{Peers: true, Shared: true}, 10.5 + 2},
		"peers, links of each": {Sharing{Peers: true}, 10.5 + 2}, // both from the one that has it
	} {
		t.Run(name, func(t *testing.T) {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 21)
			prompts(traffic, 1000, 1, 10, 21)
			prompts(traffic, 1000, 1, 10, 21)
			c.sharing.Bandwidth, c.sharing.Latency, c.sharing.Threshold = 1, 0.5, 1
			rec := outcome(t, sharers(traffic, 3, 20, &c.sharing))
			for _, id := range []int{1, 2} {
				if got := rec.Requests[id].TTFT(); math.Abs(float64(got-c.want)) > 1e-6 {
					t.Errorf("request %d has its first token after %v, want %v", id, got, c.want)
				}
			}
		})
	}
}

// TestFetchesAreLeft: over a link on which another fetch is under way one that would take 20 s instead of 10 is not
// begun where computing takes as long, and neither is one of less than so many times what the replica has.
func TestFetchesAreLeft(t *testing.T) {
	for _, c := range []struct {
		bandwidth units.BytesPerSecond
		threshold float64
		own       int // tokens that each of the others has
		fetched   int64
	}{
		{1, 1, 0, 40}, {0.5, 1, 0, 20}, // the second one computes
		{1, 5, 5, 8 + 32}, {1, 5.1, 5, 8}, // 4 at first, and then 20 instead of 4
		{1, 100, 0, 40},
	} {
		traffic := &scripted{}
		prompts(traffic, 0, 1, 10, 21)
		for range 2 {
			prompts(traffic, 500, 1, 10, max(1, c.own))
		}
		traffic.add(800, 1, 1)
		for range 2 {
			prompts(traffic, 1000, 1, 10, 21)
		}
		config := sharers(traffic, 3, 20, &Sharing{Blocks: 100, Bandwidth: c.bandwidth, Shared: true, Threshold: c.threshold})
		config.Router = func() routing.Router { return &inTurn{numbers: []int{0, 1, 2, 0, 1, 2}} }
		if got := outcome(t, config).Totals.FetchedTokens; got != c.fetched {
			t.Errorf("%+v: %d tokens were fetched", c, got)
		}
	}
}

// TestBlocksAreSharedWhenComputed: nobody fetches what a step under way computes, or what is still on its
// way to the store.
func TestBlocksAreSharedWhenComputed(t *testing.T) {
	for at, fetched := range map[units.Seconds]map[bool]int64{ // 20 s of prompt and 1 s of step, then 10 s to the store
		21.5: {true: 20, false: 0},
		20.5: {true: 0, false: 0},
		31.5: {true: 20, false: 20},
	} {
		for peers, want := range fetched {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 21)
			prompts(traffic, at+1, 1, 10, 21)
			rec := outcome(t, sharers(traffic, 2, 20, &Sharing{Peers: peers, Blocks: 100, Bandwidth: 0.5, Threshold: 1}))
			if got := rec.Totals.FetchedTokens; got != want {
				t.Errorf("peers %v: %d tokens were fetched by a request at %v, want %d", peers, got, at+1, want)
			}
		}
	}
}

// TestFetchesOfLostReplicas: one that fails while it fetches has its request sent again; what a peer had
// begun to send arrives, though it fails, and a peer that has failed is not asked.
func TestFetchesOfLostReplicas(t *testing.T) {
	for name, c := range map[string]struct {
		before int           // tokens of another prompt, which the other one computes from 990 on
		fails  units.Seconds // the first replica, which has the prompt
		first  units.Seconds // token of the request that arrives at 1000 at the other one
		bytes  units.Bytes   // that are fetched
	}{
		"while it sends": {1, 1002, 1007, 5},
		"before":         {1, 500, 1022, 0},
		"later":          {1, 2000, 1007, 5},
		"after a wait":   {29, 2000, 1020 + 7, 5},
		"while it waits": {29, 1010, 1020 + 22, 0},
	} {
		t.Run(name, func(t *testing.T) {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 21)
			traffic.add(990, c.before, 1)
			prompts(traffic, 1000, 1, 10, 21)
			config := sharers(traffic, 2, 20, &Sharing{Peers: true, Bandwidth: 1, Threshold: 1})
			config.Router = func() routing.Router { return &inTurn{numbers: []int{0, 1, 1}} }
			config.Pools[0].Failures = []Failure{{Together: 1, At: c.fails, Repair: func(int) units.Seconds { return 1e6 }}}
			rec := outcome(t, config)
			if got := rec.Requests[2].First; math.Abs(float64(got-c.first)) > 1e-6 || rec.Totals.FetchedBytes != c.bytes {
				t.Errorf("the first token came at %v, want %v; %v were fetched, want %v", got, c.first, rec.Totals.FetchedBytes, c.bytes)
			}
		})
	}
}

// inTurn sends requests to the replicas of given numbers.
type inTurn struct{ numbers []int }

func (r *inTurn) Route(_ *routing.Request, replicas routing.Replicas) int {
	number := r.numbers[0]
	r.numbers = r.numbers[1:]
	for i := range replicas.Len() {
		if replicas.Number(i) == number {
			return i
		}
	}
	return 0
}

// TestPeersLoseBlocks: what is there to be fetched becomes less with each block that the answer of another request takes in
// the peer's memory, at the start of the step that takes it, whether steps are taken together or not.
func TestPeersLoseBlocks(t *testing.T) {
	seen := map[int64]bool{}
	for at := units.Seconds(100.5); at < 150; at++ {
		fetched := [2]int64{}
		for i, reference := range []bool{false, true} {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 21)
			traffic.add(100, 1, 47)
			prompts(traffic, at, 1, 10, 21)
			config := sharers(traffic, 2, 12, &Sharing{Peers: true, Bandwidth: infinitelyFast, Threshold: 1})
			config.Router = func() routing.Router { return &inTurn{numbers: []int{0, 0, 1}} }
			config.Reference = reference
			fetched[i] = outcome(t, config).Totals.FetchedTokens
		}
		if fetched[0] != fetched[1] {
			t.Errorf("%d tokens were fetched at %v, step by step %d", fetched[0], at, fetched[1])
		}
		seen[fetched[0]] = true
	}
	for tokens := int64(0); tokens <= 20; tokens += 4 {
		if !seen[tokens] {
			t.Errorf("at no time %d tokens were fetched", tokens)
		}
	}
}

// TestCopiesOfLostReplicas: copies that a replica had not sent whole to the store when it failed are not there; who
// computes the prompt again copies it anew. It is computed until 22, and copied until 27.
func TestCopiesOfLostReplicas(t *testing.T) {
	for fails, want := range map[units.Seconds][2]units.Seconds{
		26: {1022, 2007},
		28: {1007, 2007},
	} {
		traffic := &scripted{}
		prompts(traffic, 0, 1, 10, 21)
		prompts(traffic, 1000, 1, 10, 21)
		prompts(traffic, 2000, 1, 10, 21)
		config := sharers(traffic, 3, 20, &Sharing{Blocks: 100, Bandwidth: 1, Threshold: 1})
		config.Router = func() routing.Router { return &inTurn{numbers: []int{0, 1, 2}} }
		config.Pools[0].Failures = []Failure{{Together: 1, At: fails, Detection: 100}}
		rec := outcome(t, config)
		if got := [2]units.Seconds{rec.Requests[1].First, rec.Requests[2].First}; got != want {
			t.Errorf("lost at %v: first tokens at %v, want %v", fails, got, want)
		}
	}
}
