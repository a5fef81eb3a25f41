package policies_test

import (
	"fmt"
	"testing"

	"kneepoint/policies"
	"kneepoint/policies/policytest"
	"kneepoint/units"
)

// TestSchedulersContract: every scheduler of the table keeps the contract, with the
// least memory set aside that it goes with.
func TestSchedulersContract(t *testing.T) {
	for _, s := range policies.Schedulers {
		reserve := policies.ReservePaged
		if s.NeverPreempts != "" {
			reserve = policies.ReserveDeclared
		}
		for _, p := range contractParameters(s) {
			t.Run(fmt.Sprintf("%s/%+v", s.Name, p), func(t *testing.T) {
				policytest.Check(t, reserve, func() policies.Batching { return s.New(p) })
			})
		}
	}
}

// contractParameters are the corners of what the scheduler reads.
func contractParameters(s policies.Scheduler) []policies.Parameters {
	var all []policies.Parameters
	switch {
	case s.Static:
		for _, size := range []int{1, 3, 1000} {
			for _, wait := range []units.Seconds{0, 0.75, 100} {
				all = append(all, policies.Parameters{MaxNumSeqs: size, MaxWait: wait}, policies.Parameters{MaxNumSeqs: size, MaxWait: wait, Padded: true},
					policies.Parameters{MaxNumSeqs: size, MaxWait: wait, Padded: true, Packed: true, Reads: policies.ReadPrompts},
					policies.Parameters{MaxNumSeqs: size, MaxWait: wait, Padded: true, ByToken: true})
			}
		}
	case s.HasTokenBudget():
		for _, c := range [][2]int{{1, 1}, {1, 1000}, {3, 2}, {4, 16}, {1000, 1}, {1000, 1000}} {
			all = append(all, policies.Parameters{MaxNumSeqs: c[0], MaxNumBatchedTokens: c[1]})
		}
		if s.Reads("long_prefill_token_threshold") {
			for _, c := range [][3]int{{4, 5, 1}, {1000, 5, 3}, {1000, 1000, 2}} {
				all = append(all, policies.Parameters{MaxNumSeqs: c[0], MaxNumBatchedTokens: c[1], LongPrefillTokenThreshold: c[2]})
			}
			for _, c := range [][3]int{{4, 5, 2}, {1000, 16, 3}} {
				all = append(all, policies.Parameters{MaxNumSeqs: c[0], MaxNumBatchedTokens: c[1], Ranks: c[2]})
			}
		}
	default:
		for _, size := range []int{1, 3, 1000} {
			all = append(all, policies.Parameters{MaxNumSeqs: size})
		}
	}
	return all
}

func TestSpeculativeContract(t *testing.T) {
	for _, guesses := range []int{0, 1, 5} {
		proposals := &policies.FixedProposals{Tokens: guesses, DisableAboveBatch: 3}
		t.Run(fmt.Sprintf("%d guesses, sarathi", guesses), func(t *testing.T) {
			policytest.Check(t, policies.ReservePaged, func() policies.Batching {
				return &policies.Speculative{Batching: &policies.Sarathi{MaxNumSeqs: 5, MaxNumBatchedTokens: 12}, Proposals: proposals}
			})
		})
		for _, counted := range []policies.Guesses{{}, {Lookahead: guesses}, {Tree: policies.Tree{2, 1, 3, 1, 1}, Lookahead: 4}} {
			counted.Proposals = proposals
			t.Run(fmt.Sprintf("%d guesses, counted %+v", guesses, counted), func(t *testing.T) {
				policytest.Check(t, policies.ReservePaged, func() policies.Batching {
					return &policies.Continuous{MaxNumSeqs: 5, MaxNumBatchedTokens: 12, Guesses: &counted}
				})
			})
		}
		t.Run(fmt.Sprintf("%d guesses, static", guesses), func(t *testing.T) {
			policytest.Check(t, policies.ReserveDeclared, func() policies.Batching {
				return &policies.Speculative{Batching: &policies.Static{BatchSize: 4}, Proposals: proposals, Tree: policies.Tree{2, 2, 1, 1, 1}}
			})
		})
	}
}

// TestMovesContract: moves keep the contract around every scheduler that they go
// with.
func TestMovesContract(t *testing.T) {
	for _, s := range policies.Schedulers {
		if s.NeverPreempts != "" {
			continue
		}
		for _, p := range []policies.Parameters{{MaxNumSeqs: 1, MaxNumBatchedTokens: 12}, {MaxNumSeqs: 8, MaxNumBatchedTokens: 4}, {MaxNumSeqs: 1000, MaxNumBatchedTokens: 12}} {
			swapping := func() policies.Swapping {
				w := policies.Swapping{Batching: s.New(p), MaxNumSeqs: p.MaxNumSeqs}
				if s.HasTokenBudget() {
					w.MaxNumBatchedTokens = p.MaxNumBatchedTokens
				}
				return w
			}
			t.Run(fmt.Sprintf("swapping %s, %d", s.Name, p.MaxNumSeqs), func(t *testing.T) {
				policytest.Check(t, policies.ReservePaged, func() policies.Batching { w := swapping(); return &w })
			})
			if s.NoLayerWise != "" {
				continue
			}
			t.Run(fmt.Sprintf("layer-wise %s, %d", s.Name, p.MaxNumSeqs), func(t *testing.T) {
				policytest.Check(t, policies.ReservePaged, func() policies.Batching {
					return &policies.LayerWise{Swapping: swapping(), Layers: 4}
				})
			})
		}
	}
}
