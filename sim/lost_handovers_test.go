package sim

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestLostBetweenPrefillAndDecode: times by hand, of a prompt of 4 tokens and an answer of 3. Without a failure the
// prompt is computed until 4, all has arrived at 6, and the answer ends at 8. What is computed again with its first
// token are 5 tokens, whose three blocks take 3 s to send.
func TestLostBetweenPrefillAndDecode(t *testing.T) {
	const prefill, decode = 0, 1
	for name, c := range map[string]struct {
		mode        TransferMode
		pool        int
		failure     Failure
		first, last units.Seconds
		state       metrics.State
	}{
		"prefill, while it computes":        {Pull, prefill, Failure{At: 2, Repair: after(1)}, 7, 11, metrics.Completed},
		"prefill, while it sends":           {Pull, prefill, Failure{At: 5, Repair: after(1)}, 4, 15, metrics.Completed},
		"prefill, while it pushes":          {Push, prefill, Failure{At: 5, Repair: after(1)}, 4, 15, metrics.Completed},
		"prefill, noticed later":            {Pull, prefill, Failure{At: 5, Detection: 2, Repair: after(1)}, 4, 17, metrics.Completed},
		"prefill, and nobody cares":         {Pull, prefill, Failure{At: 5, Lose: true}, 4, 5, metrics.Lost},
		"prefill, for good":                 {Pull, prefill, Failure{At: 5}, 4, 0, metrics.Unfinished},
		"prefill, when all is sent":         {Pull, prefill, Failure{At: 6.5}, 4, 8, metrics.Completed},
		"prefill, with blocks reserved":     {Reserve, prefill, Failure{At: 2, Repair: after(1)}, 7, 11, metrics.Completed},
		"decode, while it receives":         {Pull, decode, Failure{At: 5, Repair: after(1)}, 4, 14, metrics.Completed},
		"decode, noticed later":             {Push, decode, Failure{At: 5, Detection: 2, Repair: after(1)}, 4, 16, metrics.Completed},
		"decode, while it decodes":          {Pull, decode, Failure{At: 7.5}, 4, 13.5, metrics.Completed},
		"decode, and nobody cares":          {Pull, decode, Failure{At: 7.5, Lose: true}, 4, 7.5, metrics.Lost},
		"decode, for good":                  {Pull, decode, Failure{At: 3}, 4, 0, metrics.Unfinished},
		"decode, with blocks reserved":      {Reserve, decode, Failure{At: 2, Repair: after(1)}, 4, 13, metrics.Completed},
		"the same, and nobody cares":        {Reserve, decode, Failure{At: 2, Lose: true}, 4, 4, metrics.Lost},
		"decode, and the blocks are filled": {Reserve, decode, Failure{At: 5, Repair: after(1)}, 4, 15, metrics.Completed},
		"a link, for which it waits":        {Pull, prefill, Failure{Link: true, Wait: true, At: 5, Repair: after(3)}, 4, 11, metrics.Completed},
		"a link at the other end":           {Push, decode, Failure{Link: true, Wait: true, At: 5, Repair: after(3)}, 4, 11, metrics.Completed},
		"a link before anything is sent":    {Pull, decode, Failure{Link: true, Wait: true, At: 1, Repair: after(5)}, 4, 10, metrics.Completed},
		"a slow link":                       {Pull, prefill, Failure{Link: true, Slowdown: 2, At: 5, Repair: after(1)}, 4, 8.5, metrics.Completed},
		"a link that is given up":           {Pull, prefill, Failure{Link: true, At: 5, Detection: 1, Repair: after(10)}, 4, 25, metrics.Completed},
		"one with reserved blocks":          {Reserve, decode, Failure{Link: true, At: 5, Detection: 1, Repair: after(10)}, 4, 25, metrics.Completed},
		"one that is known to be lost":      {Pull, prefill, Failure{Link: true, At: 2, Repair: after(8)}, 4, 19, metrics.Completed},
		"a link, and nobody cares":          {Push, decode, Failure{Link: true, Lose: true, At: 5, Detection: 1, Repair: after(10)}, 4, 6, metrics.Lost},
		"a link that nobody needs":          {Pull, prefill, Failure{Link: true, At: 6.5, Repair: after(10)}, 4, 8, metrics.Completed},
	} {
		for _, reference := range []bool{false, true} {
			traffic := &scripted{}
			traffic.add(0, 4, 3)
			config := apart(traffic, Transfer{Bandwidth: 2, Mode: c.mode})
			config.Reference = reference
			config.Pools[0].Batching, config.Pools[1].Batching = continuous(8, 8), continuous(8, 8)
			c.failure.Together = 1
			config.Pools[c.pool].Failures = []Failure{c.failure}
			rec, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			checkRecord(t, rec)
			r := rec.Requests[0]
			if !near(float64(r.Last), float64(c.last)) || !near(float64(r.First), float64(c.first)) || r.State != c.state {
				t.Errorf("%s, reference %t: first token at %v, last at %v, %v; want %v, %v, %v",
					name, reference, r.First, r.Last, r.State, c.first, c.last, c.state)
			}
		}
	}
}

