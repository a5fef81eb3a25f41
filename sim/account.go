package sim

import (
	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// phase is what a sequence is doing.
type phase uint8

const (
	waits    phase = iota // for its first step
	prefills              // until its first token
	decodes
	away     // below, after the prefill, until it comes back
	recovers // from a preemption, until it has as many tokens in memory as before
)

// account is when the phase of a sequence began.
type account struct {
	since  units.Seconds
	start  clocks        // then
	landed units.Seconds // the end of its last step in a pipeline
}

// clocks are times that a replica has spent so far, which only grow. What a
// sequence has of them is the difference between the ends of a phase, so that
// steps cost the same however many sequences are in them. What nobody's clock
// counts is the sequence's own: its prefill, its decode, or its turn to come.
type clocks struct {
	frontEnd units.Seconds // before steps, in the thread that runs them
	draft    units.Seconds // proposing tokens
	transfer units.Seconds // moving keys and values
	prompts  units.Seconds // by which prompts lengthen steps
	memory   units.Seconds // in which the head of the queue is held by memory
}

// enter ends the phase of a sequence now, books its time, and begins the next.
func (r *replica) enter(s *sequence, next phase) {
	a, c := r.account(s), &r.clocks
	rest := r.changed - a.since
	parts := &r.fleet.record.Of(s.request).ToLast
	take := func(p metrics.Part, t units.Seconds) {
		parts.Add(p, t)
		rest -= t
	}
	switch s.phase {
	case waits:
		take(metrics.KVWait, c.memory-a.start.memory)
		take(metrics.Queue, rest)
	case away:
		take(metrics.KVWait, rest)
	case recovers:
		take(metrics.Preemption, rest)
	default:
		take(metrics.FrontEnd, c.frontEnd-a.start.frontEnd)
		take(metrics.Transfer, c.transfer-a.start.transfer)
		take(metrics.Interference, c.prompts-a.start.prompts)
		if s.phase == prefills {
			take(metrics.Prefill, rest)
			break
		}
		take(metrics.Draft, c.draft-a.start.draft)
		take(metrics.Decode, rest)
	}
	s.phase, a.since, a.start = next, r.changed, *c
}

// account is that of a sequence.
func (r *replica) account(s *sequence) *account { return &r.sequences.accounts[s.ID] }

// recover ends the recovery of a preempted sequence when it has as many tokens in
// memory as before.
func (r *replica) recover(s *sequence) {
	switch {
	case s.Computed < s.computed:
	case s.Generated > 0:
		r.enter(s, decodes)
	default:
		r.enter(s, prefills)
	}
}

// firstToken notes that a sequence has its first token now.
func (r *replica) firstToken(s *sequence) {
	r.enter(s, decodes)
	record := r.fleet.record.Of(s.request)
	record.First, record.ToFirst = r.changed, record.ToLast
}

// tick lets the clocks of a replica with one stage count a step that ends, which
// took so much.
func (r *replica) tick(cost hardware.Cost) {
	r.fleet.record.Steps.Add(&r.work, 1, cost.Time)
	alone := r.withoutPrompts(cost)
	prompts := max(0, cost.Time-alone.Time)
	r.clocks.frontEnd += r.prepare
	r.fleet.record.Totals.Preparing += r.prepare
	r.clocks.draft += alone.Draft
	r.clocks.transfer += r.moves.extend(cost.Time) - cost.Time
	r.clocks.prompts += prompts
	for chunk, s := range r.prefilled {
		r.account(s).start.prompts += r.ownPrompt(chunk, alone, prompts)
	}
}

// withoutPrompts is the cost of the step that is set up in work, which costs so
// much, if nobody were prefilled in it.
func (r *replica) withoutPrompts(cost hardware.Cost) hardware.Cost {
	switch {
	case len(r.work.Prefill) == 0:
		return cost
	case r.work.BatchRows() == 0:
		return hardware.Cost{}
	}
	r.other = r.work
	r.other.Prefill, r.other.LogitRows = nil, r.work.DecodeRows+r.work.DraftRows
	return r.fleet.config.Cost.Step(&r.other)
}

// ownPrompt is by how much the step's chunk-th prompt lengthens a step without
// others, which takes so much alone: that is not interference. All prompts
// together lengthen it by so much. To one that is computed again it makes no
// difference.
func (r *replica) ownPrompt(chunk int, alone hardware.Cost, prompts units.Seconds) units.Seconds {
	s := r.prefilled[chunk]
	switch {
	case s.phase != prefills:
		return 0
	case len(r.prefilled) == 1:
		return prompts
	}
	r.other = r.work
	r.other.Prefill, r.other.LogitRows = r.work.Prefill[chunk:chunk+1], r.work.DecodeRows+r.work.DraftRows
	if s.tokens == s.Pending() {
		r.other.LogitRows++
	}
	own := r.fleet.config.Cost.Step(&r.other).Time - alone.Time
	return min(max(0, own), prompts)
}

// countDecodes counts the next n steps of the sequences that decode, which take
// so long.
func (r *replica) countDecodes(n int, took units.Seconds) {
	d, steps := &r.decoding, &r.fleet.record.Steps
	w := d.work(nil, &r.decision)
	steps.Add(&w, n, took)
	later := float64(n) * float64(n-1) / 2 // the sum of the steps' numbers
	steps.Decodes.DecodeContext += later * float64(d.count)
	steps.Decodes.WindowContext += later * float64(d.below)
}
