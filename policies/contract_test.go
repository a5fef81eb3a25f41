package policies_test

import (
	"fmt"
	"testing"

	"kneepoint/policies"
	"kneepoint/policies/policytest"
	"kneepoint/units"
)

func TestContinuousContract(t *testing.T) {
	for _, c := range []policies.Continuous{
		{MaxNumSeqs: 1, MaxNumBatchedTokens: 1},
		{MaxNumSeqs: 1, MaxNumBatchedTokens: 1000},
		{MaxNumSeqs: 3, MaxNumBatchedTokens: 2},
		{MaxNumSeqs: 4, MaxNumBatchedTokens: 16},
		{MaxNumSeqs: 1000, MaxNumBatchedTokens: 1},
		{MaxNumSeqs: 1000, MaxNumBatchedTokens: 1000},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			fresh := func() policies.Batching { p := c; return &p }
			policytest.Check(t, policies.ReservePaged, fresh)
		})
	}
}

func TestStaticContract(t *testing.T) {
	for _, size := range []int{1, 3, 1000} {
		for _, padded := range []bool{false, true} {
			for _, wait := range []float64{0, 0.75, 100} {
				t.Run(fmt.Sprintf("size %d, padded %t, wait %v", size, padded, wait), func(t *testing.T) {
					fresh := func() policies.Batching {
						return &policies.Static{BatchSize: size, Padded: padded, MaxWait: units.Seconds(wait)}
					}
					policytest.Check(t, policies.ReserveDeclared, fresh)
				})
			}
		}
	}
}

func TestSpeculativeContract(t *testing.T) {
	for _, guesses := range []int{0, 1, 5} {
		proposals := &policies.FixedProposals{Tokens: guesses, DisableAboveBatch: 3}
		t.Run(fmt.Sprintf("%d guesses, continuous", guesses), func(t *testing.T) {
			policytest.Check(t, policies.ReservePaged, func() policies.Batching {
				return &policies.Speculative{Batching: &policies.Continuous{MaxNumSeqs: 5, MaxNumBatchedTokens: 12}, Proposals: proposals}
			})
		})
		t.Run(fmt.Sprintf("%d guesses, static", guesses), func(t *testing.T) {
			policytest.Check(t, policies.ReserveDeclared, func() policies.Batching {
				return &policies.Speculative{Batching: &policies.Static{BatchSize: 4}, Proposals: proposals, Tree: policies.Tree{2, 2, 1, 1, 1}}
			})
		})
	}
}

func TestOrcaContract(t *testing.T) {
	for _, size := range []int{1, 3, 1000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			policytest.Check(t, policies.ReserveDeclared, func() policies.Batching { return policies.NewOrca(size) })
		})
	}
}

func TestPrefillFirstContract(t *testing.T) {
	for _, c := range []policies.PrefillFirst{
		{MaxNumSeqs: 1, MaxNumBatchedTokens: 1},
		{MaxNumSeqs: 4, MaxNumBatchedTokens: 8},
		{MaxNumSeqs: 1000, MaxNumBatchedTokens: 1000},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			policytest.Check(t, policies.ReservePaged, func() policies.Batching { p := c; return &p })
		})
	}
}

func TestSarathiContract(t *testing.T) {
	for _, c := range []policies.Sarathi{
		{MaxNumSeqs: 1, MaxNumBatchedTokens: 1},
		{MaxNumSeqs: 3, MaxNumBatchedTokens: 2},
		{MaxNumSeqs: 4, MaxNumBatchedTokens: 16},
		{MaxNumSeqs: 1000, MaxNumBatchedTokens: 1},
		{MaxNumSeqs: 1000, MaxNumBatchedTokens: 1000},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			policytest.Check(t, policies.ReservePaged, func() policies.Batching { p := c; return &p })
		})
	}
}

func TestAlternatingContract(t *testing.T) {
	for _, c := range []policies.Alternating{
		{MaxNumSeqs: 1, MaxNumBatchedTokens: 1},
		{MaxNumSeqs: 4, MaxNumBatchedTokens: 3},
		{MaxNumSeqs: 1000, MaxNumBatchedTokens: 1000},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			policytest.Check(t, policies.ReservePaged, func() policies.Batching { p := c; return &p })
		})
	}
}

func TestDecodeFirstContract(t *testing.T) {
	for _, size := range []int{1, 3, 1000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			policytest.Check(t, policies.ReservePaged, func() policies.Batching { return &policies.DecodeFirst{MaxNumSeqs: size} })
		})
	}
}

func TestSwappingContract(t *testing.T) {
	for _, size := range []int{1, 4, 1000} {
		swapping := func() policies.Swapping {
			return policies.Swapping{Batching: &policies.Continuous{MaxNumSeqs: size, MaxNumBatchedTokens: 12}, MaxNumSeqs: size, MaxNumBatchedTokens: 12}
		}
		t.Run(fmt.Sprintf("swapping, %d", size), func(t *testing.T) {
			policytest.Check(t, policies.ReservePaged, func() policies.Batching { p := swapping(); return &p })
		})
		t.Run(fmt.Sprintf("layer-wise, %d", size), func(t *testing.T) {
			policytest.Check(t, policies.ReservePaged, func() policies.Batching {
				return &policies.LayerWise{Swapping: swapping(), Layers: 4}
			})
		})
	}
	t.Run("layer-wise, prompts first", func(t *testing.T) {
		policytest.Check(t, policies.ReservePaged, func() policies.Batching {
			inner := &policies.PrefillFirst{MaxNumSeqs: 8, MaxNumBatchedTokens: 4}
			return &policies.LayerWise{Layers: 4, Swapping: policies.Swapping{Batching: inner, MaxNumSeqs: 8, MaxNumBatchedTokens: 4}}
		})
	})
	t.Run("layer-wise, stall-free", func(t *testing.T) {
		policytest.Check(t, policies.ReservePaged, func() policies.Batching {
			inner := &policies.Sarathi{MaxNumSeqs: 8, MaxNumBatchedTokens: 4}
			return &policies.LayerWise{Layers: 4, Swapping: policies.Swapping{Batching: inner, MaxNumSeqs: 8, MaxNumBatchedTokens: 4}}
		})
	})
	t.Run("prompts first", func(t *testing.T) {
		policytest.Check(t, policies.ReservePaged, func() policies.Batching {
			return &policies.Swapping{Batching: &policies.PrefillFirst{MaxNumSeqs: 8, MaxNumBatchedTokens: 16}, MaxNumSeqs: 8}
		})
	})
}
