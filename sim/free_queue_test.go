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
	"kneepoint/units"
	"kneepoint/workloads"
)

// conversations are turns that begin with all that was said before, at random times:
// some ask before the turn before is answered. The conversations may share a prefix.
func conversations(random *rand.Rand, number, turns, prefix, input, output int, apart float64) []workloads.Request {
	var all []workloads.Request
	for c := range number {
		content := &workloads.Content{IDs: []int{c + 1}, Span: 1}
		said := prefix
		if prefix > 0 {
			content = &workloads.Content{IDs: []int{0, c + 1}, Span: prefix}
		}
		at := random.Float64() * apart * float64(turns)
		for range 1 + random.IntN(turns) {
			r := workloads.Request{Planned: units.Seconds(at), Content: content,
				Input: said + 1 + random.IntN(input), Output: 1 + random.IntN(output)}
			r.Named = r.Input + r.Output
			if random.IntN(4) == 0 {
				r.Named = r.Input // an answer that nobody goes on with
			}
			said = r.Input + r.Output
			all = append(all, r)
			at += random.ExpFloat64() * apart
		}
	}
	slices.SortFunc(all, func(a, b workloads.Request) int { return int(math.Copysign(1, float64(a.Planned-b.Planned))) })
	for i := range all {
		all[i].ID, all[i].Arrival = i, all[i].Planned
	}
	return all
}

// TestFreeQueueOracle: with prefix caching in one queue of free blocks, both engines
// decide as the published scheduler does, short of memory too: every first and last
// token, every preemption, and what is found cached.
func TestFreeQueueOracle(t *testing.T) {
	cases, preemptions, hits := 0, 0, 0
	effort.Check(t, 20, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		blockSize := rapid.SampledFrom([]int{1, 2, 4, 16}).Draw(t, "block size")
		requests := conversations(random, rapid.IntRange(1, 12).Draw(t, "conversations"), rapid.IntRange(1, 5).Draw(t, "turns"),
			rapid.SampledFrom([]int{0, 3, 16, 40}).Draw(t, "prefix"), rapid.IntRange(1, 60).Draw(t, "input"),
			rapid.IntRange(1, 60).Draw(t, "output"), rapid.Float64Range(0.01, 60).Draw(t, "apart"))
		longest := 0
		for _, r := range requests {
			longest = max(longest, (r.Input+r.Output+blockSize-1)/blockSize)
		}
		blocks := longest + rapid.IntRange(0, 3*longest).Draw(t, "blocks")
		seqs, budget := rapid.IntRange(1, 20).Draw(t, "seqs"), rapid.IntRange(8, 200).Draw(t, "tokens")
		oracle := newPlainV1(blocks, blockSize, seqs, budget, 1e-2, 1e-3)
		want := oracle.run(requests)
		cases, preemptions, hits = cases+1, preemptions+oracle.preemptions, hits+oracle.hits
		for _, reference := range []bool{false, true} {
			config := written(&scripted{requests: requests}, blocks, continuous(seqs, budget)())
			p := &config.Pools[0]
			p.Cost = &hardware.Synthetic{StepFixed: 1e-2, PerDecodeRow: 1e-3, PerPrefillToken: 1e-3}
			p.BlockSize, p.Eviction, config.Reference = blockSize, policies.LRU{}, reference
			rec, err := Run(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range rec.Requests {
				if !closeTo(float64(r.First), want[i].first) || !closeTo(float64(r.Last), want[i].last) {
					t.Fatalf("reference %v: request %d has its first token at %v and its last at %v, want %v and %v",
						reference, i, float64(r.First), float64(r.Last), want[i].first, want[i].last)
				}
			}
			if n := int(rec.Totals.Preemptions); n != oracle.preemptions {
				t.Errorf("reference %v: %d preemptions, want %d", reference, n, oracle.preemptions)
			}
			if n := int(rec.Totals.CachedTokens); n != oracle.hits {
				t.Errorf("reference %v: %d tokens were cached, want %d", reference, n, oracle.hits)
			}
		}
	})
	if cases >= 400 && (preemptions == 0 || hits == 0) { // few short runs may all have memory enough
		t.Errorf("%d preemptions and %d cached tokens: nothing was tested", preemptions, hits)
	}
	t.Logf("%d preemptions and %d cached tokens", preemptions, hits)
}

