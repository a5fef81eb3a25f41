package sim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/paging"
	"kneepoint/workloads"
)

// apart is a prefill replica and a decode replica. A prompt of 4 tokens takes 4 s, a token
// of an answer 1 s, and a token's keys and values are a byte.
func apart(traffic *scripted, transfer Transfer) Config {
	c := written(traffic, 100, continuous(8, 8)(), continuous(8, 8)())
	decode := c.Pools[0]
	c.Pools[0].Replicas, c.Pools[0].Role, c.Pools[0].Cost = 1, PrefillOnly, &hardware.Synthetic{PerPrefillToken: 1}
	decode.Replicas, decode.Role = 1, DecodeOnly
	c.Pools[0].Sent.Bytes, decode.Sent.Bytes = 1, 1
	c.Pools = append(c.Pools, decode)
	c.Transfer = &transfer
	return c
}

// TestPrefillApartFromDecode: times by hand. The first token comes with the prompt; the others
// follow when its keys and values have come, at the ends of steps.
func TestPrefillApartFromDecode(t *testing.T) {
	type times struct{ first, last, moved units.Seconds }
	for name, c := range map[string]struct {
		transfer Transfer
		prompts  []int // that come together, with answers of 3 tokens
		want     []times
	}{
		"pulled":         {Transfer{Bandwidth: 2}, []int{4}, []times{{4, 8, 2}}},
		"latency":        {Transfer{Bandwidth: 2, Latency: 0.5}, []int{4}, []times{{4, 8.5, 2.5}}},
		"infinitely":     {Transfer{Bandwidth: units.BytesPerSecond(math.Inf(1))}, []int{4}, []times{{4, 6, 0}}},
		"pushed":         {Transfer{Bandwidth: 2, Mode: Push}, []int{4}, []times{{4, 8, 2}}},
		"layer by layer": {Transfer{Bandwidth: 2, Mode: Reserve, Layers: 4}, []int{4}, []times{{4, 6.5, .5}}},
		"slow layers":    {Transfer{Bandwidth: .5, Mode: Reserve, Layers: 4}, []int{4}, []times{{4, 10, 4}}},
		// Both are computed until 6. The link sends 3 + 1.5 bytes of them until then where it can, and one
		// layer of each at the end: 1 byte and .5.
		"layers of two": {Transfer{Bandwidth: 2, Mode: Reserve, Layers: 4}, []int{4, 2}, []times{{6, 9.5, .75}, {6, 8.5, .5}}},
		// In the 6 s it sends 3 bytes, all of them of the first, and 1 + 2 at the end.
		"slow layers of two": {Transfer{Bandwidth: .5, Mode: Reserve, Layers: 4}, []int{4, 2}, []times{{6, 12, 4}, {6, 14, 6}}},
		"short prompts":      {Transfer{Bandwidth: 2, MinTokens: 5}, []int{4}, []times{{1, 3, 0}}},
		// Both are computed in one step, of 6 s. The link sends 2 + 2 bytes to both in turn, then 2 to the one.
		"shared link": {Transfer{Bandwidth: 2}, []int{4, 2}, []times{{6, 11, 3}, {6, 10, 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, reference := range []bool{false, true} {
				traffic := &scripted{}
				for _, tokens := range c.prompts {
					traffic.add(0, tokens, 3)
				}
				config := apart(traffic, c.transfer)
				config.Reference = reference
				rec, err := Run(context.Background(), config)
				if err != nil {
					t.Fatal(err)
				}
				checkRecord(t, rec)
				for i, want := range c.want {
					r := rec.Requests[i]
					if got := (times{r.First, r.Last, units.Seconds(r.ToLast[metrics.KVTransfer])}); got != want {
						t.Errorf("request %d, reference %t: %v, want %v", i, reference, got, want)
					}
				}
			}
		})
	}
}

// TestDraftsAreSentToTheirLike: what a proposer keeps of a prompt goes to replicas that have the same
// proposer, and only there.
func TestDraftsAreSentToTheirLike(t *testing.T) {
	drafts := func(drafter string) *Pool { return &Pool{Sent: Sent{Bytes: 8, DraftBytes: 2, Drafter: drafter}} }
	for _, c := range []struct {
		from, to       *Pool
		sent, received units.Bytes
	}{
		{drafts("a"), drafts("a"), 10, 10},
		{drafts("a"), drafts("b"), 8, 8},
		{drafts("a"), &Pool{Sent: Sent{Bytes: 4}}, 8, 4},
		{&Pool{Sent: Sent{Bytes: 4}}, drafts("a"), 4, 8},
	} {
		if sent, received := sent(c.from, c.to); sent != c.sent || received != c.received {
			t.Errorf("%+v to %+v: %v and %v a token, want %v and %v", c.from.Sent, c.to.Sent, sent, received, c.sent, c.received)
		}
	}
}

// TestPushedWhileOthersDecode: what has landed in a buffer by the end of a step joins in the
// next one. What is pulled is asked for at the end of a step, and comes a step later.
func TestPushedWhileOthersDecode(t *testing.T) {
	const bandwidth = 11.5
	for _, reference := range []bool{false, true} {
		for mode, steps := range map[TransferMode]units.Seconds{Push: 8, Pull: 9, Reserve: 8} {
			traffic := &scripted{}
			traffic.add(0, 1, 12) // computed at 1, decodes when its two bytes have come, a token a second
			traffic.add(1, 6, 2)  // computed at 7, its 12 bytes take 1.04 s
			config := apart(traffic, Transfer{Bandwidth: bandwidth, Mode: mode})
			config.Reference = reference
			config.Pools[0].BlockSize, config.Pools[1].BlockSize = 1, 1
			config.Pools[0].Sent.Bytes, config.Pools[1].Sent.Bytes = 2, 2
			rec, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			checkRecord(t, rec)
			if got := rec.Totals.HandedOver; got != 2 {
				t.Errorf("mode %d, reference %t: %d requests handed over, want both", mode, reference, got)
			}
			if got, want := rec.Requests[1].Last, 1+2/units.Seconds(bandwidth)+steps; !near(float64(got), float64(want)) {
				t.Errorf("mode %d, reference %t: ends at %v, want %v", mode, reference, got, want)
			}
		}
	}
}

// TestShortPromptsNobodyDecodes: a class that pools serve from start to end alone has no replica
// that decodes, however short its prompts are.
func TestShortPromptsNobodyDecodes(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 3)
	config := apart(traffic, Transfer{Bandwidth: 2, MinTokens: 5})
	whole := config.Pools[0]
	whole.Role, whole.Batching = Both, inOrder(continuous(8, 8)())
	for i := range config.Pools {
		config.Pools[i].Classes = []int{1}
	}
	config.Pools = append(config.Pools, whole)
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	if last := rec.Requests[0].Last; last != 4 {
		t.Errorf("ends at %v, not 4", last)
	}
}

