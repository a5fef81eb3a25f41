package sim

import (
	"slices"

	"kneepoint/units"
)

// reserves tells whether a replica reserves blocks for a request that arrives, for the whole of its
// prompt, before another computes that, and does not serve it whole.
func (f *fleet) reserves(v *visit) bool {
	t := f.config.Transfer
	return t.Mode == Reserve && v.toCompute() >= t.MinTokens && v.Output > v.generated()+1 && !v.whole
}

// computePrompt sends a request, for which a replica has reserved the blocks of its prompt now, to one
// that computes it.
func (f *fleet) computePrompt(h *handover, now units.Seconds) {
	f.reserved++
	f.at(now, func() {
		v := &visit{Request: h.request, opened: true, counted: true, lost: h.before, handover: h}
		f.sendTo(f.groupOf(v.Class, PrefillOnly), v, now)
	})
}

// prepared tells whether the front end of another replica has done what is to be done for a
// request before its prompt is computed.
func (v *visit) prepared() bool { return v.reserved() && !v.handover.to.pool.Sequential }

// computed tells whether the prompt of a request is.
func (v *visit) computed() bool { return v.handover != nil && v.handover.from != nil }

// reserved tells whether a replica has reserved blocks for a request.
func (v *visit) reserved() bool { return v.handover != nil && v.handover.sequence != nil }

// expect begins the wait of a sequence for its keys and values, whose prompt is computed now:
// until then its time is that of the replica that did it.
func (m *machine) expect(h *handover) {
	s := h.sequence
	s.last = h.last
	*m.phaseStart(s) = phaseStart{at: m.changed, clocks: m.clocks}
	m.fleet.reserved--
	m.fleet.noteArriving(1, m.changed)
}

// abandon gives back what is held of a request that nobody serves further, or that a replica
// does which needs no other.
func (f *fleet) abandon(h *handover, now units.Seconds) {
	switch {
	case h.from != nil:
		f.endLoan(h, now)
		h.landed = true
	case h.sequence != nil:
		f.touch(h.to, now, func() { h.to.unreserve(h.sequence) })
		h.to.setLevels()
		h.to.refresh()
		f.report(h.to, now)
	}
}

// unreserve gives back the blocks that were reserved for a sequence.
func (m *machine) unreserve(s *sequence) {
	m.arriving--
	m.fleet.reserved--
	m.loading = slices.DeleteFunc(m.loading, func(other *sequence) bool { return other == s })
	m.endStore(s, false)
}