func closeTo(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// prefixed are requests that begin with one of some prefixes, at random times.
func prefixed(random *rand.Rand, number, prefixes, prefix, input, output int, rate float64) []workloads.Request {
	var all []workloads.Request
	at := 0.0
	for id := range number {
		at += random.ExpFloat64() / rate
		all = append(all, workloads.Request{ID: id, Planned: units.Seconds(at), Arrival: units.Seconds(at), Input: prefix + 1 + random.IntN(input),
			Output: 1 + random.IntN(output), Content: &workloads.Content{IDs: []int{random.IntN(prefixes)}, Span: 1}, Named: prefix})
	}
	return all
}

// TestHitRates: four ways in which a cache is short of memory, and the share of the
// prompts' tokens that the published rules find. If blocks that nobody can ask for
// were taken before cached ones it would be .757, .859, .845 and .528.
func TestHitRates(t *testing.T) {
	effort.Whole(t)
	random := func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
	for _, tt := range []struct {
		name     string
		requests []workloads.Request
		blocks   int
		want     float64
	}{
		{"40 prefixes of 1,024, 40,000 tokens", prefixed(random(), 3000, 40, 1024, 300, 600, 5), 2500, 0.522},
		{"40 prefixes of 1,024, 56,000 tokens", prefixed(random(), 3000, 40, 1024, 300, 600, 5), 3500, 0.662},
		{"10 prefixes of 2,048, 32,000 tokens, preemptions", prefixed(random(), 3000, 10, 2048, 500, 1500, 3), 2000, 0.761},
		{"chats, 96,000 tokens", conversations(random(), 500, 10, 0, 100, 300, 20), 6000, 0.504},
	} {
		t.Run(tt.name, func(t *testing.T) {
			oracle := newPlainV1(tt.blocks, 16, 64, 2048, 5e-3, 2e-5)
			oracle.run(tt.requests)
			config := written(&scripted{requests: tt.requests}, tt.blocks, continuous(64, 2048)())
			p := &config.Pools[0]
			p.Cost = &hardware.Synthetic{StepFixed: 5e-3, PerDecodeRow: 2e-5, PerPrefillToken: 2e-5}
			p.BlockSize, p.Eviction = 16, policies.LRU{}
			rec, err := Run(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			got := float64(rec.Totals.CachedTokens) / float64(rec.Totals.AdmittedTokens)
			if want := float64(oracle.hits) / float64(oracle.lookups); got != want || math.Abs(want-tt.want) > 5e-4 {
				t.Errorf("%.3f of the tokens are found, by the rules %.3f, want %.3f", got, want, tt.want)
			}
		})
	}
}

// TestSharedInOneStep: requests that come together compute what they begin with once,
// in the same step: a block has its name when it is handed out.
func TestSharedInOneStep(t *testing.T) {
	const n, shared, own = 64, 1008, 16
	traffic := &scripted{}
	for i := range n {
		traffic.add(0, shared+own, 2)
		traffic.requests[i].Content, traffic.requests[i].Named = &workloads.Content{IDs: []int{0}, Span: 1}, shared
	}
	config := written(traffic, 4096, continuous(n, 8192)())
	p := &config.Pools[0]
	p.Cost, p.BlockSize, p.Eviction = &hardware.Synthetic{PerPrefillToken: 1}, 16, policies.LRU{}
	rec, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rec.Requests {
		if r.First != shared+n*own {
			t.Fatalf("request %d has its first token after %v prompt tokens, want %d", i, float64(r.First), shared+n*own)
		}
	}
}