// TestWhoWaitsHearsWhenItAsks: of two requests the second waits for blocks in the replica that decodes, until 8. The replica
// that has its keys and values is lost before, another computes them again.
func TestWhoWaitsHearsWhenItAsks(t *testing.T) {
	for _, reference := range []bool{false, true} {
		traffic := &scripted{}
		traffic.add(0, 4, 3)
		traffic.add(0, 4, 3)
		config := apart(traffic, Transfer{Bandwidth: 4})
		config.Reference = reference
		config.Pools[0].Batching, config.Pools[1].Batching = continuous(8, 8), continuous(8, 8)
		config.Pools[1].Blocks = 4 // of two tokens: one request has three
		config.Pools[0].Failures = []Failure{{Together: 1, At: 9.5, Repair: after(0)}}
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		// Both are computed until 8. The first has arrived at 9 and ends at 11; then the second asks, is computed until 16, and
		// its three blocks arrive at 17.5.
		if a, b := rec.Requests[0], rec.Requests[1]; a.Last != 11 || b.First != 8 || b.Last != 18.5 {
			t.Errorf("reference %t: the last tokens come at %v and %v, the second request's first at %v", reference, a.Last, b.Last, b.First)
		}
	}
}

// TestBacklogBehindALink: prompts of a token are computed at once, one every second, and their keys and values take
// 0.5 s over the link. It is away for D = 60 s: transfers that begin meanwhile share it then, and all have gone
// D·ρ/(1 - ρ) = 60 s later.
func TestBacklogBehindALink(t *testing.T) {
	const away, from = 60, 100
	traffic := &scripted{}
	for i := range 300 {
		traffic.add(units.Seconds(i), 1, 2)
	}
	config := apart(traffic, Transfer{Bandwidth: 2, Mode: Push})
	for i := range config.Pools {
		p := &config.Pools[i]
		p.BlockSize, p.Blocks, p.Batching, p.Cost = 1, 1<<20, continuous(1000, 1<<20), &hardware.Synthetic{StepFixed: 1e-6}
	}
	config.Pools[0].Failures = []Failure{{Together: 1, At: from - 0.25, Link: true, Wait: true, Repair: after(away)}}
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	undisturbed, longest := 0, units.Seconds(0)
	for i := range rec.Requests {
		moved := units.Seconds(rec.Requests[i].ToLast[metrics.KVTransfer])
		longest = max(longest, moved)
		if moved < 0.51 {
			undisturbed++
		}
	}
	// Those from 100 s on, when it is away, until 220 s, when all have gone.
	if want := 300 - 2*away; undisturbed < want-1 || undisturbed > want+1 {
		t.Errorf("%d requests are not held up, want %d", undisturbed, want)
	}
	if v := metrics.Summarize(rec, metrics.Objective{}, make([]metrics.Deployment, 2)); math.Abs(v.Get(metrics.RecoveryTime)-2*away) > 1 {
		t.Errorf("recovered after %v s, not %v", v.Get(metrics.RecoveryTime), 2*away)
	}
	// The first one: as long as the link is away, and until 60 that share it have been sent in part.
	if longest < away || longest > 2*away {
		t.Errorf("the longest transfer takes %v", longest)
	}
}

// TestFailuresThatNeverComeChangeNothing: an infinite time between failures is as good as none, of replicas and of links.
func TestFailuresThatNeverComeChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fresh := drawApart(t)
		without, never := fresh(), fresh()
		for i := range without.Pools {
			without.Pools[i].Failures, never.Pools[i].Failures = nil, []Failure{{Together: 1, Until: after(forever)}}
			if never.Pools[i].Role != Both {
				never.Pools[i].Failures = append(never.Pools[i].Failures, Failure{Link: true, Wait: true, Until: after(forever), Repair: after(1)})
			}
		}
		sameRequests(t, recordOf(t, without), recordOf(t, never))
	})
}

// TestBreakdownsOfDecode: a replica that decodes is the M/M/1 queue with breakdowns of TestBreakdowns, where another one
// computes what was lost with the next token, and all is sent in no time.
func TestBreakdownsOfDecode(t *testing.T) {
	effort.Whole(t)
	const tokens, load, f, r = 1000, .5, .1, 1
	s := setup{
		workload: poisson(load, 20000, fixed(1), exponential(tokens)), batching: continuous(1, 1<<40), warmup: 2000,
		cost: &hardware.Synthetic{PerDecodeRow: 1. / tokens, PerPrefillChunk: 1. / tokens}, queue: &RouterQueue{MaxInFlight: 1},
	}
	var sojourns estimate
	for replication := range max(fewestReplications, effort.Times(t, usualReplications)) {
		config := s.config(t, 1, replication)
		decode := config.Pools[0]
		config.Pools[0].Role, decode.Role = PrefillOnly, DecodeOnly
		seed := uint64(replication)
		decode.Failures = []Failure{{Together: 1, Until: exponentialTimes(seed, 1/f), Repair: exponentialTimes(seed+100, 1/r)}}
		config.Pools = append(config.Pools, decode)
		config.Transfer = &Transfer{Bandwidth: units.BytesPerSecond(math.Inf(1))}
		rec, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		sojourns = append(sojourns, sojourn(rec))
	}
	sojourns.check(t, "E[T]", (f+(f+r)*(f+r))/((f+r)*(r-load*(f+r))))
}
