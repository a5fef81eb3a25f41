package sim

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// TestReuseIsWhatOneReplicaFinds: a replica that forgets nothing and serves one request at a time
// finds what earlier requests had, to the token, however many replicas share them out.
func TestReuseIsWhatOneReplicaFinds(t *testing.T) {
	hits := false
	rapid.Check(t, func(t *rapid.T) {
		prompt, output := rapid.IntRange(1, 200).Draw(t, "prompt"), rapid.IntRange(1, 50).Draw(t, "output")
		workload := poisson(1, 120, exponential(float64(prompt)), exponential(float64(output)))
		if rapid.Bool().Draw(t, "prompts come again") {
			workload.Input = &workloads.LengthSpec{Type: "fixed", Mean: float64(prompt), Min: 1}
			workload.Prefix = &workloads.PrefixSpec{Distinct: rapid.IntRange(1, 30).Draw(t, "distinct")}
		} else {
			workload.Prefix = &workloads.PrefixSpec{Count: rapid.IntRange(1, 20).Draw(t, "prefixes"), Tokens: rapid.IntRange(1, 100).Draw(t, "prefix")}
		}
		s := setup{workload: workload, cost: &hardware.Synthetic{StepFixed: 1e-3}, prefixCaching: true,
			batching: continuous(rapid.IntRange(1, 8).Draw(t, "seqs"), math.MaxInt), blocks: rapid.IntRange(600, 900).Draw(t, "blocks"),
			replicas: rapid.IntRange(2, 5).Draw(t, "replicas")}
		all := s
		all.replicas, all.blocks, all.batching = 1, 0, continuous(1, math.MaxInt)
		run := func(s setup) *metrics.Totals {
			config := s.config(t, 1, 0)
			for i := range config.Pools {
				config.Pools[i].Reserve = policies.ReservePaged
			}
			rec, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			return &rec.Totals
		}
		fleet, one := run(s), run(all)
		for _, totals := range []*metrics.Totals{fleet, one} {
			if totals.ReuseAsked != one.AdmittedTokens || totals.ReusedTokens != one.CachedTokens {
				t.Errorf("%d of %d tokens came before; one replica finds %d of %d", totals.ReusedTokens, totals.ReuseAsked, one.CachedTokens, one.AdmittedTokens)
			}
		}
		hits = hits || fleet.ReusedTokens > 0
	})
	if !hits {
		t.Error("nothing was cached")
	}
}

// TestPooledIsWhatOneReplicaFinds: one replica with the memory of all, which serves one request at a time, finds what
// one cache of that size would have, to the token.
func TestPooledIsWhatOneReplicaFinds(t *testing.T) {
	forgot := false
	rapid.Check(t, func(t *rapid.T) {
		const longest = 20 // blocks of a request
		odd := func(label string, most int) int { return 1 + 2*rapid.IntRange(0, most/2).Draw(t, label) }
		prompt, shared := odd("prompt", 90), 2*rapid.IntRange(1, 45).Draw(t, "shared")
		workload := poisson(1, 200, fixed(float64(prompt)), exponential(float64(rapid.IntRange(1, 50).Draw(t, "output"))))
		workload.Output.Max = 100
		switch rapid.SampledFrom([]string{"count", "groups", "distinct"}).Draw(t, "prompts") {
		case "count": // what follows the prefix is nobody else's, and as much as it wants to be
			input := exponential(float64(prompt))
			input.Max = 100
			workload.Input = &input
			workload.Prefix = &workloads.PrefixSpec{Count: rapid.IntRange(1, 40).Draw(t, "prefixes"), Tokens: shared}
		case "groups": // no whole prompt ends with a block, which would be computed twice and have two places
			workload.Prefix = &workloads.PrefixSpec{Groups: rapid.IntRange(1, 10).Draw(t, "groups"), PerGroup: rapid.IntRange(1, 5).Draw(t, "members"), Tokens: shared}
		default:
			workload.Prefix = &workloads.PrefixSpec{Distinct: rapid.IntRange(1, 60).Draw(t, "distinct")}
		}
		s := setup{workload: workload, cost: &hardware.Synthetic{StepFixed: 1e-3}, prefixCaching: true, reserve: policies.ReservePaged,
			batching: continuous(rapid.IntRange(1, 8).Draw(t, "seqs"), math.MaxInt), blocks: rapid.IntRange(longest, 6*longest).Draw(t, "blocks"),
			replicas: rapid.IntRange(1, 5).Draw(t, "replicas")}
		all := s
		all.replicas, all.blocks, all.batching = 1, s.replicas*s.blocks, continuous(1, math.MaxInt)
		run := func(s setup) *metrics.Totals {
			rec, err := Run(context.Background(), s.config(t, 1, 0))
			if err != nil {
				t.Fatal(err)
			}
			return &rec.Totals
		}
		fleet, one := run(s), run(all)
		for _, totals := range []*metrics.Totals{fleet, one} {
			if totals.PooledTokens != one.CachedTokens {
				t.Errorf("%d of %d tokens would be in one cache; one replica finds %d of %d",
					totals.PooledTokens, totals.ReuseAsked, one.CachedTokens, one.AdmittedTokens)
			}
		}
		forgot = forgot || fleet.PooledTokens < fleet.ReusedTokens
	})
	if !forgot {
		t.Error("nothing was forgotten")
	}
}

