package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// phase is what a sequence is doing. Each ends by enter, which gives its time to parts
// of the request's latency.
type phase uint8

const (
	waits    phase = iota // for its first step
	loads                 // waits for a link, until its keys and values have come from a tier
	prefills              // until its first token
	decodes
	away     // in the first tier, after the prefill, until it comes back
	recovers // from a preemption, until it has as many tokens in memory as before
	blocked  // in the batch, until another sequence that moves out has left its blocks
)

// phaseStart is when the phase of a sequence began, and what the machine's clocks
// showed then.
type phaseStart struct {
	at     units.Seconds
	clocks clocks        // then
	landed units.Seconds // the end of its last step in a pipeline
}

// clocks are times that a replica has spent until now, which only grow. What a
// sequence has of them is the difference between the ends of a phase, so that
// steps cost the same however many sequences are in them. The time of a phase that no
// clock counts is the sequence's own: its prefill, its decode, or its time in the
// queue.
type clocks struct {
	frontEnd units.Seconds // before steps, in the thread that runs them
	draft    units.Seconds // proposing tokens
	transfer units.Seconds // moving keys and values
	prompts  units.Seconds // by which prompts lengthen steps
	memory   units.Seconds // in which the head of the queue is held by memory
}

// enter ends the phase of a sequence, adds its time to the parts of the request's
// latency, and begins the next phase. Both happen at the time of the last integrate,
// which every engine calls before it changes a sequence. The parts of a phase sum to
// its time, so that those of a request sum to its latency. It returns the record of the request.
func (m *machine) enter(s *sequence, next phase) *metrics.Request {
	a, c := m.phaseStart(s), &m.clocks
	rest := m.changed - a.at
	record := m.fleet.record.Of(s.request)
	parts := &record.ToLast
	add := func(p metrics.Part, t units.Seconds) {
		parts.Add(p, t)
		rest -= t
	}
	switch s.phase {
	case waits:
		add(metrics.KVWait, c.memory-a.clocks.memory)
		add(metrics.Queue, rest)
	case loads:
		add(s.partOfLoad(), rest)
	case away, blocked:
		add(metrics.KVWait, rest)
	case recovers:
		add(metrics.Preemption, rest)
	default:
		add(metrics.FrontEnd, c.frontEnd-a.clocks.frontEnd)
		add(metrics.Transfer, c.transfer-a.clocks.transfer)
		add(metrics.Interference, c.prompts-a.clocks.prompts)
		if s.phase == prefills {
			add(metrics.Prefill, rest)
			break
		}
		add(metrics.Draft, c.draft-a.clocks.draft)
		add(metrics.Decode, rest)
	}
	if m.fleet.config.Observer != nil {
		m.observePhase(s.request, phaseNames[s.phase], a.at, m.changed)
	}
	s.phase, a.at, a.clocks = next, m.changed, *c
	return record
}

// block begins the wait of sequences that stand still for blocks. Those that compute
// again what they lost are in a phase of their own.
func (m *machine) block(waiting []*policies.Sequence) {
	for _, v := range waiting {
		if s := m.sequences.all[v.ID]; s.phase == prefills || s.phase == decodes {
			m.enter(s, blocked)
		}
	}
}

// unblock ends the wait of a sequence that has a task again.
func (m *machine) unblock(s *sequence) {
	switch {
	case s.phase != blocked:
	case s.Generated > 0:
		m.enter(s, decodes)
	default:
		m.enter(s, prefills)
	}
}

// phaseStart is when and how the phase of a sequence began.
func (m *machine) phaseStart(s *sequence) *phaseStart { return &m.sequences.phaseStarts[s.ID] }

// endRecovery ends the recovery of a preempted sequence when it has as many tokens
// in memory as before.
func (m *machine) endRecovery(s *sequence) {
	switch {
	case s.Computed < s.computed:
	case s.Generated > 0:
		m.enter(s, decodes)
	default:
		m.enter(s, prefills)
	}
}

// noteFirstToken notes that a sequence has its first token now.
func (m *machine) noteFirstToken(s *sequence) {
	record := m.enter(s, decodes)
	record.First, record.ToFirst = m.changed, record.ToLast
}

// countStepParts lets the clocks of a machine with one stage count the step that
// ends, by what lengthened it. A prompt's own share is no interference for its own
// sequence: it is taken off by beginning that sequence's phase later on this clock.
func (m *machine) countStepParts(cost hardware.Cost) {
	m.steps.Add(&m.step.work, 1, cost.Time)
	alone := m.withoutPrompts(cost)
	prompts := max(0, cost.Time-alone.Time)
	m.clocks.frontEnd += m.step.prepare
	m.totals.Preparing += m.step.prepare
	m.clocks.draft += alone.Draft
	m.clocks.transfer += m.step.moves.stepTime(cost.Time) - cost.Time
	m.clocks.prompts += prompts
	for chunk, s := range m.step.prefilled {
		m.phaseStart(s).clocks.prompts += m.ownPrompt(chunk, alone, prompts)
	}
}

// withoutPrompts is the cost of the step that is set up if no prompt were processed
// in it; cost is that of the step as it is, which in a coarse run nobody asks further.
func (m *machine) withoutPrompts(cost hardware.Cost) hardware.Cost {
	st := &m.step
	switch {
	case len(st.work.Prefill) == 0 || m.fleet.config.Coarse:
		return cost
	case st.work.BatchRows() == 0:
		return hardware.Cost{}
	}
	other := &m.fleet.other
	*other = st.work
	other.Prefill, other.LogitRows = nil, st.work.DecodeRows+st.work.DraftRows
	return m.stepCost(other)
}

// ownPrompt is by how much the step's prompt of index chunk lengthens a step
// without other prompts: that is not interference. A step without any costs alone,
// and all of them together lengthen it by prompts. To a sequence that is computed
// again it makes no difference.
func (m *machine) ownPrompt(chunk int, alone hardware.Cost, prompts units.Seconds) units.Seconds {
	st := &m.step
	s := st.prefilled[chunk]
	switch {
	case s.phase != prefills || prompts == 0:
		return 0
	case len(st.prefilled) == 1:
		return prompts
	}
	other := &m.fleet.other
	*other = st.work
	other.Prefill, other.LogitRows = st.work.Prefill[chunk:chunk+1], st.work.DecodeRows+st.work.DraftRows
	if s.tokens == s.Pending() {
		other.LogitRows++
	}
	own := m.pool.Cost.Step(other).Time - alone.Time
	return min(max(0, own), prompts)
}