// TestMemoryIsHeldWhileItIsSent: a replica that prefills takes the next prompt only when
// the one before has left, and one that decodes when it has room for the keys and values.
func TestMemoryIsHeldWhileItIsSent(t *testing.T) {
	for _, reference := range []bool{false, true} {
		t.Run(fmt.Sprint(reference), func(t *testing.T) {
			traffic := &scripted{}
			traffic.add(0, 4, 3)
			traffic.add(0, 4, 3)
			config := apart(traffic, Transfer{Bandwidth: 2})
			config.Reference = reference
			config.Pools[0].Blocks, config.Pools[1].Blocks = 3, 4 // of two tokens
			rec, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			checkRecord(t, rec)
			// The first: computed until 4, sent until 6, done at 8. The second is computed from 6 to
			// 10, since its prompt does not fit beside the first, and sent from then on.
			if a, b := rec.Requests[0], rec.Requests[1]; a.Last != 8 || b.First != 10 || b.Last != 14 {
				t.Errorf("%v and %v, %v", a.Last, b.First, b.Last)
			}
		})
	}
}

// TestCachedBlocksAreNotSent: what the replica that decodes has cached of a prompt need not be
// pulled, and takes no memory twice.
func TestCachedBlocksAreNotSent(t *testing.T) {
	for _, reference := range []bool{false, true} {
		shared := &workloads.Content{IDs: []int{7}, Span: 1}
		traffic := &scripted{}
		for at, tokens := range map[units.Seconds]int{0: 5, 20: 7} {
			traffic.requests = append(traffic.requests, workloads.Request{Planned: at, Input: tokens, Output: 3, Content: shared, Named: 4})
		}
		slices.SortFunc(traffic.requests, func(a, b workloads.Request) int { return int(a.Planned - b.Planned) })
		traffic.requests[1].ID = 1
		config := apart(traffic, Transfer{Bandwidth: 2})
		config.Reference = reference
		config.Pools[1].Eviction, config.Pools[1].Blocks = policies.LRU{}, 5
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		// Three blocks of two bytes, and four, of which the first two hold 4 of 7 tokens.
		for i, want := range []float64{3, 4 * 3. / 7} {
			if got := rec.Requests[i].ToLast[metrics.KVTransfer]; got != float32(want) {
				t.Errorf("reference %t: the keys and values of request %d took %v, want %v", reference, i, got, want)
			}
		}
		if got := rec.Pools[1].Totals.KVMax; got != 1 {
			t.Errorf("reference %t: %v of the memory was used, want all of it", reference, got)
		}
	}
}

