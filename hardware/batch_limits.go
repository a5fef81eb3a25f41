package hardware

import (
	"slices"
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// BatchLimits are the largest batch and the largest step that an engine takes where
// nobody states them, on accelerators of some kind: those with at least Memory, whose
// names hold one of Only, where it names any, and none of Except.
type BatchLimits struct {
	Memory units.Bytes `toml:"memory" check:"nonnegative"`
	Only   []string    `toml:"only"`
	Except []string    `toml:"except"`

	MaxNumSeqs          int `toml:"max_num_seqs" check:"positive" required:"true"`           // sequences in the batch
	MaxNumBatchedTokens int `toml:"max_num_batched_tokens" check:"positive" required:"true"` // tokens of a step
}

// BatchLimitsOn are the engine's limits on an accelerator: the first of BatchLimits
// that hold for it. nil stands for one that nothing is known of, which counts as the
// smallest, as vLLM does where it cannot ask the device. A custom accelerator counts by
// the name of that which it is like.
func (e *Engine) BatchLimitsOn(a *Accelerator) BatchLimits {
	if a == nil {
		a = &Accelerator{}
	}
	i := slices.IndexFunc(e.BatchLimits, func(l BatchLimits) bool { return l.holdFor(a) })
	if i < 0 {
		return BatchLimits{}
	}
	return e.BatchLimits[i]
}

// OfRanks is a limit of the batch, in sequences or tokens, of all data-parallel ranks of a
// replica and of each of them, see LimitsPerRank.
func (e *Engine) OfRanks(limit, ranks int) (all, each int) {
	if e.LimitsPerRank {
		return limit * ranks, limit
	}
	return limit, max(1, limit/ranks)
}

// holdFor tells whether the limits are those on an accelerator.
func (l *BatchLimits) holdFor(a *Accelerator) bool {
	name := a.Name
	if name == customName {
		name = a.KernelsLike
	}
	named := func(part string) bool { return strings.Contains(name, part) }
	return a.Memory >= l.Memory && (len(l.Only) == 0 || slices.ContainsFunc(l.Only, named)) && !slices.ContainsFunc(l.Except, named)
}

// checkBatchLimits refuses a profile without limits for some accelerators.
func (e *Engine) checkBatchLimits() error {
	last := len(e.BatchLimits) - 1
	if last < 0 || e.BatchLimits[last].Memory > 0 || len(e.BatchLimits[last].Only)+len(e.BatchLimits[last].Except) > 0 {
		return &badinput.Error{Key: "batch_limits", Problem: "the last of them is not for every accelerator",
			Allowed: "max_num_seqs and max_num_batched_tokens alone in the last one"}
	}
	return nil
}
