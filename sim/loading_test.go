package sim

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestDecodesDoNotWaitForLoads: while 51 thousand tokens come over a link of 3 GB/s, the
// request that they are for waits 2.2 s, and the sequences that decode go on. In
// steps that wait for what they move they stand still meanwhile.
func TestDecodesDoNotWaitForLoads(t *testing.T) {
	for name, c := range map[string]struct {
		serial         bool
		least, longest units.Seconds // gap between tokens
	}{"async": {false, 0, 0.05}, "serial": {true, 2.2, 2.4}} {
		t.Run(name, func(t *testing.T) {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 1, 51_000)
			prompts(traffic, 50, 1, 2, 51_000) // takes the first one's place
			traffic.add(100, 100, 600)
			prompts(traffic, 101, 1, 1, 51_000)
			config := hostCached(t, 52_000, 3e9, traffic)
			config.Pools[0].SerialMoves = c.serial
			rec := outcome(t, config)
			if loaded := rec.Totals.LoadedTokens; loaded < 50_000 {
				t.Fatalf("%d tokens were loaded", loaded)
			}
			if ttft := rec.Requests[3].TTFT(); ttft < 2.2 || ttft > 2.6 {
				t.Errorf("the request has its first token after %v", ttft)
			}
			gap := units.Seconds(rec.ITL.Quantile(1))
			t.Logf("longest gap %v", gap)
			if gap < c.least || gap > c.longest {
				t.Errorf("the longest gap is %v, want %v to %v", gap, c.least, c.longest)
			}
		})
	}
}

// linked is a replica with a host that has everything from before in blocks of one byte, a
// step of a second, and a second of computation for a prompt token.
func linked(traffic *scripted, blocks int, tier Tier) Config {
	c := setup{cost: &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 1}, batching: continuous(100, 1000), reserve: policies.ReservePaged}.configOf(traffic)
	p := &c.Pools[0]
	p.Blocks, p.BlockSize, p.Eviction, p.Tiers, p.BlockBytes = blocks, 4, policies.LRU{}, []Tier{tier}, 1
	return c
}

// evict adds requests at a time that take the place of all cached blocks.
func evict(s *scripted, at units.Seconds, tokens int) { s.add(at, tokens-1, 1) }

// TestLoadsInTurn: requests whose prompts are below have their first token when the link
// has served those before them and them: n loads of 5 blocks at 2 s each, a latency of a half,
// and a step that computes the last token. Their steps do not overlap with anything.
func TestLoadsInTurn(t *testing.T) {
	traffic := &scripted{}
	for id := range 3 {
		prompts(traffic, units.Seconds(100*id), 1, 10+id, 20)
	}
	evict(traffic, 500, 80)
	prompts(traffic, 1000, 3, 10, 20)
	rec := outcome(t, linked(traffic, 20, Tier{Blocks: 100, Bandwidth: 0.5, Latency: 0.5}))
	for n := range 3 {
		want := units.Seconds(10*(n+1)) + 0.5 + 2
		if got := rec.Requests[4+n].TTFT(); got != want {
			t.Errorf("request %d has its first token after %v, want %v", n, got, want)
		}
		parts := rec.Requests[4+n].ToFirst
		if got := units.Seconds(parts[metrics.Transfer]); got != units.Seconds(10*(n+1))+0.5 {
			t.Errorf("request %d waits %v for the link", n, got)
		}
	}
	if got := rec.Totals.MovedBytes; got != 15 {
		t.Errorf("%v moved, want 15 B", got)
	}
}