// TestPrefillMakesRoomForTheNext: a replica that prefills one request at a time takes the next
// one from the router when it has passed the one before on, and two of them send over links of
// their own, or over one.
func TestPrefillMakesRoomForTheNext(t *testing.T) {
	for _, c := range []struct {
		replicas int
		shared   bool
		moved    []units.Seconds
		routed   []units.Seconds
	}{
		{1, false, []units.Seconds{2, 2}, []units.Seconds{0, 4}},
		{2, false, []units.Seconds{2, 2}, []units.Seconds{0, 0}},
		{2, true, []units.Seconds{4, 4}, []units.Seconds{0, 0}},
	} {
		for _, reference := range []bool{false, true} {
			traffic := &scripted{}
			traffic.add(0, 4, 2)
			traffic.add(0, 4, 2)
			config := apart(traffic, Transfer{Bandwidth: 2, Shared: c.shared})
			config.Reference, config.Queue = reference, &RouterQueue{MaxInFlight: 1}
			config.Pools[0].Replicas, config.Pools[1].Replicas = c.replicas, 2
			config.Pools[0].Batching, config.Pools[1].Batching = continuous(8, 8), continuous(8, 8)
			rec, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			checkRecord(t, rec)
			for i, r := range rec.Requests {
				if moved, routed := units.Seconds(r.ToLast[metrics.KVTransfer]), units.Seconds(r.ToLast[metrics.Routing]); moved != c.moved[i] || routed != c.routed[i] {
					t.Errorf("%+v, request %d: %v at the router and %v on the way", c, i, routed, moved)
				}
			}
		}
	}
}

// drawApart is a scene with a part of its replicas that only prefill, and some that only
// decode.
func drawApart(t *rapid.T) func() Config {
	s := drawScene(t)
	p := &s.config.Pools[0]
	if !canWait(s.policy()) {
		s.policy, s.guesses, p.Acceptance, p.WholeBatches = continuous(3, 10), nil, nil, false
	}
	p.Tiers, p.Streamed, p.Layers, p.SerialMoves, p.Windows, p.Chunk = nil, 0, 0, false, paging.Windows{}, 0
	p.WholeAnswers, p.Sent.Bytes = false, 1
	decode := *p
	decode.Replicas = rapid.IntRange(1, 3).Draw(t, "replicas that decode")
	decode.Blocks = rapid.IntRange(1, 15).Draw(t, "blocks there")
	decode.Batching = s.policy
	if s.size == 0 {
		decode.Reserve = policies.ReserveDeclared // of a replica with as many blocks
	}
	p.Role, decode.Role = PrefillOnly, DecodeOnly
	decode.Sent.Bytes = units.Bytes(rapid.SampledFrom([]float64{.25, 1, 4}).Draw(t, "bytes there"))
	decode.Sent.Lanes = rapid.IntRange(0, 2).Draw(t, "lanes")
	transfer := &Transfer{
		Bandwidth: units.BytesPerSecond(rapid.SampledFrom([]float64{.5, 3, math.Inf(1)}).Draw(t, "bandwidth")),
		Latency:   rapid.SampledFrom([]units.Seconds{0, .25}).Draw(t, "latency"),
		Shared:    rapid.Bool().Draw(t, "shared"),
		Mode:      rapid.SampledFrom([]TransferMode{Pull, Push, Reserve}).Draw(t, "mode"),
		MinTokens: rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "min tokens"),

		MaxPendingTokens:   rapid.SampledFrom([]int{0, 0, 1, 8}).Draw(t, "pending tokens"),
		MaxPendingRequests: rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "pending requests"),
	}
	if transfer.Mode == Reserve {
		transfer.Layers = rapid.SampledFrom([]int{0, 4}).Draw(t, "layers")
	}
	whole := *p
	whole.Failures = drawFailures(t)
	p.Failures, decode.Failures = drawLinkFailures(t), drawLinkFailures(t)
	whole.Role, whole.Batching, whole.Sent, whole.Replicas = Both, s.policy, Sent{}, 1
	mixed := rapid.IntRange(0, 3).Draw(t, "mixed") == 0
	return func() Config {
		c := s.fresh()
		c.Pools = append(c.Pools, decode)
		if mixed {
			c.Pools = append(c.Pools, whole)
		}
		c.Transfer = transfer
		return c
	}
}

// canWait tells whether a policy lets requests wait for their keys and values.
func canWait(b policies.Batching) bool {
	switch b := b.(type) {
	case *policies.Continuous, *policies.PrefillFirst, *policies.DecodeFirst, *policies.Sarathi:
		return true
	case *policies.Speculative:
		return canWait(b.Batching)
	}
	return false
}

// TestApartStretchesAgreeWithSteps is the proof of the stretch engine where prompts are
// computed apart from answers.
func TestApartStretchesAgreeWithSteps(t *testing.T) {
	effort.Check(t, 20, func(t *rapid.T) { compareEngines(t, drawApart(t)) })
}
