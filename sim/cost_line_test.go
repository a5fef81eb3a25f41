package sim

import (
	"context"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// capped is a cost whose energy is that of the context, up to 20.
type capped struct{ hardware.Plain }

// Step implements hardware.CostModel.
func (capped) Step(w *hardware.Work) hardware.Cost {
	return hardware.Cost{Time: units.Seconds(w.DecodeContext), Energy: min(20, float64(w.DecodeContext))}
}

// TestCostLines: on a line a step costs what the model says, and between two powers of two where the model bends there is
// none: of the time at 10, and of the energy at 20.
func TestCostLines(t *testing.T) {
	for bend, model := range map[int64]hardware.CostModel{10: bent{}, 20: capped{}} {
		var l costLines
		for context := int64(1); context < 200; context++ {
			w := &hardware.Work{DecodeRows: 1, LogitRows: 1, DecodeContext: context}
			line, below := l.of(w, model), int64(8)
			if bend == 20 {
				below = 16
			}
			if bends := context >= below && context < 2*below; (line == nil) != bends {
				t.Errorf("%T at %d: there is a line: %t", model, context, line != nil)
			}
			if want := model.Step(w); line != nil && line.at(context) != want {
				t.Errorf("%T at %d: %+v on the line, want %+v", model, context, line.at(context), want)
			}
		}
	}
}

// TestCostLinesAreOfDecodesAlone: steps with anything besides are on none.
func TestCostLinesAreOfDecodesAlone(t *testing.T) {
	for what, w := range map[string]hardware.Work{
		"prompt":         {DecodeRows: 2, LogitRows: 2, DecodeContext: 9, Prefill: []hardware.Chunk{{Tokens: 1}}},
		"guesses":        {DecodeRows: 2, LogitRows: 2, DecodeContext: 9, DraftRows: 1},
		"padding":        {DecodeRows: 2, LogitRows: 2, DecodeContext: 9, PaddingRows: 1},
		"padded context": {DecodeRows: 2, LogitRows: 2, DecodeContext: 9, PaddingContext: 1},
		"window":         {DecodeRows: 2, LogitRows: 2, DecodeContext: 9, DecodeWindowContext: 4},
		"fewer logits":   {DecodeRows: 2, LogitRows: 1, DecodeContext: 9},
		"nobody":         {},
	} {
		if l := (costLines{}); l.of(&w, bent{}) != nil {
			t.Errorf("%s: there is a line", what)
		}
	}
}

// TestSeriesEndsWithItsLine: from a context of 60 with two sequences there are two steps up to 63, of 60 and 62 seconds.
func TestSeriesEndsWithItsLine(t *testing.T) {
	var l costLines
	var s series
	l.of(&hardware.Work{DecodeRows: 2, LogitRows: 2, DecodeContext: 60}, bent{}).fit(&s, 60, contextGrowth{steps: 9, context: 2})
	if s.limit != 2 || s.endOf(1) != 60 || s.endOf(2) != 122 {
		t.Errorf("%d steps, the first of which end at %v and %v", s.limit, s.endOf(1), s.endOf(2))
	}
	if cost := s.costOf(2); cost.FLOPs != 122 {
		t.Errorf("both have %v FLOPs, want 122", cost.FLOPs)
	}
}

// TestStepsBehindAPauseEndAsTheModelSays: while a second prompt is computed the first request waits, so that the step behind it is
// in no series. It ends when the model says, to the last bit, and not when the line of its cost does.
func TestStepsBehindAPauseEndAsTheModelSays(t *testing.T) {
	cost := &hardware.Synthetic{StepFixed: 1, PerContextToken: 0.1}
	for input := 1; input < 40; input++ {
		traffic := &scripted{}
		traffic.add(0, input, 2)
		traffic.add(0.5, 1, 2)
		s := setup{cost: cost, batching: func() policies.Batching {
			return schedulerNamed("vllm-v0").New(policies.Parameters{MaxNumSeqs: 2, MaxNumBatchedTokens: 64})
		}}
		record, err := Run(context.Background(), s.configOf(traffic))
		if err != nil {
			t.Fatal(err)
		}
		both := cost.Step(&hardware.Work{DecodeRows: 2, LogitRows: 2, DecodeContext: int64(input) + 3}).Time
		if last := record.Requests[0].Last; last != 2+both {
			t.Errorf("with a prompt of %d: the step ends %g later than the model says", input, last-2-both)
		}
	}
}
