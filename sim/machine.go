package sim

import (
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// machine is the state of a replica: the requests in its front end and its queue,
// its batch, its memory, and the step that is set up. Its methods change that
// state; when they are called is up to an engine.
type machine struct {
	fleet    *fleet
	pool     *Pool
	number   int // of the replica
	batching policies.Batching
	totals   *metrics.Totals   // of its pool
	steps    *metrics.StepSums // likewise

	frontEnd  frontEnd
	sequences sequences
	waiting   queue
	late      []*policies.Sequence // came after the next step was planned, in order
	running   []*policies.Sequence // the batch, in order of admission; nil where one has ended
	size      int                  // of the batch
	admitted  int64                // sequences so far
	memory    memory
	parking   parking
	window    int // of the layers that do not attend to everything; 0: none

	now     units.Seconds // start of the current step, or of being idle
	changed units.Seconds // when a count that integrate follows last changed
	wake    units.Seconds // when an idle machine looks at its queue again
	follows bool          // the step to plan follows another one without a pause
	held    policies.Held // what the head of the queue waits for
	clocks  clocks

	view     policies.View
	decision policies.Decision
	step     step
	series   series // of the decode steps since the batch last changed
}

func newMachine(f *fleet, pool, number int) machine {
	p, record := &f.config.Pools[pool], &f.record.Pools[pool]
	return machine{
		fleet: f, pool: p, number: number, batching: p.Batching(), totals: &record.Totals, steps: &record.Steps,
		frontEnd: frontEnd{limit: p.Threads}, memory: newMemory(p), window: p.Cost.Window(), wake: forever,
		view: policies.View{BlockSize: p.BlockSize, TotalBlocks: p.Blocks},
		step: newStep(p),
	}
}

// decide asks the policy for the next step and changes the batch as it says. It
// is false when the policy has nothing to do.
func (m *machine) decide() bool {
	m.view.Now, m.view.Running, m.view.FreeBlocks = m.now, m.running, m.memory.free
	if tiers := m.pool.Tiers; len(tiers) > 0 {
		m.view.FreeTierBlocks = tiers[0].Blocks - m.parking.blocks
	}
	d := &m.decision
	d.Reset()
	m.batching.Plan(&m.view, d)
	m.integrate(m.now)
	m.step.moves.reset()
	m.preempt(d.Preempt, d.Swap)
	m.restore(d.Restore)
	m.held = d.Held
	m.admit(d.Admit)
	if len(d.Tasks) == 0 {
		m.wake = max(m.now, d.Wake)
		return false
	}
	return true
}

// backlog is the number of requests that wait, parked ones among them.
func (m *machine) backlog() int {
	return m.waiting.Len() + len(m.late) + len(m.parking.sequences)
}

// showLate puts the requests into the queue that were too late for the last plan.
// It is false when there are none.
func (m *machine) showLate() bool {
	any := len(m.late) > 0
	for _, s := range m.late {
		m.joinQueue(s)
	}
	m.late = m.late[:0]
	return any
}

// joinQueue lets a new request wait.
func (m *machine) joinQueue(s *policies.Sequence) {
	if m.fleet.config.Rank == nil {
		m.waiting.pushBack(s)
		return
	}
	m.waiting.insert(s)
}

// endRequest closes the record of a sequence that has generated its last token, and
// gives its memory back. The caller takes it out of the batch.
func (m *machine) endRequest(s *sequence, now units.Seconds) {
	m.giveBack(s)
	m.enter(s, decodes)
	record := m.fleet.record.Of(s.request)
	record.Last, record.Generated, record.State = now, int32(s.Generated), metrics.Completed
	if m.pool.WholeAnswers {
		record.First, record.ToFirst = now, record.ToLast
	}
	m.fleet.record.Close(s.request)
	if s.parkedBlocks > 0 {
		m.reserveParking(s, 0)
	}
	m.sequences.release(s.ID)
	m.size--
	m.fleet.config.Traffic.Done(s.request, now)
	m.series = series{}
}
