package sim

import (
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

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

// full reports whether as many requests wait, or are in the front end, as may.
func (r *replica) full() bool {
	limit := r.fleet.config.MaxWaiting
	return limit > 0 && len(r.frontEnd.minHeap)+r.backlog() >= limit
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
