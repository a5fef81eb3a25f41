package sim

import (
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
	sequences sequences
	waiting   queue
	unseen    []*policies.Sequence // arrived too late for the next plan, in order
	running   []*policies.Sequence
	pool      pool
	window    int // of the layers that do not attend to everything; 0: none

	now     units.Seconds // start of the current step, or of being idle
	active  bool          // a step is in flight or being planned
	follows bool          // the step to plan follows another one without a pause
	wakes   int           // wake-ups that were scheduled; only the last one counts
	changed units.Seconds // when a count that advance integrates last changed

	view     policies.View
	decision policies.Decision
	work     hardware.Work
}

func newReplica(f *fleet, b policies.Batching) *replica {
	r := &replica{fleet: f, batching: b, pool: newPool(f.config.Blocks, f.config.PrefixCaching),
		window: hardware.WindowOf(f.config.Cost)}
	r.view = policies.View{
		Waiting:     &r.waiting,
		BlockSize:   f.config.BlockSize,
		TotalBlocks: f.config.Blocks,
	}
	if f.config.PrefixCaching {
		r.view.Cache = r
	}
	return r
}

// enqueue lets a request wait from now on, and wakes an idle replica.
func (r *replica) enqueue(request workloads.Request, now units.Seconds) {
	r.advance(now)
	s := r.sequences.take()
	s.Prompt = request.Input
	s.Reserved = r.fleet.config.Reserve(request.Input, request.Output)
	s.request = request.ID
	s.output = request.Output
	s.prefix, s.prefixTokens = request.Prefix, request.PrefixTokens
	s.inWindow = r.fleet.record.Requests[request.ID].InWindow
	if r.follows && r.fleet.config.AsyncScheduling {
		r.unseen = append(r.unseen, &s.Sequence)
		return
	}
	r.waiting.pushBack(&s.Sequence)
	if !r.active {
		r.wakeAt(now)
	}
}

// see lets the policy see the requests that were too late for the last plan. It
// is false when there are none.
func (r *replica) see() bool {
	any := len(r.unseen) > 0
	for _, s := range r.unseen {
		r.waiting.pushBack(s)
	}
	r.unseen = r.unseen[:0]
	return any
}

// backlog is the number of requests that wait.
func (r *replica) backlog() int { return r.waiting.Len() + len(r.unseen) }

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

// run plans and takes steps from now on, until the next one cannot be finished
// before the horizon; the kernel then continues it when it ends.
func (r *replica) run(now units.Seconds) {
	r.active = true
	for steps := 0; steps%1024 != 0 || r.fleet.context.Err() == nil; steps++ {
		r.now = now
		r.fleet.deliver(now)
		planned := r.plan()
		if late := r.see(); late && !planned {
			planned = r.plan()
		}
		r.active, r.follows = planned, planned
		if !planned {
			return
		}
		cost := r.fleet.config.Cost.Step(&r.work)
		end := now + cost.Time
		if end > r.fleet.cut {
			return
		}
		if end >= r.fleet.horizon() {
			r.fleet.kernel.at(end, func() {
				r.fleet.deliver(end)
				if end <= r.fleet.cut {
					r.complete(end, cost)
					r.run(end)
				}
			})
			return
		}
		r.complete(end, cost)
		now = end
	}
}

// plan asks the policy for the next step and sets it up. It is false when the
// replica stays idle.
func (r *replica) plan() bool {
	r.view.Now = r.now
	r.view.Running = r.running
	r.view.FreeBlocks = r.pool.free
	d := &r.decision
	d.Reset()
	r.batching.Plan(&r.view, d)
	r.advance(r.now)
	r.preempt(d.Preempt)
	for range d.Admit {
		r.running = append(r.running, r.waiting.popFront())
	}
	if len(d.Tasks) == 0 {
		if d.Wake < policies.Never {
			r.wakeAt(d.Wake)
		}
		return false
	}
	r.wakes++ // a step leaves no wake-up behind
	r.assemble(d)
	return true
}

