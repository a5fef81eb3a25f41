package hardware

import (
	"fmt"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Measured is a cost model whose coefficients were fitted to measured steps of
// one deployment ([hardware.measured] in an experiment). A step takes
//
//	prefill:  Base + PerToken*Σ L + PerToken2*Σ ((p+L)² - p²)
//	decode:   Base + PerContextToken*Σ context + PerSequence*B
//
// over chunks of L prompt tokens on a context of p, and over B sequences that
// attend to their contexts, their own new token included. The squares make
// chunks add up: however a prompt is cut, its quadratic terms sum to L². A step
// with both parts reads the weights once: it takes the larger Base and the
// other terms of both. Padding counts as what it pads.
//
// The coefficients contain the host's share of a step. Bytes, FLOPs and link
// bytes are not measured, and zero.
//
// Source of the form: the latency model of DistServe (Zhong et al., OSDI 2024).
type Measured struct {
	Plain

	Prefill MeasuredPrefill  `toml:"prefill" required:"true"`
	Decode  []MeasuredDecode `toml:"decode" required:"true"`
}

// MeasuredPrefill is the coefficients of a prefill.
type MeasuredPrefill struct {
	Base      units.Seconds `toml:"base" check:"nonnegative"`
	PerToken  units.Seconds `toml:"per_token" check:"nonnegative"`
	PerToken2 units.Seconds `toml:"per_token2" check:"nonnegative"` // per squared token
}

// MeasuredDecode is the coefficients of a decode of at most MaxBatch sequences;
// the last range of batch sizes has no MaxBatch.
type MeasuredDecode struct {
	MaxBatch        int           `toml:"max_batch" check:"positive"`
	Base            units.Seconds `toml:"base" check:"nonnegative"`
	PerContextToken units.Seconds `toml:"per_context_token" check:"nonnegative"`
	PerSequence     units.Seconds `toml:"per_sequence" check:"nonnegative"`
}

var _ CostModel = (*Measured)(nil)

// Step returns the time of a step; it depends on nothing but the work.
func (m *Measured) Step(w *Work) Cost {
	var base, rest units.Seconds
	if len(w.Prefill) > 0 {
		base = m.Prefill.Base
		rest = m.Prefill.PerToken*units.Seconds(w.PromptTokens()) + m.Prefill.PerToken2*units.Seconds(w.PromptSquares())
	}
	if b := w.BatchRows(); b > 0 {
		d := m.Range(b)
		base = max(base, d.Base)
		rest += d.PerContextToken*units.Seconds(w.ReadContext()) + d.PerSequence*units.Seconds(b)
	}
	return Cost{Time: base + rest}
}

// Prefills tells whether prompts take any time: else they are computed elsewhere, and
// their keys and values are there when a request joins.
func (m *Measured) Prefills() bool { return m.Prefill != (MeasuredPrefill{}) }

// Range is the coefficients of a decode of b sequences.
func (m *Measured) Range(b int) *MeasuredDecode {
	for i := range m.Decode[:len(m.Decode)-1] {
		if b <= m.Decode[i].MaxBatch {
			return &m.Decode[i]
		}
	}
	return &m.Decode[len(m.Decode)-1]
}

// Validate refuses ranges that do not follow each other, and decodes that take no
// time. A prefill may take none: a replica that only decodes has its prompts' keys and
// values from elsewhere. Keys of its errors are relative to the table.
func (m *Measured) Validate() error {
	if len(m.Decode) == 0 {
		return &badinput.Error{Key: "decode", Problem: "has no range", Allowed: "at least one table of coefficients"}
	}
	for i, d := range m.Decode {
		key := fmt.Sprintf("decode[%d]", i)
		if (d == MeasuredDecode{MaxBatch: d.MaxBatch}) {
			return &badinput.Error{Key: key, Problem: "every constant is zero", Allowed: "at least one above 0"}
		}
		switch last := i == len(m.Decode)-1; {
		case last && d.MaxBatch != 0:
			return &badinput.Error{Key: key + ".max_batch", Value: d.MaxBatch,
				Problem: "the last range has no limit: it holds for every larger batch", Allowed: "no max_batch here, or a range after it"}
		case !last && d.MaxBatch == 0:
			return &badinput.Error{Key: key + ".max_batch", Problem: "missing: other ranges follow"}
		case !last && i > 0 && d.MaxBatch <= m.Decode[i-1].MaxBatch:
			return &badinput.Error{Key: key + ".max_batch", Value: d.MaxBatch, Problem: "must be greater than that of the range before"}
		}
	}
	return nil
}
