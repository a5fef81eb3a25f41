package metrics

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/units"
)

// StepSums is what the steps of a run add up to, those with prompts apart from
// those that only decode.
type StepSums struct {
	Decodes, Prompts StepSum
}

// StepSum is sums over steps: their number, their time in seconds, and the fields of
// their hardware.Work. The mean step is what Explain asks the cost model about, since
// the work of single steps is not kept.
type StepSum struct {
	Steps float64 // number of steps; all sums are real numbers, which do not overflow
	Time  units.Seconds

	DecodeRows, DecodeContext, WindowContext float64
	PaddingRows, LogitRows                   float64
	DraftRows, DraftPasses, DraftContext     float64
	Chunks, PromptTokens, PromptContext      float64
}

// Add adds n steps, each with the work w, whose times sum to took.
func (s *StepSums) Add(w *hardware.Work, n int, took units.Seconds) {
	if len(w.Prefill) > 0 {
		s.Prompts.add(w, float64(n), took)
		return
	}
	s.Decodes.add(w, float64(n), took)
}

func (s *StepSum) add(w *hardware.Work, n float64, took units.Seconds) {
	s.Steps += n
	s.Time += took
	s.DecodeRows += n * float64(w.DecodeRows)
	s.DecodeContext += n * float64(w.DecodeContext)
	s.WindowContext += n * float64(w.DecodeWindowContext)
	s.PaddingRows += n * float64(w.PaddingRows)
	s.LogitRows += n * float64(w.LogitRows)
	if w.DraftRows > 0 {
		s.DraftRows += n * float64(w.DraftRows)
		s.DraftPasses += n * float64(w.DraftPasses)
		s.DraftContext += n * float64(w.DraftContext)
	}
	for _, c := range w.Prefill {
		s.Chunks += n
		s.PromptTokens += n * float64(c.Tokens)
		s.PromptContext += n * float64(c.Context)
	}
}

// addAll adds other sums.
func (s *StepSums) addAll(t *StepSums) {
	s.Decodes.addSum(&t.Decodes)
	s.Prompts.addSum(&t.Prompts)
}

func (s *StepSum) addSum(t *StepSum) {
	s.Steps += t.Steps
	s.Time += t.Time
	s.DecodeRows += t.DecodeRows
	s.DecodeContext += t.DecodeContext
	s.WindowContext += t.WindowContext
	s.PaddingRows += t.PaddingRows
	s.LogitRows += t.LogitRows
	s.DraftRows += t.DraftRows
	s.DraftPasses += t.DraftPasses
	s.DraftContext += t.DraftContext
	s.Chunks += t.Chunks
	s.PromptTokens += t.PromptTokens
	s.PromptContext += t.PromptContext
}

// Mean is the work of the mean step, in whole rows and tokens, with prompts of equal
// length. It has no guesses when there is less than half a row of them, or of
// sequences that decode.
func (s *StepSum) Mean() hardware.Work {
	mean := func(sum float64) int { return int(math.Round(sum / s.Steps)) }
	w := hardware.Work{
		DecodeRows: mean(s.DecodeRows), DecodeContext: int64(mean(s.DecodeContext)), DecodeWindowContext: int64(mean(s.WindowContext)),
		PaddingRows: mean(s.PaddingRows), LogitRows: mean(s.LogitRows),
	}
	if rows := mean(s.DraftRows); rows > 0 && w.DecodeRows > 0 {
		w.DraftRows, w.DraftPasses, w.DraftContext = rows, max(1, mean(s.DraftPasses)), int64(mean(s.DraftContext))
	}
	if s.Chunks > 0 {
		chunk := hardware.Chunk{Tokens: int(math.Round(s.PromptTokens / s.Chunks)), Context: int(math.Round(s.PromptContext / s.Chunks))}
		for range max(1, mean(s.Chunks)) {
			w.Prefill = append(w.Prefill, chunk)
		}
	}
	return w
}
