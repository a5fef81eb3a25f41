package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
	"kneepoint/units/paging"
	"kneepoint/workloads"
)

// drawSharing is a scene whose replicas share prompts, over links on which what is fetched often comes
// while others arrive.
func drawSharing(t *rapid.T) func() Config {
	s := drawScene(t)
	p := &s.config.Pools[0]
	alike := rapid.IntRange(0, 3).Draw(t, "prompts alike") > 0
	if alike || !canWait(s.policy()) || hardware.PipelineOf(p.Cost).Stages() > 1 {
		s.policy, s.guesses, p.Acceptance, p.WholeBatches = continuous(rapid.IntRange(1, 9).Draw(t, "batch of sharers"), 10), nil, nil, false
		p.Reserve, p.Streamed, p.Layers = policies.ReservePaged, 0, 0
		p.Cost = &hardware.Synthetic{StepFixed: 0.31, PerPrefillToken: 0.37, PerContextToken: 0.01}
	}
	if alike {
		p.Blocks += 10
		for i := range s.traffic.requests {
			r := &s.traffic.requests[i]
			r.Input += 12
			r.Content, r.Named = drawContent(t, 4, 5), min(r.Input, 20)
		}
	}
	p.SerialMoves, p.Windows, p.Chunk, p.SharedBytes = false, paging.Windows{}, 0, 1
	p.SharedState = units.Bytes(rapid.IntRange(0, 2).Draw(t, "shared state"))
	if p.Eviction == nil {
		p.Eviction = policies.LRU{}
	}
	s.count = rapid.IntRange(1, 4).Draw(t, "replicas that share")
	entry := rapid.SampledFrom(slices.Concat(routing.Routers, routing.Routers[:1], routing.Routers[:1])).Draw(t, "router entry")
	s.config.Router = func() routing.Router { return entry.New(entry.Defaults, rand.New(rand.NewPCG(1, 2))) }
	s.config.Sharing = drawLinksOfSharing(t)
	return s.fresh
}

// drawLinksOfSharing draws whom prompts are fetched from, and over what.
func drawLinksOfSharing(t *rapid.T) *Sharing {
	return &Sharing{
		Peers:     rapid.Bool().Draw(t, "peers"),
		Blocks:    rapid.SampledFrom([]int{0, 3, 20, 1000}).Draw(t, "store"),
		Bandwidth: units.BytesPerSecond(rapid.SampledFrom([]float64{.7, 3.1, math.Inf(1)}).Draw(t, "bandwidth of sharing")),
		Latency:   rapid.SampledFrom([]units.Seconds{0, .27}).Draw(t, "latency of sharing"),
		Shared:    rapid.Bool().Draw(t, "one link"),
		Threshold: rapid.SampledFrom([]float64{1, 2}).Draw(t, "threshold"),
	}
}

// TestSharingAgreesWithSteps is the proof of the stretch engine for replicas that share prompts.
func TestSharingAgreesWithSteps(t *testing.T) {
	effort.Check(t, 20, func(t *rapid.T) { compareEngines(t, drawSharing(t)) })
}

// sharers are replicas that share blocks of one byte and four tokens, with a step of a second, and a second of
// computation for a prompt token. Requests go to them in turn.
func sharers(traffic *scripted, replicas, blocks int, sharing *Sharing) Config {
	c := linked(traffic, blocks, Tier{})
	p := &c.Pools[0]
	p.Tiers, p.Replicas, p.SharedBytes, c.Sharing = nil, replicas, 1, sharing
	return c
}

// branching are n prompts that begin alike, an hour apart, of lengths that leave a token behind the last full
// block.
func branching(seed uint64, n int) *scripted {
	random, traffic := rand.New(rand.NewPCG(seed, 0)), &scripted{}
	for i := range n {
		content, id := &workloads.Content{Span: 8}, 1
		for range 4 {
			id = 3*id + random.IntN(3)
			content.IDs = append(content.IDs, id)
		}
		tokens := 4*(1+random.IntN(8)) + 1
		traffic.add(units.Seconds(3600*i), tokens, 1+random.IntN(9))
		r := &traffic.requests[i]
		r.Content, r.Named = content, tokens
	}
	return traffic
}

var infinitelyFast = units.BytesPerSecond(math.Inf(1))

// TestSharingIsOneBigCache: over links that take no time, with room for all, several replicas find as much as one does that
// serves all requests.
func TestSharingIsOneBigCache(t *testing.T) {
	for seed := range uint64(10) {
		one := outcome(t, sharers(branching(seed, 200), 1, 1<<30, nil)).Totals
		for _, peers := range []bool{false, true} {
			shared := outcome(t, sharers(branching(seed, 200), 5, 1<<30,
				&Sharing{Peers: peers, Blocks: 1 << 30, Bandwidth: infinitelyFast, Threshold: 1})).Totals
			if shared.CachedTokens != one.CachedTokens || shared.FetchedTokens == 0 || shared.AdmittedTokens != one.AdmittedTokens {
				t.Errorf("peers %v: %d tokens were cached, %d of them fetched; one replica finds %d",
					peers, shared.CachedTokens, shared.FetchedTokens, one.CachedTokens)
			}
		}
	}
}

