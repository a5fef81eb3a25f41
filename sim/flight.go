package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// flight is a step under way in a pipeline.
type flight struct {
	launched   units.Seconds   // when it was planned
	start, end units.Seconds   // when it enters the first stage and leaves the last; start is later than launched by front-end work
	cost       hardware.Cost   // of the whole step
	event      *StepsEvent     // what an observer is told when it ends; nil: there is none
	cohort     *cohort         // that has a token each in it; nil: none
	spare      int             // blocks that the policy wants to stay free beside those of the cohort
	sequences  []*sequence     // those with a task of their own in it
	prompts    units.Seconds   // by which all its prompts together lengthen it
	prefilled  []*sequence     // sequences whose prompts it processes
	own        []units.Seconds // by index of prefilled: by which this prompt alone would lengthen it
	sampled    []*sequence     // sequences that have a token when it ends
	recovered  []*sequence     // sequences that have computed again what they lost when it ends
}

// noteParts notes by how much prompts lengthen the step that is set up: once it has
// been launched, the machine's step is that of the next one.
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

// shareParts subtracts from the phases of the sequences of a step that ends what
// other prompts and front-end work took of it: the clocks of a machine do not run
// where steps overlap. Of chunks that follow each other through the stages, the later
// one counts from the end of the one before. The rest, waiting for a stage and for the
// next step, is prefill or decode.
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

// shareSinceLanding is the share of the step's time in the stages, 0 to 1, in which
// the sequence of a phase was in no earlier step.
func (f *flight) shareSinceLanding(a *phaseStart) units.Seconds {
	if f.end == f.start {
		return 0
	}
	return (f.end - max(f.start, a.landed)) / (f.end - f.start)
}
