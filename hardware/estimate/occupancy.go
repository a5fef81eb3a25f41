package estimate

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// occupancy is how long a sequence stays in the batch, and what it does there.
type occupancy struct {
	prompt hardware.Cost // what a prompt adds to the steps of the others
	own    units.Seconds // of the steps with the sequence's own prompt
	tpot   units.Seconds
	stay   units.Seconds // from its first step to its last
	work   hardware.Cost // of a batch of requests, in the time that one stays
}

func (m *deployed) occupy(q *Question) occupancy {
	if q.Output == 1 {
		return m.occupyPrefill(q)
	}
	o, gaps := occupancy{}, float64(q.Output-1)
	step, cycle := m.decodeStep(q, q.Batch)
	prompts := float64(q.Batch-1) / gaps
	m.occupyWithPrompt(&o, q, step.DecodeRows-1, cycle*units.Seconds(gaps)/units.Seconds(q.Batch))
	count, _ := m.microBatches(q.Batch)
	o.prompt.Time *= units.Seconds(passageShare(prompts, count))
	o.tpot = cycle + o.prompt.Time*units.Seconds(prompts)
	o.stay = o.own + units.Seconds(gaps)*o.tpot
	steps := gaps * float64(q.Batch) / float64(step.DecodeRows)
	o.work = hardware.Cost{}.Plus(m.Step(step), steps).Plus(o.prompt, float64(q.Batch))
	return o
}

// occupyWithPrompt is a prompt's steps, in which the others decode, so long after those of the
// prompt before.
func (m *deployed) occupyWithPrompt(o *occupancy, q *Question, others int, rested units.Seconds) {
	decoding := hardware.Work{}
	if others > 0 {
		decoding = *m.decodeWork(q, others)
	}
	alone, with, without := m.Step(&decoding), newPassage(m), newPassage(m)
	m.eachPrefillStep(q, 1, rested, func(w *hardware.Work) {
		mixed := decoding
		mixed.Prefill, mixed.LogitRows, mixed.Rested = w.Prefill, decoding.LogitRows+w.LogitRows, w.Rested
		o.prompt = o.prompt.Plus(m.Step(&mixed), 1).Plus(alone, -1)
		with.add(&mixed)
		without.add(&decoding)
	})
	o.own, o.prompt.Time = with.end(), with.end()-without.end()
}

// occupyPrefill is batches that end with their prompts: those of a micro-batch
// are computed together.
func (m *deployed) occupyPrefill(q *Question) occupancy {
	var o occupancy
	count, rows := m.microBatches(q.Batch)
	p := newPassage(m)
	m.eachPrefillStep(q, rows, 0, func(w *hardware.Work) {
		o.work = o.work.Plus(m.Step(w), 1)
		p.add(w)
	})
	o.own, o.stay = p.cycle(count), p.cycle(count)
	o.work = hardware.Cost{}.Plus(o.work, float64(q.Batch)/float64(rows))
	o.prompt = hardware.Cost{}.Plus(o.work, 1/float64(q.Batch))
	o.prompt.Time = o.stay / units.Seconds(q.Batch)
	return o
}
