package sim

import (
	"cmp"
	"context"
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// spent is the parts of a time, in seconds.
type spent map[metrics.Part]float64

func (s spent) check(t *testing.T, what string, parts metrics.Parts) {
	t.Helper()
	for i, got := range parts {
		if want := s[metrics.Part(i)]; math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("%s: %v s of %s, want %v", what, float64(got), metrics.PartKeys[i], want)
		}
	}
}

// TestWhereTimeGoes follows requests of (arrival, prompt, output) by hand. A step
// takes a second, and one more for every token of a prompt where perToken is set.
func TestWhereTimeGoes(t *testing.T) {
	type request struct {
		at            units.Seconds
		input, output int
	}
	two := []request{{0, 2, 4}, {1.5, 3, 2}}
	for name, c := range map[string]struct {
		requests []request
		change   func(*Config)
		perToken units.Seconds
		blocks   int
		e2el     []spent
	}{
		"a prompt joins a decode": {requests: two, perToken: 1, e2el: []spent{
			{metrics.Prefill: 3, metrics.Interference: 3, metrics.Decode: 3},
			{metrics.Queue: 1.5, metrics.Prefill: 4, metrics.Decode: 1},
		}},
		"a decode stands still for a prompt": {requests: two, perToken: 1, change: func(c *Config) {
			c.Pools[0].Batching = inOrder(&policies.PrefillFirst{MaxNumSeqs: 8, MaxNumBatchedTokens: 8})
		}, e2el: []spent{
			{metrics.Prefill: 3, metrics.Interference: 4, metrics.Decode: 3},
			{metrics.Queue: 1.5, metrics.Prefill: 4, metrics.Decode: 1},
		}},
		"two prompts in a step": {requests: []request{{0, 2, 1}, {0, 3, 1}}, perToken: 1, e2el: []spent{
			{metrics.Prefill: 3, metrics.Interference: 3},
			{metrics.Prefill: 4, metrics.Interference: 2},
		}},
		"no memory": {requests: []request{{0, 2, 2}, {0.5, 2, 1}}, blocks: 2, change: func(c *Config) {
			c.Pools[0].Reserve = policies.ReserveDeclared
		}, e2el: []spent{
			{metrics.Prefill: 1, metrics.Decode: 1},
			{metrics.Queue: 0.5, metrics.KVWait: 1, metrics.Prefill: 1},
		}},
		"no memory for a static batch": {requests: []request{{0, 2, 2}, {0, 2, 1}}, blocks: 2, change: func(c *Config) {
			c.Pools[0].Reserve = policies.ReserveDeclared
			c.Pools[0].Batching = inOrder(&policies.Static{BatchSize: 2})
		}, e2el: []spent{
			{metrics.Prefill: 1, metrics.Decode: 1},
			{metrics.KVWait: 2, metrics.Prefill: 1},
		}},
		"no place in the batch": {requests: []request{{0, 2, 2}, {0, 2, 1}}, change: func(c *Config) {
			c.Pools[0].Batching = continuous(1, 8)
		}, e2el: []spent{
			{metrics.Prefill: 1, metrics.Decode: 1},
			{metrics.Queue: 2, metrics.Prefill: 1},
		}},
		"preempted": {requests: []request{{0, 2, 3}, {0, 2, 3}}, blocks: 3, e2el: []spent{
			{metrics.Prefill: 1, metrics.Decode: 2},
			{metrics.Prefill: 1, metrics.Preemption: 3, metrics.Decode: 1},
		}},
		"computed again beside a decode": {requests: []request{{0, 2, 4}, {0, 2, 5}, {0, 2, 5}}, blocks: 6, perToken: 1, e2el: []spent{
			{metrics.Prefill: 3, metrics.Interference: 4, metrics.Decode: 3},
			{metrics.Prefill: 3, metrics.Interference: 4 + 5, metrics.Decode: 4}, // stands still for all that the third computes again
			{metrics.Prefill: 3, metrics.Interference: 4, metrics.Preemption: 7, metrics.Decode: 3},
		}},
		"computed again beside a prompt": {requests: []request{{0, 2, 4}, {0, 2, 5}, {7.5, 2, 1}}, blocks: 4, perToken: 1, e2el: []spent{
			{metrics.Prefill: 3, metrics.Interference: 2, metrics.Decode: 3},
			{metrics.Prefill: 3, metrics.Interference: 2, metrics.Preemption: 9, metrics.Decode: 3}, // the prompt's time too
			{metrics.KVWait: 0.5, metrics.Prefill: 3, metrics.Interference: 5},
		}},
		"one thread of the front end": {requests: []request{{0, 2, 1}, {0, 2, 1}}, change: func(c *Config) {
			c.Pools[0].Threads, c.Pools[0].FrontEnd = 1, func(int) units.Seconds { return 0.5 }
		}, e2el: []spent{
			{metrics.FrontEnd: 0.5, metrics.Prefill: 1},
			{metrics.FrontEnd: 1, metrics.Queue: 0.5, metrics.Prefill: 1},
		}},
		"a front end in the engine's thread": {requests: []request{{0, 2, 3}, {0.5, 2, 1}}, change: func(c *Config) {
			c.Pools[0].Sequential, c.Pools[0].FrontEnd = true, func(int) units.Seconds { return 0.5 }
		}, e2el: []spent{
			{metrics.FrontEnd: 1, metrics.Prefill: 1, metrics.Decode: 2},
			{metrics.FrontEnd: 0.5, metrics.Queue: 1, metrics.Prefill: 1},
		}},
		"guesses that are all wrong": {requests: []request{{0, 2, 4}}, change: func(c *Config) {
			c.Pools[0].Cost.(*hardware.Synthetic).PerDraftPass = 0.5
			c.Pools[0].Batching = inOrder(&policies.Speculative{Batching: c.Pools[0].Batching(), Proposals: &policies.FixedProposals{Tokens: 1}})
			c.Pools[0].Acceptance = accepting(0)
		}, e2el: []spent{
			{metrics.Prefill: 1, metrics.Draft: 1.5, metrics.Decode: 3},
		}},
		"swapped beside the steps": {requests: []request{{0, 4, 2}, {0, 4, 3}}, blocks: 4, perToken: 2, change: func(c *Config) {
			c.Pools[0].Tiers, c.Pools[0].BlockBytes = []Tier{{Blocks: 10, Bandwidth: 2, BandwidthOut: 4}}, 1
			c.Pools[0].Batching = inOrder(&policies.Swapping{Batching: c.Pools[0].Batching(), MaxNumSeqs: 8})
		}, e2el: []spent{ // a block goes out, for which the other sequence waits, and comes back
			{metrics.Prefill: 9, metrics.Interference: 8, metrics.KVWait: 0.5, metrics.Decode: 1},
			{metrics.Prefill: 9, metrics.Interference: 8, metrics.Preemption: 3.5, metrics.Decode: 1},
		}},
		"swapped": {requests: []request{{0, 2, 3}, {0, 2, 3}}, blocks: 3, perToken: 2, change: func(c *Config) {
			c.Pools[0].Tiers, c.Pools[0].BlockBytes, c.Pools[0].SerialMoves = []Tier{{Blocks: 10, Bandwidth: 2}}, 1, true
			c.Pools[0].Batching = inOrder(&policies.Swapping{Batching: c.Pools[0].Batching(), MaxNumSeqs: 8})
		}, e2el: []spent{ // a block goes out, and comes back, before a step
			{metrics.Prefill: 5, metrics.Interference: 4, metrics.Transfer: 0.5, metrics.Decode: 2},
			{metrics.Prefill: 5, metrics.Interference: 4, metrics.Preemption: 4, metrics.Decode: 1},
		}},
		"offloaded layer by layer": {requests: []request{{0, 2, 3}, {0.5, 4, 2}}, blocks: 3, change: func(c *Config) {
			c.Pools[0].Tiers, c.Pools[0].BlockBytes, c.Pools[0].Layers = []Tier{{Blocks: 10, Bandwidth: 4}}, 1, 4
			c.Pools[0].Batching = inOrder(&policies.LayerWise{Layers: 4, Swapping: policies.Swapping{Batching: c.Pools[0].Batching(), MaxNumSeqs: 8}})
		}, e2el: []spent{ // two blocks take 1/2 s, of which a step of 4 layers hides 3/4
			{metrics.Prefill: 1, metrics.Transfer: 0.125, metrics.Decode: 2},
			{metrics.Queue: 0.5, metrics.Prefill: 1, metrics.KVWait: 1, metrics.Transfer: 0.25, metrics.Decode: 1},
		}},
		"two stages": {requests: []request{{0, 2, 2}, {0, 2, 1}}, perToken: 1, change: func(c *Config) {
			c.Pools[0].Batching = continuous(8, 2)
			c.Pools[0].Cost = hardware.EvenStages{CostModel: c.Pools[0].Cost, N: 2}
		}, e2el: []spent{ // one behind the other: the decode, of 1 s, waits 1 s for the second stage
			{metrics.Prefill: 3, metrics.Decode: 2},
			{metrics.Queue: 1.5, metrics.Prefill: 3},
		}},
		"two prompts in chunks through two stages": {requests: []request{{0, 4, 1}, {0, 4, 1}}, perToken: 1, change: func(c *Config) {
			c.Pools[0].Batching = inOrder(&policies.Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 4, LongPrefillTokenThreshold: 2})
			c.Pools[0].Cost = hardware.EvenStages{CostModel: c.Pools[0].Cost, N: 2}
		}, e2el: []spent{ // two steps of 5 s, the second 2.5 s behind the first; of each 2 s are the other prompt's, of which half overlap
			{metrics.Prefill: 4.5, metrics.Interference: 3},
			{metrics.Prefill: 4.5, metrics.Interference: 3},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, reference := range []bool{false, true} {
				traffic := &scripted{}
				for _, r := range c.requests {
					traffic.add(r.at, r.input, r.output)
				}
				config := written(traffic, cmp.Or(c.blocks, 100), continuous(8, 8)())
				config.Pools[0].Cost = &hardware.Synthetic{StepFixed: 1, PerPrefillToken: c.perToken}
				config.Reference = reference
				if c.change != nil {
					c.change(&config)
				}
				rec, err := Run(context.Background(), config)
				if err != nil {
					t.Fatal(err)
				}
				checkRecord(t, rec)
				for i, want := range c.e2el {
					want.check(t, "request "+string(rune('1'+i)), rec.Requests[i].E2ELParts())
				}
			}
		})
	}
}

// TestPartsOfMD1: prompts one by one are prefilled for as long as they take, and
// wait for as long as Pollaczek and Khinchine say.
func TestPartsOfMD1(t *testing.T) {
	for _, rho := range []float64{0.5, 0.8} {
		s := singleServer(rho, 15000, fixed(1000), 1000)
		mean := func(part metrics.Part) func(*metrics.Record) float64 {
			return func(rec *metrics.Record) float64 {
				var sum float64
				for i := s.warmup; i < len(rec.Requests); i++ {
					parts := rec.Requests[i].TTFTParts()
					sum += float64(parts[part])
				}
				return sum / float64(len(rec.Requests)-s.warmup)
			}
		}
		parts := s.replicateAll(t, mean(metrics.Queue), mean(metrics.Prefill))
		parts[0].check(t, "queue", rho/(2*(1-rho)))
		parts[1].within(t, 1e-6, "prefill", 1)
	}
}
