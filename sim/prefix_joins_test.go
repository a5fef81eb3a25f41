package sim

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestTwoJoinOnAHeldPrefix: three prompts begin with the same 8 tokens, four blocks of 2.
// While the first decodes, the other two join together. They hold its four blocks
// with it, and take two of their own each: where just so many are free both join in
// one step, with one block less the second of them waits for the first request to end.
func TestTwoJoinOnAHeldPrefix(t *testing.T) {
	const prompt, tail = 8, 3 // the tail of a prompt needs two blocks, which hold the answer too
	shared := func(branch int) *workloads.Content { return &workloads.Content{Span: prompt, IDs: []int{1, branch}} }
	for _, c := range []struct {
		name   string
		blocks int
		third  units.Seconds // when the third request has its first token
	}{
		{"room for both", 10, 2},
		{"a block too few", 9, 3},
	} {
		for _, reference := range []bool{false, true} {
			traffic := &scripted{}
			for i, at := range []units.Seconds{0, 0.5, 0.5} {
				traffic.add(at, prompt+tail, 2)
				traffic.requests[i].Content, traffic.requests[i].Named = shared(2+i), prompt+tail
			}
			config := written(traffic, c.blocks, continuous(8, 100)())
			config.Pools[0].Cost = &hardware.Synthetic{StepFixed: 1}
			config.Pools[0].Eviction, config.Reference = policies.LRU{}, reference
			rec, err := Run(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			checkRecord(t, rec)
			if got := rec.Totals.CachedTokens; got != 2*prompt {
				t.Errorf("%s: %d tokens were cached, want the prefix twice", c.name, got)
			}
			for i, want := range []units.Seconds{1, 2, c.third} {
				if got := rec.Requests[i].First; got != want {
					t.Errorf("%s: request %d has its first token at %v, want %v", c.name, i, got, want)
				}
			}
			if rec.Totals.Preemptions != 0 {
				t.Errorf("%s: %d preemptions", c.name, rec.Totals.Preemptions)
			}
		}
	}
}
