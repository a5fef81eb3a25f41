package sim

import (
	"cmp"
	"slices"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// lost is what a request had when its replica failed.
type lost struct {
	generated int           // tokens of its answer
	computed  int           // tokens in memory, at most
	last      units.Seconds // when its last token came
	tries     int           // how often in a row it was in a batch and got no token
}

// mostTries is how often in a row a request may be lost with a replica that computes it and
// that generates no token: what takes longer than any replica lasts would be sent again for
// ever.
const mostTries = 1000

// evacuate takes the requests out of a replica that is lost now.
func (r *replica) evacuate(why *loss, now units.Seconds) []visit {
	r.integrate(now)
	r.engine.synchronize()
	var all []visit
	for _, p := range r.frontEnd.minHeap {
		r.fleet.record.Of(p.ID).ToLast.Add(metrics.FrontEnd, now-p.came)
		r.observePhase(p.ID, PhaseFrontEnd, p.came, now)
		v := p.visit
		v.waited, v.whole = false, false
		if v.lost == nil {
			v.lost = &lost{}
		}
		if h := v.handover; h != nil {
			v.handover, v.lost = nil, r.fleet.release(h, v.lost, now)
		}
		all = append(all, v)
	}
	for r.waiting.late.see(); r.waiting.late.seen > 0; {
		r.arrive(r.waiting.late.pop())
	}
	inBatch := map[int]bool{}
	for _, v := range r.running {
		if v != nil {
			inBatch[v.ID] = true
		}
	}
	for id, s := range r.sequences.all {
		if slices.Contains(r.sequences.free, id) || s.Generated == s.output && !slices.Contains(r.held, s) {
			continue // it has its answer, whatever is still done with its blocks
		}
		if h := s.handover; h != nil && h.sequence == s && !r.fleet.endArrival(h, why, now) {
			continue // nothing of it is here yet
		}
		r.enter(s, waits)
		v := visit{Request: r.fleet.inFlight[s.request], opened: true, counted: true, lost: r.lossOf(s, inBatch[id])}
		if h := cmp.Or(s.handover, s.part); h != nil {
			v.lost = r.fleet.release(h, v.lost, now)
		}
		r.fleet.record.Of(v.ID).Generated = int32(v.lost.generated)
		all = append(all, v)
	}
	return all
}

// lossOf is what a sequence has that is lost with its replica.
func (m *machine) lossOf(s *sequence, inBatch bool) *lost {
	before := s.lost
	if before == nil {
		before = &lost{}
	}
	l := &lost{generated: s.Generated, computed: max(s.computed, s.Computed, before.computed), last: s.last}
	if s.handover != nil { // its next token does not come with its prompt
		l.generated, l.last = before.generated, before.last
	}
	if s.Generated == s.output { // its last token, which is held back with its batch
		l.generated--
		m.totals.GeneratedTokens--
	}
	if l.generated == before.generated {
		l.tries = before.tries
		if inBatch {
			l.tries++
		}
	}
	return l
}

// beginAgain has a sequence compute what was lost of it.
func (m *machine) beginAgain(s *sequence, l *lost) {
	if s.lost = l; l == nil || l.computed == 0 || s.handover != nil {
		return
	}
	s.Generated, s.last, s.computed = l.generated, l.last, l.computed
	s.Recovers, s.phase = true, recovers
}