// TestSharingNothing: a store without room, and a link that takes longer than computing, change nothing.
func TestSharingNothing(t *testing.T) {
	for name, sharing := range map[string]Sharing{
		"no room":         {Bandwidth: infinitelyFast, Threshold: 1},
		"slow store":      {Blocks: 1 << 30, Bandwidth: 0.2, Threshold: 1},
		"late store":      {Blocks: 1 << 30, Bandwidth: infinitelyFast, Latency: 1e4, Threshold: 1},
		"slow peers":      {Peers: true, Bandwidth: 0.2, Threshold: 1},
		"never more":      {Blocks: 1 << 30, Bandwidth: infinitelyFast, Threshold: math.Inf(1)},
		"never more here": {Peers: true, Bandwidth: infinitelyFast, Threshold: math.Inf(1)},
	} {
		t.Run(name, func(t *testing.T) {
			traffic := branching(1, 100)
			for i := range traffic.requests {
				r := &traffic.requests[i]
				r.Arrival /= 400
				r.Planned = r.Arrival
			}
			want := outcome(t, sharers(traffic.again(), 3, 40, nil))
			got := outcome(t, sharers(traffic.again(), 3, 40, &sharing))
			if first := sharing.Threshold; !math.IsInf(first, 1) && got.Totals.FetchedTokens > 0 {
				t.Errorf("%d tokens were fetched", got.Totals.FetchedTokens)
			}
			if !math.IsInf(sharing.Threshold, 1) && !slices.Equal(got.Requests, want.Requests) {
				t.Error("requests have other times than without")
			}
		})
	}
}

// TestStoreOfOneReplica: a store that only one replica has is its tier, as long as transfers do
// not overlap.
func TestStoreOfOneReplica(t *testing.T) {
	for seed := range uint64(10) {
		traffic := branching(seed, 100)
		for i := range traffic.requests {
			traffic.requests[i].Output = 1
		}
		tier := sharers(traffic.again(), 1, 20, nil)
		tier.Pools[0].Tiers, tier.Pools[0].BlockBytes = []Tier{{Blocks: 1000, Bandwidth: 0.5, Latency: 0.25}}, 1
		want := outcome(t, tier)
		got := outcome(t, sharers(traffic.again(), 1, 20, &Sharing{Blocks: 1000, Bandwidth: 0.5, Latency: 0.25, Threshold: 1}))
		if got.Totals.FetchedTokens != want.Totals.LoadedTokens || want.Totals.LoadedTokens == 0 {
			t.Errorf("%d tokens were fetched, %d loaded", got.Totals.FetchedTokens, want.Totals.LoadedTokens)
		}
		if bytes := want.Totals.MovedBytes; got.Totals.FetchedBytes != bytes {
			t.Errorf("%v were fetched, %v loaded", got.Totals.FetchedBytes, bytes)
		}
		for id := range want.Requests {
			if a, b := got.Requests[id].First, want.Requests[id].First; math.Abs(float64(a-b)) > 1e-6 {
				t.Errorf("request %d has its first token at %v, from a tier at %v", id, a, b)
			}
		}
	}
}

// TestStoreHits counts the tokens that are fetched in plain loops: replicas in turn, which forget
// nothing, and a store that forgets the block which was used longest ago.
func TestStoreHits(t *testing.T) {
	const replicas, size = 3, 4
	for _, room := range []int{1, 5, 20, 100, 10000} {
		traffic := branching(uint64(room), 300)
		type block struct{ id, index int }
		own := make([]map[block]bool, replicas)
		for i := range own {
			own[i] = map[block]bool{}
		}
		var store []block // least recently used first
		use := func(b block) {
			store = append(slices.DeleteFunc(store, func(c block) bool { return c == b }), b)
			store = store[max(0, len(store)-room):]
		}
		fetched, cached := 0, 0
		for i, r := range traffic.requests {
			of := func(k int) block { return block{r.Content.At((k+1)*size - 1), k} }
			k, n := 0, r.Input/size
			for k < n && own[i%replicas][of(k)] {
				k++
			}
			local := k
			for k < n && slices.Contains(store, of(k)) {
				k++
			}
			for j := local; j < k; j++ {
				use(of(j))
			}
			for j := k; j < n; j++ {
				use(of(j))
			}
			for j := range n {
				own[i%replicas][of(j)] = true
			}
			fetched, cached = fetched+size*(k-local), cached+size*k
		}
		got := outcome(t, sharers(traffic, replicas, 1<<30, &Sharing{Blocks: room, Bandwidth: infinitelyFast, Threshold: 1})).Totals
		if got.FetchedTokens != int64(fetched) || got.CachedTokens != int64(cached) || got.FetchedBytes != units.Bytes(fetched/size) {
			t.Errorf("room for %d blocks: %d of %d cached tokens were fetched, %v, want %d of %d", room,
				got.FetchedTokens, got.CachedTokens, got.FetchedBytes, fetched, cached)
		}
	}
}
