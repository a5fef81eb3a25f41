package policies_test

import (
	"fmt"
	"strings"
	"testing"

	"kneepoint/policies"
	"kneepoint/policies/policytest"
)

// OneAtATime serves requests one after the other. It looks at every step, and sets
// memory aside for whole sequences so that it need not preempt.
type OneAtATime struct{ policies.SequenceBySequence }

// Plan implements policies.Batching.
func (OneAtATime) Plan(v *policies.View, d *policies.Decision) {
	var s *policies.Sequence
	switch {
	case len(v.Running) > 0:
		if s = v.Running[0]; s.Pending() == 0 {
			return // in a pipeline, until its token is there
		}
	case v.Waiting.Len() > 0:
		s, d.Admit = v.Waiting.At(0), 1
	default:
		return
	}
	blocks := max(s.Blocks, v.BlocksFor(s.Reserved))
	d.Tasks = append(d.Tasks, policies.Task{Sequence: s, Tokens: s.Pending(), Blocks: blocks})
}

// A policy of one's own is checked against the contract that the engine relies on.
func TestOneAtATime(t *testing.T) {
	policytest.Check(t, policies.ReserveDeclared, func() policies.Batching { return OneAtATime{} })
}

// A policy of one's own decides step by step what a replica does.
func ExampleBatching() {
	var policy policies.Batching = OneAtATime{}
	request := &policies.Sequence{Prompt: 100, Reserved: 120}
	var d policies.Decision
	d.Reset()
	policy.Plan(&policies.View{Waiting: waiting{request}, BlockSize: 16, FreeBlocks: 50, TotalBlocks: 50}, &d)
	fmt.Printf("admits %d, processes %d tokens in %d blocks\n", d.Admit, d.Tasks[0].Tokens, d.Tasks[0].Blocks)
	// Output: admits 1, processes 100 tokens in 8 blocks
}

// waiting is a queue.
type waiting []*policies.Sequence

func (w waiting) Len() int                    { return len(w) }
func (w waiting) At(i int) *policies.Sequence { return w[i] }

func ExampleFind() {
	scheduler, ok := policies.Find(policies.Schedulers, "sarathi")
	fmt.Println(ok, scheduler.Doc)
	fmt.Println(strings.Join(scheduler.Keys, ", "))
	policy := scheduler.New(policies.Parameters{MaxNumSeqs: 64, MaxNumBatchedTokens: 512})
	fmt.Printf("%+v\n", policy)
	// Output:
	// true every decode first, then prefills in chunks of what they leave; memory for whole prompts
	// max_num_seqs, max_num_batched_tokens
	// &{MaxNumSeqs:64 MaxNumBatchedTokens:512}
}

func ExampleNames() {
	fmt.Println(policies.Names(policies.Schedulers))
	// Output: [static vllm-v1 vllm-v0 sarathi alternating orca decode-first lightllm]
}