// preempt takes sequences out of the batch, by recompute: they keep the tokens
// that they generated and lose everything computed.
func (r *replica) preempt(victims []*policies.Sequence) {
	for _, v := range victims {
		s := r.sequences.all[v.ID]
		r.pool.release(s.prefix, s.Blocks, s.shared)
		s.Blocks, s.Computed, s.shared = 0, 0, 0
		r.remove(v)
		r.waiting.pushFront(v)
		r.fleet.record.Requests[s.request].Preemptions++
		r.fleet.record.Totals.Preemptions++
	}
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

// assemble allocates the blocks of a decision and sets up the step's work.
func (r *replica) assemble(d *policies.Decision) {
	r.work = hardware.Work{Prefill: r.work.Prefill[:0], PaddingRows: d.PaddingRows}
	r.admitCached(d)
	for _, t := range d.Tasks {
		s := r.sequences.all[t.Sequence.ID]
		r.pool.take(t.Blocks - s.Blocks)
		s.Blocks, s.tokens = t.Blocks, t.Tokens
		r.addWork(s, t.Padding)
	}
	totals := &r.fleet.record.Totals
	totals.KVMax = max(totals.KVMax, float64(r.pool.used())/float64(r.pool.total))
}

// addWork adds a sequence's share of the step to the work.
func (r *replica) addWork(s *sequence, padding int) {
	if s.tokens == s.Pending() {
		r.work.LogitRows++
	}
	if s.Pending() == 1 && s.Generated > 0 {
		r.work.DecodeRows++
		r.work.DecodeContext += int64(s.Computed + 1)
		r.work.DecodeWindowContext += int64(min(s.Computed+1, r.window))
		return
	}
	recomputed := min(max(s.computed-s.Computed, 0), s.tokens)
	r.fleet.record.Totals.RecomputedTokens += int64(recomputed)
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
	totals.Waiting += float64(r.backlog()) * dt
	totals.Running += float64(len(r.running)) * dt
	totals.KVBlocks += float64(r.pool.used()) * dt
	r.changed = now
	r.fleet.latest = max(r.fleet.latest, now)
}

// complete ends a step: what was processed is computed, and sequences without
// pending tokens have generated one.
func (r *replica) complete(end units.Seconds, cost hardware.Cost) {
	r.advance(end)
	r.count(cost)
	start, alike, alikeInWindow := r.now, int64(0), int64(0)
	ended := false
	for _, t := range r.decision.Tasks {
		s := r.sequences.all[t.Sequence.ID]
		s.Computed += s.tokens
		s.computed = max(s.computed, s.Computed)
		r.publish(s)
		if s.Pending() > 0 {
			continue
		}
		s.Generated++
		switch {
		case s.Generated == 1:
			r.fleet.record.Requests[s.request].First = end
		case s.last == start:
			alike++
			if s.inWindow {
				alikeInWindow++
			}
		default:
			r.gap(end-s.last, s.inWindow)
		}
		s.last = end
		ended = ended || s.Generated == s.output
	}
	r.fleet.record.ITL.Add(end-start, alike)
	r.fleet.record.ITLIn.Add(end-start, alikeInWindow)
	if ended {
		r.leave(end)
	}
}

// gap records one inter-token gap that differs from the step's duration.
func (r *replica) gap(d units.Seconds, inWindow bool) {
	r.fleet.record.ITL.Add(d, 1)
	if inWindow {
		r.fleet.record.ITLIn.Add(d, 1)
	}
}

// count adds a step to the totals.
func (r *replica) count(cost hardware.Cost) {
	t := &r.fleet.record.Totals
	t.Steps++
	t.Busy += cost.Time
	t.Bytes += cost.Bytes
	t.FLOPs += cost.FLOPs
	t.LinkBytes += cost.LinkBytes
}

// leave takes the sequences out of the batch that have generated their last
// token.
func (r *replica) leave(now units.Seconds) {
	kept := r.running[:0]
	for _, v := range r.running {
		s := r.sequences.all[v.ID]
		if s.Generated < s.output {
			kept = append(kept, v)
			continue
		}
		r.pool.release(s.prefix, s.Blocks, s.shared)
		record := &r.fleet.record.Requests[s.request]
		record.Last, record.Generated, record.State = now, int32(s.Generated), metrics.Completed
		r.sequences.release(v.ID)
		r.fleet.config.Traffic.Done(s.request, now)
	}
	r.running = kept
}

// finish closes the replica's part of the record at the end of the run:
// unfinished requests may have generated something, too.
func (r *replica) finish(end units.Seconds) {
	r.advance(end)
	for _, s := range r.sequences.all {
		r.fleet.record.Requests[s.request].Generated = int32(s.Generated)
	}
}
