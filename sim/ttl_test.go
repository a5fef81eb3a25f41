package sim

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestTimeToLive: one prompt that comes again and again at random finds itself where the
// last request that had it ended at most a time to live ago. With arrivals at a rate of λ and
// hardly any service that is a share of 1 - exp(-λ·TTL) of them.
func TestTimeToLive(t *testing.T) {
	effort.Whole(t)
	const requests, prompt, cached = 100_000, 160, 144
	for _, ttl := range []units.Seconds{0.1, 1, 3, 0} {
		s := cycling(1, requests, prompt)
		s.cost = &hardware.Synthetic{StepFixed: 1e-7}
		c := s.config(t, 1, 0)
		c.Pools[0].CacheTTL = ttl
		record, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		share := float64(record.Totals.CachedTokens) / (requests * cached)
		want := 1 - math.Exp(-float64(ttl))
		if ttl == 0 {
			want = 1 // for ever
		}
		if deviation := 4 * math.Sqrt(want*(1-want)/requests); math.Abs(share-want) > deviation+1e-4 {
			t.Errorf("with a time to live of %v, %.4f of the prompts were cached, want %.4f ± %.4f", ttl, share, want, deviation)
		}
	}
}

// TestTimeToLiveBeginsAnew: the time counts from the end of the last request that used the
// blocks, and a prompt that somebody is using does not grow old. One comes every second.
func TestTimeToLiveBeginsAnew(t *testing.T) {
	for _, tt := range []struct {
		serves, ttl units.Seconds
		cached      int64
	}{
		{serves: 1.6, ttl: 0.01, cached: 49 * 144},
		{serves: 0.16, ttl: 0.85, cached: 49 * 144},
		{serves: 0.16, ttl: 0.83, cached: 0},
	} {
		s := cycling(1, 50, 160)
		s.workload.Arrival = &workloads.ArrivalSpec{Process: "constant", Rate: 1}
		s.cost = &hardware.Synthetic{StepFixed: tt.serves / 8}
		c := s.config(t, 1, 0)
		c.Pools[0].CacheTTL = tt.ttl
		record, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if got := record.Totals.CachedTokens; got != tt.cached {
			t.Errorf("with a time to live of %v and %v of service, %d tokens were cached, want %d", tt.ttl, tt.serves, got, tt.cached)
		}
	}
}

// TestFindsUntilTooOld: what routers see of a memory grows old with it, and of several blocks
// of a content the youngest counts.
func TestFindsUntilTooOld(t *testing.T) {
	m := newMemory(&Pool{Blocks: 4, BlockSize: 1, Eviction: policies.LRU{}, CacheTTL: 10})
	key := blockKey{1, 0}
	fill := func(at units.Seconds) {
		var c chain
		m.allocate(1)
		m.register(&c, key.id, 1, at)
		m.release(1, &c, at)
	}
	fill(5)
	if m.finds(key, 15) == nil || m.finds(key, 15.1) != nil {
		t.Error("a block that nobody holds since 5 s is to be found until 15 s")
	}
	fill(12)
	if m.finds(key, 22) == nil || m.finds(key, 22.1) != nil {
		t.Error("another one, free since 12 s, is to be found until 22 s")
	}
	fill(30)
	if first := m.cached.find(key); first.later != first {
		t.Error("blocks that are too old are kept beside the new one")
	}
}

