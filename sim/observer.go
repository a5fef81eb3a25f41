package sim

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
)

// Observer sees what a run does, as it happens: for timelines and traces. Events
// of one replica come in the order of their ends; those of different replicas in
// any order, since in an open loop each replica runs on by itself. An observer must
// not keep what events point to, which the engine uses again.
type Observer interface {
	Steps(StepsEvent)
	Move(MoveEvent)
	Phase(PhaseEvent)
}

// StepsEvent is one step, or several that follow each other and differ only by one
// token of context for each sequence.
type StepsEvent struct {
	Replica    int            // its number over all pools, from 0
	Start, End units.Seconds  // of all of them together
	Steps      int            // at least 1
	Work       *hardware.Work // of the first of them
	Running    int            // sequences in the batch
	Blocks     int            // KV blocks in use in the last of them
}

// MoveEvent is what moves between an accelerator and the tiers: in a step, or beside
// the steps for a sequence that waits for it.
type MoveEvent struct {
	Replica    int
	Start, End units.Seconds // of the step; of the wait, in the queue of the link too
	Bytes      units.Bytes   // of each accelerator
	Exposed    units.Seconds // by which it lengthened the step
}

// Phase is what a request is doing.
type Phase string

// The phases of a request.
const (
	PhaseRouter   Phase = "router" // waits there, for a replica that has room
	PhaseFrontEnd Phase = "front end"
	PhaseQueue    Phase = "queue"
	PhaseLoad     Phase = "load" // over a link, from a tier
	PhasePrefill  Phase = "prefill"
	PhaseDecode   Phase = "decode"
	PhaseParked   Phase = "parked"   // in the first tier, until it comes back
	PhaseRecovery Phase = "recovery" // from a preemption
	PhaseBlocked  Phase = "blocked"  // in the batch, until another sequence has left its blocks
)

var phaseNames = [...]Phase{
	waits:    PhaseQueue,
	loads:    PhaseLoad,
	prefills: PhasePrefill,
	decodes:  PhaseDecode,
	away:     PhaseParked,
	recovers: PhaseRecovery,
	blocked:  PhaseBlocked,
}

// PhaseEvent is a phase of a request that has ended. The phases of a request follow
// each other without gaps, from its arrival to its end.
type PhaseEvent struct {
	Replica    int // -1: none, of a request that gave up at the router
	Request    int
	Phase      Phase
	Start, End units.Seconds
}

// observeRouter observes the wait of a request at the router, that ends now.
func (f *fleet) observeRouter(replica int, v *visit, now units.Seconds) {
	if o := f.config.Observer; o != nil {
		o.Phase(PhaseEvent{Replica: replica, Request: v.ID, Phase: PhaseRouter, Start: v.since, End: now})
	}
}

func (m *machine) observePhase(request int, p Phase, start, end units.Seconds) {
	if o := m.fleet.config.Observer; o != nil {
		o.Phase(PhaseEvent{Replica: m.number, Request: request, Phase: p, Start: start, End: end})
	}
}

func (m *machine) observeSteps(n int, work *hardware.Work, start, end units.Seconds) {
	if o := m.fleet.config.Observer; o != nil {
		first := *work // so that the step's own stays off the heap
		o.Steps(m.stepsEvent(n, &first, start, end))
	}
}

// stepsEvent is that of n steps with the memory as it is.
func (m *machine) stepsEvent(n int, first *hardware.Work, start, end units.Seconds) StepsEvent {
	return StepsEvent{Replica: m.number, Start: start, End: end, Steps: n, Work: first, Running: m.size, Blocks: m.memory.used()}
}

// observeLater keeps what an observer is told of the step that is set up until it has
// ended; nil without one. A step under way may be lost with its replica.
func (m *machine) observeLater(start, end units.Seconds) *StepsEvent {
	if m.fleet.config.Observer == nil {
		return nil
	}
	work := m.step.work
	work.Prefill = slices.Clone(work.Prefill)
	event := m.stepsEvent(1, &work, start, end)
	return &event
}

func (m *machine) observeMove(start, end units.Seconds, bytes units.Bytes, exposed units.Seconds) {
	if o := m.fleet.config.Observer; o != nil {
		o.Move(MoveEvent{Replica: m.number, Start: start, End: end, Bytes: bytes, Exposed: exposed})
	}
}
