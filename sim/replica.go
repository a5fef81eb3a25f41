package sim

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/internal/units"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
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
		window: hardware.WindowOf(f.config.Cost), frontEnd: frontEnd{limit: f.config.Threads}}
	r.ending = r.endStep
	r.singly = bookkeeping{r.unchanged, r.complete}
	r.together = bookkeeping{r.decoding.growth, r.completeTotals}
	r.run = r.runReference
	aggregating, ok := b.(policies.Aggregating)
	switch stages := hardware.StagesOf(f.config.Cost); {
	case stages > 1:
		r.pipeline = newPipeline(stages)
		r.run = r.runPipeline
	case ok && !f.config.Reference:
		r.decoding = newDecoding(aggregating, r.window, f.config.BlockSize)
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

// arrive takes a request into the front end, or refuses it.
func (r *replica) arrive(request workloads.Request) {
	now := request.Arrival
	for r.frontEnd.next() < now {
		r.leaveFrontEnd()
	}
	r.advance(now)
	r.fleet.record.Trend.Add(request.ID, now, r.frontEnd.queued()+r.backlog())
	if r.full() {
		r.fleet.record.Totals.QueueFull++
		r.fleet.refuse(request, metrics.QueueFull)
		return
	}
	var work units.Seconds
	if !r.fleet.config.Sequential {
		work = r.fleet.config.preparation(request)
	}
	r.frontEnd.accept(request, now, work)
}

// settle lets the requests that are ready by now leave the front end.
func (r *replica) settle(now units.Seconds) {
	for r.frontEnd.next() <= now {
		r.leaveFrontEnd()
	}
}

func (r *replica) leaveFrontEnd() {
	r.advance(r.frontEnd.next())
	p := r.frontEnd.pop()
	r.enqueue(p.request, p.ready)
}

// enqueue lets a request wait from now on, and wakes an idle replica.
func (r *replica) enqueue(request workloads.Request, now units.Seconds) {
	config := r.fleet.config
	s := r.sequences.take()
	s.Prompt = config.Compression.Tokens(request.Input)
	s.Reserved = config.Reserve(s.Prompt, request.Output)
	if config.Rank != nil {
		s.Rank = config.Rank(request)
	}
	s.request = request.ID
	s.output = request.Output
	s.content, s.named = config.Compression.content(request)
	if config.Sequential {
		s.prepare = config.preparation(request)
	}
	record := r.fleet.record.Of(request.ID)
	record.ToLast.Add(metrics.FrontEnd, now-request.Arrival)
	*r.account(s) = account{since: now, start: r.clocks}
	s.inWindow = record.InWindow
	if r.follows && config.AsyncScheduling {
		r.unseen = append(r.unseen, &s.Sequence)
		return
	}
	r.wait(&s.Sequence)
	if !r.active {
		r.wakeAt(now)
	}
}

// wait puts a new request into the queue.
func (r *replica) wait(s *policies.Sequence) {
	if r.fleet.config.Rank == nil {
		r.waiting.pushBack(s)
		return
	}
	r.waiting.insert(s)
}

// see lets the policy see the requests that were too late for the last plan. It
// is false when there are none.
func (r *replica) see() bool {
	any := len(r.unseen) > 0
	for _, s := range r.unseen {
		r.wait(s)
	}
	r.unseen = r.unseen[:0]
	return any
}

// backlog is the number of requests that wait, parked ones among them.
func (r *replica) backlog() int { return r.waiting.Len() + len(r.unseen) + len(r.below.parked) }

// full reports whether as many requests wait, or are in the front end, as may.
func (r *replica) full() bool {
	limit := r.fleet.config.MaxWaiting
	return limit > 0 && len(r.frontEnd.minHeap)+r.backlog() >= limit
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
		r.view.BelowFree = tiers[0].Blocks - r.below.used
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

// admit moves the first n waiting requests into the batch, whose step begins
// with what is left of their front-end work.
func (r *replica) admit(n int) {
	r.prepare = 0
	for range n {
		v := r.waiting.popFront()
		s := r.sequences.all[v.ID]
		r.prepare += s.prepare
		s.prepare = 0
		if s.phase == waits {
			r.enter(s, prefills)
		}
		s.admitted, s.place = r.admitted, len(r.running)
		r.admitted++
		r.running = append(r.running, v)
		r.size++
		r.series = series{}
	}
}

// idle arranges for the wake-up that a decision without a step asks for. It
// returns false, for no step.
func (r *replica) idle(d *policies.Decision) bool {
	if d.Wake < policies.Never {
		r.wakeAt(d.Wake)
	}
	return false
}

// preempt takes sequences out of the batch: the first ones, so many, by parking
// them, the others by recompute.
func (r *replica) preempt(victims []*policies.Sequence, swap int) {
	for i, v := range victims {
		s := r.sequences.all[v.ID]
		if s.phase != recovers {
			r.enter(s, recovers)
		}
		r.remove(v)
		r.size--
		r.series = series{}
		r.fleet.record.Of(s.request).Preemptions++
		r.fleet.record.Totals.Preemptions++
		if i < swap {
			r.swapOut(s)
		} else {
			r.drop(s)
		}
	}
}

// drop lets a sequence wait again that keeps the tokens that it generated and
// loses everything computed.
func (r *replica) drop(s *sequence) {
	r.giveBack(s)
	s.Blocks, s.Computed = 0, 0
	s.Rank = math.Inf(-1) // nobody overtakes it
	r.waiting.pushFront(&s.Sequence)
}

// remove takes a sequence out of the batch, looking from the youngest on.
func (r *replica) remove(v *policies.Sequence) {
	for i := len(r.running) - 1; i >= 0; i-- {
		if r.running[i] == v {
			r.running = append(r.running[:i], r.running[i+1:]...)
			return
		}
	}
}

// assemble allocates the blocks of a decision and sets up the step's work, to
// which sequences contribute as totals or by a task of their own.
func (r *replica) assemble(d *policies.Decision) {
	r.work, r.steady = r.decoding.work(r.work.Prefill[:0], d), r.decoding.steady()
	r.prefilled = r.prefilled[:0]
	r.admitCached(d)
	if !d.Stall {
		r.pool.take(r.decoding.demand(0))
	}
	for _, t := range d.Tasks {
		s := r.sequences.all[t.Sequence.ID]
		r.pool.take(t.Blocks - s.Blocks)
		s.Blocks, s.tokens, s.draft, s.nodes = t.Blocks, t.Tokens, t.Draft, t.Nodes
		r.addWork(s, t.Padding)
		if t.Offload {
			r.offload(s)
		}
		if s.Offloaded {
			r.moveOut(s)
		}
	}
	r.stream()
	r.fill()
}

// fill notes how full the memory is.
func (r *replica) fill() {
	totals := &r.fleet.record.Totals
	totals.KVMax = max(totals.KVMax, float64(r.pool.used())/float64(r.pool.total))
}

// addWork adds a sequence's share of the step to the work.
func (r *replica) addWork(s *sequence, padding int) {
	if s.tokens == s.Pending() {
		r.work.LogitRows++
	}
	if s.decodesNow() {
		r.work.DecodeRows++
		r.work.DecodeContext += int64(s.Computed + 1)
		r.work.DecodeWindowContext += int64(min(s.Computed+1, r.window))
		r.addGuesses(s)
		if s.last == r.now {
			r.steady++
		}
		return
	}
	recomputed := min(max(s.computed-s.Computed, 0), s.tokens)
	r.fleet.record.Totals.RecomputedTokens += int64(recomputed)
	r.prefilled = append(r.prefilled, s)
	r.work.Prefill = append(r.work.Prefill, hardware.Chunk{
		Context:    s.Computed,
		Tokens:     s.tokens + padding,
		Recomputed: recomputed,
		Padding:    padding,
	})
}

// advance integrates the counts of the replica up to now.
func (r *replica) advance(now units.Seconds) {
	dt := float64(now - r.changed)
	totals := &r.fleet.record.Totals
	totals.InFrontEnd += float64(len(r.frontEnd.minHeap)) * dt
	totals.Waiting += float64(r.backlog()) * dt
	totals.Running += float64(r.size) * dt
	totals.KVBlocks += float64(r.pool.used()) * dt
	switch r.held {
	case policies.HeldByMemory:
		totals.HeldByMemory += float64(r.backlog()) * dt
		r.clocks.memory += units.Seconds(dt)
	case policies.HeldBySlots:
		totals.HeldBySlots += float64(r.backlog()) * dt
	}
	r.changed = now
	r.fleet.latest = max(r.fleet.latest, now)
}

// gap records one inter-token gap that differs from the step's duration.
func (r *replica) gap(d units.Seconds, inWindow bool) {
	r.fleet.record.ITL.Add(d, 1)
	if inWindow {
		r.fleet.record.ITLIn.Add(d, 1)
	}
}

// count adds n steps, what they cost and the time they took, to the totals.
func (r *replica) count(n int, cost hardware.Cost, took units.Seconds) {
	t := &r.fleet.record.Totals
	t.Steps += int64(n)
	t.Busy += took
	t.Bytes += cost.Bytes
	t.FLOPs += cost.FLOPs
	t.LinkBytes += cost.LinkBytes
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