// TestExpiryLetsAdmit: what the head of the queue found is found no more, and it joins with the same content that another sequence
// holds, for which it needs a block less.
//
// With steps planned ahead the third request has 5 of 12 blocks from 2 s on; the fourth needs 8, all of its own as long as
// it would take the first block from what the first request left at 2 s, and 7 from 2.77 s on. In a pipeline the second and the third
// request take turns every 0.25 s, with 17 and 68 of 92 blocks; the fourth needs 8, and 7 from 2.8 s on, which is after the turn at 2.75 s.
// With guesses, none of them right, the third has 9 of 12 blocks from 1 s on; the fourth needs 4 as long as it finds the one that the second left
// at 1 s, and 3 from 1.77 s on.
func TestExpiryLetsAdmit(t *testing.T) {
	for name, tt := range map[string]struct {
		lengths        [][2]int
		nameless, seqs int
		last           units.Seconds // when the last request comes
		pool           Pool
		first          units.Seconds
	}{
		"planned ahead": {lengths: [][2]int{{4, 3}, {1, 1}, {1, 3}, {7, 1}}, nameless: 1, seqs: 2, first: 3.5,
			pool: Pool{Blocks: 12, AsyncScheduling: true, CacheTTL: 0.77, Cost: &hardware.Synthetic{StepFixed: 0.5}}},
		"in turns": {lengths: [][2]int{{1, 1}, {1, 10}, {4, 33}, {4, 3}}, nameless: 2, seqs: 3, last: 1, first: 3.5,
			pool: Pool{Blocks: 92, CacheTTL: 2.3, Cost: hardware.EvenStages{CostModel: &hardware.Synthetic{StepFixed: 0.5}, N: 2}}},
		"with guesses": {lengths: [][2]int{{1, 1}, {1, 1}, {1, 8}, {2, 2}}, seqs: 2, first: 2.5,
			pool: Pool{Blocks: 12, Acceptance: accepting(0), CacheTTL: 0.77, Cost: &hardware.Synthetic{StepFixed: 0.5}}},
	} {
		for _, reference := range []bool{true, false} {
			traffic := &scripted{}
			for _, lengths := range tt.lengths {
				traffic.add(0, lengths[0], lengths[1])
				r := &traffic.requests[len(traffic.requests)-1]
				if r.ID != tt.nameless {
					r.Content, r.Named = &workloads.Content{Span: 1, IDs: []int{3}}, 1
				}
			}
			traffic.requests[len(tt.lengths)-1].Planned = tt.last
			pool := tt.pool
			pool.BlockSize, pool.MaxTokens, pool.Replicas, pool.Sequential, pool.Eviction = 1, math.MaxInt, 1, true, policies.LRU{}
			pool.FrontEnd = func(int) units.Seconds { return 0 }
			pool.Reserve = policies.ReservePow2(pool.longest())
			pool.Batching = func() policies.Batching {
				var batching policies.Batching = &policies.PrefillFirst{MaxNumSeqs: tt.seqs, MaxNumBatchedTokens: 1}
				if pool.Acceptance != nil {
					batching = &policies.Speculative{Batching: batching, Proposals: &policies.FixedProposals{Tokens: 1}}
				}
				return batching
			}
			rec, err := Run(context.Background(), Config{Pools: []Pool{pool}, Drain: true, Traffic: traffic, Reference: reference,
				InWindow: func(workloads.Request) bool { return true }})
			if err != nil {
				t.Fatal(err)
			}
			if first := rec.Requests[3].First; first != tt.first {
				t.Errorf("%s, reference: %t: the fourth request has its first token at %v, want %v", name, reference, first, tt.first)
			}
		}
	}
}

// TestMemoriesAgree: at the end of a run there are as many blocks of each content in the memory of each replica as in that of the reference: those that
// grew too old were forgotten at the same times.
func TestMemoriesAgree(t *testing.T) {
	old := func(s *scene) bool { return s.config.Pools[0].CacheTTL > 0 && s.config.Pools[0].Eviction != nil }
	effort.Check(t, 20, func(t *rapid.T) {
		s := drawSuiting(t, old)
		var left [2][]map[blockKey]int
		for i := range left {
			config := s.fresh()
			config.Reference = i == 0
			f := newFleet(context.Background(), &config)
			if _, err := f.run(); err != nil {
				t.Fatal(err)
			}
			for n := range f.replicas {
				left[i] = append(left[i], f.replicas[n].memory.countCached())
			}
		}
		if !slices.EqualFunc(left[0], left[1], maps.Equal[map[blockKey]int]) {
			t.Errorf("there are %v, in the reference's %v", left[1], left[0])
		}
	})
}

// TestBlocksGetNamesInTime: of two answers alike the second one fills its block when the first one's, free since 3 s, is still
// found, which stays beside it: until 6.5 s. A step later it would have been too old. Steps take a second.
func TestBlocksGetNamesInTime(t *testing.T) {
	for _, reference := range []bool{true, false} {
		traffic := &scripted{}
		for _, at := range []units.Seconds{0, 5} {
			traffic.add(at, 1, 3)
			r := &traffic.requests[len(traffic.requests)-1]
			r.Content, r.Named = &workloads.Content{IDs: []int{7}, Span: 1}, 4
		}
		config := written(traffic, 100, continuous(8, 4)())
		config.Pools[0].Eviction, config.Pools[0].CacheTTL, config.Reference = policies.LRU{}, 3.5, reference
		f := newFleet(context.Background(), &config)
		if _, err := f.run(); err != nil {
			t.Fatal(err)
		}
		if left := f.replicas[0].memory.countCached(); len(left) != 1 || slices.Max(slices.Collect(maps.Values(left))) != 2 {
			t.Errorf("reference %t: there are %v, want 2 blocks of one content", reference, left)
		}
	}
}

// countCached is how many blocks of each content are in a memory.
func (m *memory) countCached() map[blockKey]int {
	blocks := map[blockKey]int{}
	if m.cached == nil {
		return blocks
	}
	for id, ofID := range m.cached.ids.All {
		for _, first := range ofID.spans {
			for index := first.from; index < first.to; index++ {
				for s := first; blocks[blockKey{id, index}] == 0 || s != first; s = s.later {
					blocks[blockKey{id, index}]++
				}
			}
		}
	}
	return blocks
}