// TestReuseOfConversations: turns that go to another replica each time find nothing there, though
// all was said before, answers included.
func TestReuseOfConversations(t *testing.T) {
	const conversations, turns = 20, 4
	workload := poisson(1, turns*conversations, fixed(64), fixed(32))
	workload.Session = &workloads.SessionSpec{Turns: workloads.Turns(fixed(turns)), ThinkTime: workloads.Thinking(3), Start: "at_once", Users: 1}
	workload.Arrival = nil
	s := setup{workload: workload, cost: &hardware.Synthetic{StepFixed: 1e-3}, batching: continuous(64, math.MaxInt), prefixCaching: true, replicas: turns}
	rec := s.run(t, 1, 0)
	want := 0
	for said := 96; said < turns*96; said += 96 {
		want += (said - 1) / 16 * 16
	}
	if got := rec.Totals.ReusedTokens; got != int64(conversations*want) || rec.Totals.CachedTokens != 0 {
		t.Errorf("%d tokens came before, and %d were cached; want %d and none", got, rec.Totals.CachedTokens, conversations*want)
	}
	v := metrics.Summarize(rec, metrics.Objective{}, []metrics.Deployment{{}})
	if got, want := v.Get(metrics.PrefixReuseRate), float64(want)/(64*turns+96*turns*(turns-1)/2); math.Abs(got-want) > 1e-12 {
		t.Errorf("a rate of %v, want %v", got, want)
	}
}

// TestReuseIsThatOfSingleBlocks: what the IDs know is what a set of single blocks would.
func TestReuseIsThatOfSingleBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 16
		known, blocks, names := newReuse(size), map[blockKey]bool{}, map[string]int{}
		m := memory{blockSize: size}
		span := rapid.IntRange(1, 40).Draw(t, "span")
		for range rapid.IntRange(1, 30).Draw(t, "requests") {
			c := &workloads.Content{Span: span}
			path := ""
			for range rapid.IntRange(1, 4).Draw(t, "IDs") {
				path += rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "part")
				if _, there := names[path]; !there {
					names[path] = len(names)
				}
				c.IDs = append(c.IDs, names[path])
			}
			named := rapid.IntRange(0, 200).Draw(t, "named")
			found := 0
			for found < named/size && blocks[m.key(c, found)] {
				found++
			}
			known.look(c)
			if ever, pooled := known.blocks(c); min(ever, named/size) != found || min(pooled, named/size) != found {
				t.Fatalf("%d blocks of %v came before and %d are there, want %d", ever, c, pooled, found)
			}
			known.add(c, named/size)
			for i := range named / size {
				blocks[m.key(c, i)] = true
			}
		}
	})
}