// TestFollowersLoadOnce: requests at once with the same prompt load it once, and wait for
// it without blocks; one that fits meanwhile joins.
func TestFollowersLoadOnce(t *testing.T) {
	traffic := &scripted{}
	prompts(traffic, 0, 1, 10, 20)
	evict(traffic, 500, 48)
	for range 3 {
		prompts(traffic, 1000, 1, 10, 20)
	}
	traffic.add(1000, 3, 1)
	rec := outcome(t, linked(traffic, 12, Tier{Blocks: 100, Bandwidth: 0.5}))
	// 10 s of loading, then a step of the last token of one and the last block of two.
	for id, want := range map[int]units.Seconds{2: 20, 3: 20, 4: 20, 5: 4} {
		if got := rec.Requests[id].TTFT(); got != want {
			t.Errorf("request %d has its first token after %v, want %v", id, got, want)
		}
	}
	if got := rec.Totals.MovedBytes; got != 5 {
		t.Errorf("%v moved, want 5 B: once", got)
	}
}

// TestHeadFollowsWhenItsBlocksAreTaken: a request that was preempted finds two blocks of its prompt, the second of which
// nobody holds, and waits for memory. When another sequence takes that block, it follows the load of it that is under way,
// and does not wait for memory any more: after four steps, from the plan that takes the block or from the next one.
func TestHeadFollowsWhenItsBlocksAreTaken(t *testing.T) {
	for _, scheduler := range []string{"vllm-v1", "vllm-v0"} {
		for _, reference := range []bool{true, false} {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 9)
			evict(traffic, 500, 28)
			traffic.add(1000, 4, 12)         // has its first token at 1081, and takes the third block at 1085, the fourth at 1089
			prompts(traffic, 1000, 1, 10, 4) // is preempted at 1085
			traffic.requests[3].Output, traffic.requests[3].Named = 8, 12
			prompts(traffic, 1001, 1, 10, 9) // loads its second block from 1081 to 1106
			config := linked(traffic, 7, Tier{Blocks: 100, Bandwidth: 0.04})
			p := &config.Pools[0]
			p.Cost = &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 10} // so that loading pays
			p.Batching = func() policies.Batching {
				return schedulerNamed(scheduler).New(policies.Parameters{MaxNumSeqs: 100, MaxNumBatchedTokens: 1000})
			}
			config.Reference = reference
			if got := outcome(t, config).Totals.HeldByMemory; got != 2*4 {
				t.Errorf("%s, reference %t: memory holds two requests for %v s together, want 8 s", scheduler, reference, got)
			}
		}
	}
}

// TestCopiesTakeTheirTime: the blocks of a request that has ended are free when they have
// been copied to the host; until then others find them in memory.
func TestCopiesTakeTheirTime(t *testing.T) {
	traffic := &scripted{}
	prompts(traffic, 0, 1, 10, 20)  // until 21; its 5 blocks are copied until 71
	prompts(traffic, 25, 1, 10, 20) // 4 of them are in memory
	traffic.add(30, 31, 1)          // needs 8 of 12 blocks
	rec := outcome(t, linked(traffic, 12, Tier{Blocks: 100, Bandwidth: 1, BandwidthOut: 0.1}))
	for id, want := range []units.Seconds{21, 30, 71 + 32} {
		if got := rec.Requests[id].First; got != want {
			t.Errorf("request %d has its first token at %v, want %v", id, got, want)
		}
	}
	if rec.Totals.LoadedTokens != 0 {
		t.Errorf("%d tokens were loaded that are in memory", rec.Totals.LoadedTokens)
	}
}

// TestFollowersHoldNothing: requests that wait for a load of others hold no block of the
// prefix that is in
// memory already, so that all blocks are free when everybody has ended.
func TestFollowersHoldNothing(t *testing.T) {
	traffic := &scripted{}
	prompts(traffic, 0, 1, 10, 20)
	evict(traffic, 500, 36)
	for range 3 {
		prompts(traffic, 1000, 1, 10, 20)
	}
	traffic.add(2000, 47, 1)
	rec := outcome(t, linked(traffic, 12, Tier{Blocks: 100, Bandwidth: 0.5}))
	if moved := rec.Totals.MovedBytes; moved == 0 || moved >= 5 {
		t.Errorf("%v moved, want a part of 5 B", moved)
	}
	if r := &rec.Requests[5]; r.State != metrics.Completed {
		t.Errorf("a request that needs all blocks is %v", r.State)
	}
}

