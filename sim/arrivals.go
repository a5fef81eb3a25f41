package sim

import (
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// accept puts a request that arrives now into the front end, or refuses it.
func (r *replica) accept(v *visit, now units.Seconds) {
	r.catchUp(now)
	if !v.counted {
		v.counted = true
		r.fleet.record.Trend.Wait(v.ID, r.frontEnd.queued()+r.backlog())
	}
	if !v.computed() && r.full() {
		r.totals.QueueFull++
		r.fleet.record.Trend.Leave(now)
		r.fleet.refuse(v, v.refused(metrics.QueueFull), now)
		return
	}
	if v.whole {
		r.beginWhole()
	}
	var work units.Seconds
	if !r.pool.Sequential && !v.prepared() {
		work = r.pool.preparation(v.Request)
	}
	if (v.handover == nil || r.pool.Role == PrefillOnly) && (v.lost == nil || v.lost.generated == 0) {
		r.pending += r.pool.Compression.Tokens(v.Input)
	}
	r.countReuse(v)
	r.frontEnd.accept(v, now, work)
}

// catchUp counts the time until now, at which something changes the replica from outside. What
// happened beside its steps before is settled first: integrate would count it in the wrong
// place, and the trend of the backlog too. Nothing happens in a replica that hangs.
func (r *replica) catchUp(now units.Seconds) {
	for !r.hangs && r.beside() < now {
		r.settle(r.beside())
	}
	r.integrate(now)
}

// full reports whether MaxWaiting requests wait or are in the front end.
func (r *replica) full() bool {
	limit := r.pool.MaxWaiting
	return limit > 0 && len(r.frontEnd.minHeap)+r.backlog() >= limit
}

// settle lets happen what happens by now beside the steps, one by one and each at its own
// time, which is what the time integrals count: transfers land, requests that are
// ready join the queue.
func (r *replica) settle(now units.Seconds) {
	if r.beside() <= now {
		r.settleAll(now)
	}
}

// settleAll is settle where there is something, apart so that looking whether there is any is inlined.
func (r *replica) settleAll(now units.Seconds) {
	for next := r.beside(); next <= now && next < forever; next = r.beside() {
		r.touched = true
		if r.transfers.next() == next {
			r.landTransfer(r.active && r.async)
			continue
		}
		r.integrate(next)
		p := r.frontEnd.pop()
		r.enqueue(&p)
	}
}

// enqueue puts a request into the queue, and wakes an idle replica. With asynchronous
// scheduling the step behind the one under way is planned already, so that a request
// which comes now is first seen by the plan after that.
func (r *replica) enqueue(p *prepared) {
	now := p.ready
	record := r.fleet.record.Of(p.ID)
	record.ToLast.Add(metrics.FrontEnd, now-p.came)
	r.observePhase(p.ID, PhaseFrontEnd, p.came, now)
	if r.comesLate(p) {
		return
	}
	s := r.newWaiting(p, record)
	if r.active && r.async {
		r.missedPlan = append(r.missedPlan, &s.Sequence)
		return
	}
	r.joinQueue(&s.Sequence)
	if !r.active {
		r.wake = now
	}
}

// newWaiting is the sequence of a request that leaves the front end.
func (r *replica) newWaiting(p *prepared, record *metrics.Request) *sequence {
	s := r.newSequence(&p.visit)
	*r.phaseStart(s) = phaseStart{at: p.ready, clocks: r.clocks}
	s.inWindow = record.InWindow
	return s
}

// newSequence is what the engine keeps of a request from the queue on: with the
// lengths that the model sees, which compression has shortened.
func (m *machine) newSequence(v *visit) *sequence {
	request := v.Request
	s := m.sequences.open()
	s.Prompt = m.pool.Compression.Tokens(request.Input)
	declared := m.pool.generates(v)
	s.Reserved, s.Most = m.pool.Reserve(s.Prompt, declared), s.Prompt+declared
	if rank := m.fleet.config.Rank; rank != nil {
		s.Rank = rank(request)
	}
	s.request, s.Arrival, s.peer = request.ID, request.Arrival, v.peer
	s.class, s.charged = request.Class, -1
	s.output = request.Output
	m.beginPart(s, v)
	m.beginAgain(s, v.lost)
	s.content, s.named = m.pool.Compression.content(request)
	if m.pool.Sequential && !v.prepared() {
		s.prepare = m.pool.preparation(request)
	}
	return s
}
