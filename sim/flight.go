package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// flight is a step under way in a pipeline.
type flight struct {
	launched   units.Seconds
	start, end units.Seconds // of its passage through the stages
	cost       hardware.Cost
	sequences  []*sequence
	prompts    units.Seconds   // by which prompts lengthen it
	prefilled  []*sequence     // whose prompts these are
	own        []units.Seconds // by which the prompt of each would lengthen it alone
	sampled    []*sequence     // those that have a token when it ends
	recovered  []*sequence     // those that have computed again what they lost when it ends
}

// noteParts notes by how much prompts lengthen the step that is set up.
func (f *flight) noteParts(m *machine) {
	m.steps.Add(&m.step.work, 1, f.cost.Time)
	m.totals.Preparing += m.step.prepare
	alone := m.withoutPrompts(f.cost)
	f.prompts = max(0, f.cost.Time-alone.Time)
	f.prefilled = append(f.prefilled, m.step.prefilled...)
	for chunk := range m.step.prefilled {
		f.own = append(f.own, m.ownPrompt(chunk, alone, f.prompts))
	}
}

// shareParts gives the sequences of a step that ends their share of it. Of chunks
// that follow each other through the stages, the later one counts from the end of
// the one before. What is not set off, waiting for a stage and for the next step,
// is prefill or decode.
func (f *flight) shareParts(m *machine) {
	for i, s := range f.prefilled {
		a := m.phaseStart(s)
		a.clocks.prompts += f.own[i] * f.shareSinceLanding(a)
	}
	for _, s := range f.sequences {
		a := m.phaseStart(s)
		a.clocks.prompts -= f.prompts * f.shareSinceLanding(a)
		a.clocks.frontEnd -= max(0, f.start-max(f.launched, a.landed))
		a.landed = f.end
	}
}

// share is the share of the step's passage in which a sequence was in no earlier
// one.
func (f *flight) shareSinceLanding(a *phaseStart) units.Seconds {
	if f.end == f.start {
		return 0
	}
	return (f.end - max(f.start, a.landed)) / (f.end - f.start)
}
