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
	running   []*policies.Sequence
	pool      pool

	now     units.Seconds // start of the current step, or of being idle
	active  bool          // a step is in flight or being planned
	wakes   int           // wake-ups that were scheduled; only the last one counts
	changed units.Seconds // when a count that advance integrates last changed

	view     policies.View
	decision policies.Decision
	work     hardware.Work
}

func newReplica(f *fleet, b policies.Batching) *replica {
	r := &replica{fleet: f, batching: b, pool: newPool(f.config.Blocks, f.config.PrefixCaching)}
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
	r.waiting.pushBack(&s.Sequence)
	if !r.active {
		r.wakeAt(now)
	}
}

// wakeAt lets an idle replica plan at time t, instead of at any time that was
// set before.
func (r *replica) wakeAt(t units.Seconds) {
	r.wakes++
	wake := r.wakes
	r.fleet.kernel.at(t, func() {
		if !r.active && wake == r.wakes {
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
		if !r.plan() {
			r.active = false
			return
		}
		cost := r.fleet.config.Cost.Step(&r.work)
		end := now + cost.Time
		if end > r.fleet.cut {
			return
		}
		if end > r.fleet.horizon() {
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
	if s.tokens == 1 && s.Generated > 0 {
		r.work.DecodeRows++
		r.work.DecodeContext += int64(s.Computed + 1)
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
	totals.Waiting += float64(r.waiting.Len()) * dt
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
