package sim

import (
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
)

// drawTogether is a scene with all at once that may happen between replicas: a part of them only prefill, they share
// prompts that begin alike, come and go, fail with their links, and start anew.
func drawTogether(t *rapid.T) func() Config {
	fresh := drawApart(t)
	sharing := drawLinksOfSharing(t)
	eviction := rapid.SampledFrom([]policies.Eviction{policies.LRU{}, policies.LFU{}}).Draw(t, "eviction of sharers")
	batch := rapid.IntRange(1, 9).Draw(t, "batch of sharers")
	requests := fresh().Traffic.(*scripted).requests
	for i := range requests {
		r := &requests[i]
		r.Input += 12
		r.Content, r.Named = drawContent(t, 3, 5), min(r.Input, 15)
	}
	return func() Config {
		c := fresh()
		c.Sharing = sharing
		for i := range c.Pools {
			p := &c.Pools[i]
			p.Blocks += 10
			p.Reserve, p.Acceptance, p.Batching = policies.ReservePaged, nil, continuous(batch, 10)
			if p.Role == DecodeOnly || hardware.PipelineOf(p.Cost).Stages() > 1 {
				continue
			}
			p.Cost = &hardware.Synthetic{StepFixed: 0.31, PerPrefillToken: 0.37, PerContextToken: 0.01}
			p.SharedBytes = 1
			if p.Eviction == nil {
				p.Eviction = eviction
			}
		}
		return c
	}
}

// TestTogetherStretchesAgreeWithSteps is the proof of the stretch engine where all of that comes together.
func TestTogetherStretchesAgreeWithSteps(t *testing.T) {
	effort.Check(t, 10, func(t *rapid.T) { compareEngines(t, drawTogether(t)) })
}
