package estimate

import (
	"math"
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
)

// microBatches is how a batch is served in a pipeline: as count micro-batches, one
// for each stage as far as there are sequences, of rows sequences or one less.
func (m *deployed) microBatches(batch int) (count, rows int) {
	count = min(batch, m.Stages())
	return count, (batch + count - 1) / count
}

// passage is steps that pass through an empty pipeline one behind the other.
type passage struct {
	stages hardware.Pipeline
	times  []units.Seconds // of a step, by stage
	free   []units.Seconds // when each stage has done what came so far
	busy   []units.Seconds // how long it worked
}

func newPassage(c hardware.CostModel) *passage {
	stages := hardware.PipelineOf(c)
	n := stages.Stages()
	return &passage{stages, make([]units.Seconds, n), make([]units.Seconds, n), make([]units.Seconds, n)}
}

// add sends a step behind those before it: a stage takes it when the step has
// left the stage before, and the stage has done the step before.
func (p *passage) add(w *hardware.Work) {
	p.stages.StageTimes(w, p.times)
	var done units.Seconds
	for i, t := range p.times {
		done = max(done, p.free[i]) + t
		p.free[i] = done
		p.busy[i] += t
	}
}

// end is when the last step has left the last stage.
func (p *passage) end() units.Seconds { return p.free[len(p.free)-1] }

// cycle is the time after which the steps can follow themselves, when this number
// of micro-batches do the same: they have passed, and the busiest stage has done
// all of them,
//
//	max(end, micro-batches * longest stage)
func (p *passage) cycle(microBatches int) units.Seconds {
	return max(p.end(), units.Seconds(microBatches)*slices.Max(p.busy))
}

// decodeStep is a decode step of one of the batch's micro-batches, and the time
// after which all of them have done one.
func (m *deployed) decodeStep(q *Question, batch int) (w *hardware.Work, cycle units.Seconds) {
	count, rows := m.microBatches(batch)
	w = m.decodeWork(q, rows)
	p := newPassage(m)
	p.add(w)
	return w, p.cycle(count)
}

// passageShare is the share of a prompt's time that it adds to the steps of others,
// when on average this number of prompts come between two tokens of a sequence.
// What is in a pipeline keeps its order, so a prompt in one micro-batch holds up all of
// them for as long as it takes to pass; but prompts in different micro-batches
// pass at the same time. With l = prompts/micro-batches in each of them,
//
//	(1 - (1-l)^micro-batches) / prompts    as long as l < 1,
//	1 / micro-batches                      beyond.
func passageShare(prompts float64, microBatches int) float64 {
	n := float64(microBatches)
	switch l := prompts / n; {
	case microBatches == 1 || prompts == 0:
		return 1
	case l < 1:
		return -math.Expm1(n*math.Log1p(-l)) / prompts
	default:
		return 1 / n
	}
}