// TestLoadFromOneTier: a tier that nothing is loaded from delays no load, however long its
// latency is.
func TestLoadFromOneTier(t *testing.T) {
	var first units.Seconds
	for _, latency := range []units.Seconds{0, 1000} {
		traffic := &scripted{}
		prompts(traffic, 0, 1, 10, 20)
		evict(traffic, 500, 80)
		prompts(traffic, 1000, 1, 10, 20)
		config := linked(traffic, 20, Tier{Blocks: 100, Bandwidth: 0.5, Latency: 0.5})
		config.Pools[0].Tiers = append(config.Pools[0].Tiers, Tier{Blocks: 100, Bandwidth: 1, Latency: latency})
		rec := outcome(t, config)
		if rec.Totals.LoadedTokens == 0 {
			t.Fatal("nothing was loaded")
		}
		if got := rec.Requests[2].TTFT(); first != 0 && got != first {
			t.Errorf("a latency of %v behind makes the first token come after %v instead of %v", latency, got, first)
		} else {
			first = got
		}
	}
}

// TestLoadsThatDoNotPay: where steps wait for what they move, a prompt is computed again if
// that is faster than the link, and nothing of it is loaded.
func TestLoadsThatDoNotPay(t *testing.T) {
	for _, c := range []struct {
		bandwidth units.BytesPerSecond
		loads     bool
	}{{100, true}, {0.01, false}} {
		for _, tokens := range []int{80, 72} { // all that was cached gives way, or all but two blocks
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 20)
			evict(traffic, 500, tokens)
			prompts(traffic, 10000, 1, 10, 20)
			config := linked(traffic, 20, Tier{Blocks: 100, Bandwidth: c.bandwidth, BandwidthOut: 100})
			config.Pools[0].SerialMoves = true
			rec := outcome(t, config)
			if loaded := rec.Totals.LoadedTokens > 0; loaded != c.loads || !c.loads && rec.Totals.MovedBytes > 0 {
				t.Errorf("over %v: %d tokens loaded, %v moved", c.bandwidth, rec.Totals.LoadedTokens, rec.Totals.MovedBytes)
			}
		}
	}
}

// TestFollowersOfAnEarlierLoad: a request that comes while its prompt is being loaded for another one
// follows that, and one with another prompt has its own load.
func TestFollowersOfAnEarlierLoad(t *testing.T) {
	traffic := &scripted{}
	prompts(traffic, 0, 2, 10, 20)
	evict(traffic, 500, 80)
	prompts(traffic, 1000, 1, 10, 20) // its 5 blocks are loaded until 1010
	prompts(traffic, 1003, 2, 10, 20) // the second one's until 1020
	prompts(traffic, 1004, 1, 10, 20)
	rec := outcome(t, linked(traffic, 20, Tier{Blocks: 100, Bandwidth: 0.5}))
	for id, want := range map[int]units.Seconds{3: 1020, 4: 1020, 5: 1022, 6: 1020} {
		if got := rec.Requests[id].First; got != want {
			t.Errorf("request %d has its first token at %v, want %v", id, got, want)
		}
	}
	if got := rec.Totals.MovedBytes; got != 10 {
		t.Errorf("%v moved, want 10 B: each prompt once", got)
	}
}

// TestFollowersComeBackLast: of requests that come back in the same step those that hold blocks
// go before one that followed another's load, whatever its place was.
func TestFollowersComeBackLast(t *testing.T) {
	traffic := &scripted{}
	prompts(traffic, 0, 2, 10, 20)
	evict(traffic, 500, 120)
	traffic.add(1000, 60, 2) // keeps the accelerator busy until 1061, and one of three places
	prompts(traffic, 1000, 1, 10, 20)
	prompts(traffic, 1000, 2, 10, 20)
	config := linked(traffic, 30, Tier{Blocks: 100, Bandwidth: 0.5})
	config.Pools[0].Batching = continuous(3, 1000)
	rec := outcome(t, config)
	for id, want := range map[int]units.Seconds{4: 1064, 6: 1064, 5: 1069} {
		if got := rec.Requests[id].First; got != want {
			t.Errorf("request %d has its first token at %v, want %v", id, got, want)
		}
	}
}

