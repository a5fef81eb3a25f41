package hardware

import "kneepoint/units"

// Synthetic is a cost model with given constants, for tests against closed
// forms ([hardware.synthetic] in an experiment). A step takes
//
//	StepFixed + PerDecodeRow*rows + PerContextToken*decode context
//	          + PerPrefillChunk*chunks + PerPrefillToken*prompt tokens
//	          + PerDraftPass*longest proposal + PerDraftRow*proposed tokens
//
// and moves no bytes and does no FLOPs. Padding counts as what it pads: padding
// rows as decode rows, padding tokens as prompt tokens.
//
// Some queues that it degenerates to, with the rest at zero:
//   - one sequence at a time with fixed lengths and StepFixed = s: M/D/1, the
//     service time being s per output token;
//   - one sequence at a time and PerPrefillToken: M/G/1, the service time
//     following the law of the prompt lengths;
//   - a static batch of single-token outputs, PerPrefillChunk = a and
//     StepFixed = t0: the batch service queue with time a*b + t0;
//   - StepFixed alone: a flat step, whose throughput grows with the batch.
type Synthetic struct {
	Plain

	StepFixed       units.Seconds `toml:"step_fixed" check:"nonnegative"`
	PerDecodeRow    units.Seconds `toml:"per_decode_row" check:"nonnegative"`
	PerContextToken units.Seconds `toml:"per_context_token" check:"nonnegative"`
	PerPrefillChunk units.Seconds `toml:"per_prefill_chunk" check:"nonnegative"`
	PerPrefillToken units.Seconds `toml:"per_prefill_token" check:"nonnegative"`
	PerDraftPass    units.Seconds `toml:"per_draft_pass" check:"nonnegative"`
	PerDraftRow     units.Seconds `toml:"per_draft_row" check:"nonnegative"`
}

var _ CostModel = (*Synthetic)(nil)

// Step returns the time of a step; it depends on nothing but the work.
func (s *Synthetic) Step(w *Work) Cost {
	rows := w.DecodeRows + w.PaddingRows
	draft := s.PerDraftPass * units.Seconds(w.DraftPasses)
	return Cost{Draft: draft, Time: s.StepFixed +
		s.PerDecodeRow*units.Seconds(rows) +
		s.PerContextToken*units.Seconds(w.ReadContext()) +
		s.PerPrefillChunk*units.Seconds(len(w.Prefill)) +
		s.PerPrefillToken*units.Seconds(w.PromptTokens()) +
		draft +
		s.PerDraftRow*units.Seconds(w.DraftRows)}
}
