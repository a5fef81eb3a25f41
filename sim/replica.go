package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// replica is one copy of the model: a queue, a batch, KV blocks, and a policy
// that decides step by step.
type replica struct {
	fleet     *fleet
	batching  policies.Batching
	arrivals  arrivals
	frontEnd  frontEnd
	sequences sequences
	waiting   queue
	unseen    []*policies.Sequence // arrived too late for the next plan, in order
	running   []*policies.Sequence // the batch, in order of admission; nil where one has ended
	size      int                  // of the batch
	admitted  int64                // sequences so far
	pool      pool
	below     below
	window    int // of the layers that do not attend to everything; 0: none

	held   policies.Held // the head of the queue
	clocks clocks

	now      units.Seconds // start of the current step, or of being idle
	active   bool          // a step is in flight or being planned
	inFlight bool          // the kernel will end a step
	underWay underWay      // that step
	ending   func()        // ends it
	follows  bool          // the step to plan follows another one without a pause
	wakes    int           // wake-ups that were scheduled; only the last one counts
	changed  units.Seconds // when a count that advance integrates last changed

	view      policies.View
	decision  policies.Decision
	work      hardware.Work
	prefilled []*sequence   // whose chunks are the step's
	other     hardware.Work // that the step is compared with
	moves     moves
	loads     []int         // by tier: blocks that a lookup would have loaded
	prepare   units.Seconds // front-end work that the replica's own thread does before the step
	steady    int           // sequences of the step that also got a token from the one before
	series    series        // of the decode steps since the batch last changed

	// run plans and takes steps from now on, until the next one cannot be
	// finished before the horizon; the kernel then continues it when it ends.
	run      func(now units.Seconds)
	singly   bookkeeping // sequence by sequence
	together bookkeeping // in totals
	decoding decoding    // of the stretch engine
	pipeline pipeline    // of a replica with several stages
}

func newReplica(f *fleet, b policies.Batching) *replica {
	r := &replica{fleet: f, batching: b, pool: newPool(f.config), moves: newMoves(f.config), loads: make([]int, len(f.config.Tiers)),
		window: f.config.Cost.Window(), frontEnd: frontEnd{limit: f.config.Threads}}
	r.ending = r.endStep
	r.singly = bookkeeping{r.unchanged, r.complete}
	r.together = bookkeeping{r.decoding.growth, r.completeTotals}
	r.run = r.runReference
	totals := b.Totals()
	switch stages := f.config.Cost.Stages(); {
	case stages > 1:
		r.pipeline = newPipeline(stages)
		r.run = r.runPipeline
	case totals != nil && !f.config.Reference:
		r.decoding = newDecoding(totals, r.window, f.config.BlockSize)
		r.run = r.runStretches
	}
	r.view = policies.View{
		Waiting:     &r.waiting,
		BlockSize:   f.config.BlockSize,
		TotalBlocks: f.config.Blocks,
		Parked:      &r.below.parked,
	}
	if f.config.Eviction != nil {
		r.view.Cache = r
	}
	return r
}

// wakeAt lets an idle replica plan at time t, instead of at any time that was
// set before.
func (r *replica) wakeAt(t units.Seconds) {
	r.wakes++
	wake := r.wakes
	r.fleet.kernel.at(t, func() {
		if !r.active && wake == r.wakes && t <= r.fleet.cut {
			r.run(t)
		}
	})
}

// plan asks the policy for the next step and sets it up. It is false when the
// replica stays idle.
func (r *replica) plan() bool {
	r.view.Now = r.now
	r.view.Running = r.running
	r.view.FreeBlocks = r.pool.free
	if tiers := r.fleet.config.Tiers; len(tiers) > 0 {
		r.view.FreeTierBlocks = tiers[0].Blocks - r.below.used
	}
	d := &r.decision
	d.Reset()
	r.batching.Plan(&r.view, d)
	r.advance(r.now)
	r.moves.reset()
	r.preempt(d.Preempt, d.Swap)
	r.restore(d.Restore)
	r.held = d.Held
	r.admit(d.Admit)
	if len(d.Tasks) == 0 {
		return r.idle(d)
	}
	r.wakes++ // a step leaves no wake-up behind
	r.assemble(d)
	return true
}

// idle arranges for the wake-up that a decision without a step asks for. It
// returns false, for no step.
func (r *replica) idle(d *policies.Decision) bool {
	if d.Wake < policies.Never {
		r.wakeAt(d.Wake)
	}
	return false
}

// end closes the record of a sequence that has generated its last token, and
// gives its memory back. The caller takes it out of the batch.
func (r *replica) end(s *sequence, now units.Seconds) {
	r.giveBack(s)
	r.enter(s, decodes)
	record := r.fleet.record.Of(s.request)
	record.Last, record.Generated, record.State = now, int32(s.Generated), metrics.Completed
	if r.fleet.config.WholeAnswers {
		record.First, record.ToFirst = now, record.ToLast
	}
	r.fleet.record.Close(s.request)
	if s.below > 0 {
		r.reserveBelow(s, 0)
	}
	r.sequences.release(s.ID)
	r.size--
	r.fleet.config.Traffic.Done(s.request, now)
	r.series = series{}
}

// finish closes the replica's part of the record at the end of the run:
// unfinished requests may have generated something, too.
func (r *replica) finish(end units.Seconds) {
	r.advance(end)
	r.synchronize()
	for _, s := range r.sequences.all {
		if open := r.fleet.record.Of(s.request); open != nil {
			open.Generated = int32(s.Generated)
		}
	}
}