// TestLoadsTakeWhatTheyNeed: a request that needs blocks in memory finds them there, unless one
// before it, in the same step, takes them for a load: not for what that finds itself. Those
// that were used last are taken last.
func TestLoadsTakeWhatTheyNeed(t *testing.T) {
	for name, c := range map[string]struct {
		again         bool // the second prompt is used again, after which one more of the first one's blocks is gone
		moved         units.Bytes
		first, second units.Seconds
	}{
		"not in the way": {true, 3, 1008, 1005},
		"in the way":     {false, 4, 1006, 1010},
	} {
		t.Run(name, func(t *testing.T) {
			traffic := &scripted{}
			prompts(traffic, 0, 1, 10, 20)
			prompts(traffic, 100, 1, 11, 12)
			evict(traffic, 200, 12) // two of the first prompt's blocks
			if c.again {
				prompts(traffic, 300, 1, 11, 12)
			}
			prompts(traffic, 1000, 1, 10, 20)
			prompts(traffic, 1000, 1, 11, 12)
			rec := outcome(t, linked(traffic, 9, Tier{Blocks: 100, Bandwidth: 0.5}))
			last := len(rec.Requests) - 1
			if got := rec.Totals.MovedBytes; got != c.moved {
				t.Errorf("%v moved, want %v", got, c.moved)
			}
			if first, second := rec.Requests[last-1].First, rec.Requests[last].First; first != c.first || second != c.second {
				t.Errorf("first tokens at %v and %v, want %v and %v", float64(first), float64(second), c.first, c.second)
			}
		})
	}
}

// TestLoadsBehindOthersPrompts: of a prompt whose first blocks another one computes in the same
// step, only the others are loaded.
func TestLoadsBehindOthersPrompts(t *testing.T) {
	traffic := &scripted{}
	prompts(traffic, 0, 1, 10, 40)
	evict(traffic, 500, 80)
	prompts(traffic, 1000, 1, 10, 9)  // is computed faster than loaded: 1 s + 9 s
	prompts(traffic, 1000, 1, 10, 40) // 8 of its 10 blocks are loaded, the last token is computed
	rec := outcome(t, linked(traffic, 20, Tier{Blocks: 100, Bandwidth: 1, Latency: 10}))
	for id, want := range map[int]units.Seconds{2: 1010, 3: 1020} {
		if got := rec.Requests[id].First; got != want {
			t.Errorf("request %d has its first token at %v, want %v", id, got, want)
		}
	}
	if got := rec.Totals.MovedBytes; got != 8 {
		t.Errorf("%v moved, want 8 B", got)
	}
}

// TestSerialCopiesTakeNoTime: where steps wait for what they move, copies hold nobody up.
func TestSerialCopiesTakeNoTime(t *testing.T) {
	traffic := &scripted{}
	prompts(traffic, 0, 1, 10, 20)
	traffic.add(30, 47, 1)
	config := linked(traffic, 12, Tier{Blocks: 100, Bandwidth: 1, BandwidthOut: 0.01})
	config.Pools[0].SerialMoves = true
	if got := outcome(t, config).Requests[1].First; got != 30+48 {
		t.Errorf("the second request has its first token at %v", got)
	}
}

// TestNoCopiesTakeNoTime: a tier without room for copies holds no block back.
func TestNoCopiesTakeNoTime(t *testing.T) {
	traffic := &scripted{}
	prompts(traffic, 0, 1, 10, 20)
	traffic.add(30, 47, 1)
	if got := outcome(t, linked(traffic, 12, Tier{Bandwidth: 1, Latency: 1000})).Requests[1].First; got != 30+48 {
		t.Errorf("the second request has its first token at %v", got)
	}
}
