package sim

import (
	"slices"

	"kneepoint/units"
)

// loss is why keys and values cannot come to the replica that is to decode: of either replica, or
// of the link of one.
type loss struct {
	by *failing
	of *replica
}

// sendAgain sends requests again, or loses them, that were in flight.
func (l *loss) sendAgain(had []visit, now units.Seconds) {
	l.by.noteRetried(l.of, had)
	l.by.sendAgain(had, now)
}

// endLoan gives up the blocks of a request in the replica that computed its prompt.
func (f *fleet) endLoan(h *handover, now units.Seconds) {
	i := slices.Index(h.from.lent, h)
	if i < 0 {
		return
	}
	h.from.lent = slices.Delete(h.from.lent, i, i+1)
	if h.from.stage != gone {
		f.touch(h.from, now, func() { h.from.endStore(h.kept, false) })
	}
}

// recallFrom takes the requests back of which a replica that is lost has computed the prompts.
func (f *fleet) recallFrom(why *loss, now units.Seconds) []visit {
	var all []visit
	for _, h := range slices.Clone(why.of.lent) {
		all = append(all, f.giveUp(h, why, now)...)
	}
	return all
}

// recallOver takes the requests back whose keys and values stand still on a link.
func (f *fleet) recallOver(why *loss, now units.Seconds) []visit {
	var all []visit
	for _, from := range f.replicas {
		for _, h := range slices.Clone(from.lent) {
			if d := h.delivery; d != nil && !d.sent && (d.from == why.of || d.to == why.of) {
				all = append(all, f.giveUp(h, why, now)...)
			}
		}
	}
	return all
}

// giveUp ends a handover whose keys and values cannot come, and is the request. Of one that
// waits somewhere without blocks it is nothing: that hears of the loss when it asks for them.
func (f *fleet) giveUp(h *handover, why *loss, now units.Seconds) []visit {
	if h.lost == nil {
		h.lost = why
	}
	f.endLoan(h, now)
	f.network.drop(now, func(d *delivery) bool { return d == h.delivery })
	pending := slices.Index(f.handovers, h)
	if h.sequence == nil && pending < 0 {
		return nil
	}
	if pending >= 0 {
		f.handovers = slices.Delete(f.handovers, pending, pending+1)
	}
	if h.sequence != nil {
		f.touch(h.to, now, func() {
			if pending >= 0 {
				h.to.expect(h)
			}
			h.to.endWait(h)
			h.to.endStore(h.sequence, false)
		})
		h.sequence = nil
		h.to.setLevels()
		h.to.refresh()
		f.report(h.to, now)
	}
	return []visit{h.again()}
}

// endWait ends the wait of a sequence for keys and values that do not come.
func (m *machine) endWait(h *handover) {
	m.arriving--
	m.fleet.noteArriving(-1, m.changed)
	m.loading = slices.DeleteFunc(m.loading, func(other *sequence) bool { return other == h.sequence })
	m.enter(h.sequence, waits)
}

// sendBack sends a request again, or loses it, that asks for keys and values which are lost.
func (f *fleet) sendBack(h *handover, why *loss, now units.Seconds) {
	if h.landed || h.lost != nil && h.sequence == nil {
		return
	}
	had := f.giveUp(h, why, now)
	h.lost.sendAgain(had, now)
}

// release gives up what another replica holds for a request that is lost before its keys and
// values are where it decodes, and is what the request has then.
func (f *fleet) release(h *handover, l *lost, now units.Seconds) *lost {
	if h.from != nil {
		l = h.left()
	}
	f.abandon(h, now)
	return l
}

// endArrival ends the wait of a sequence whose replica is lost. It is false where the prompt is
// not computed yet: the replica that does so notices the loss when it wants to send.
func (f *fleet) endArrival(h *handover, why *loss, now units.Seconds) bool {
	if h.from == nil {
		h.sequence, h.lost = nil, why
		f.reserved--
		return false
	}
	if i := slices.Index(f.handovers, h); i >= 0 {
		f.handovers = slices.Delete(f.handovers, i, i+1)
		h.to.expect(h)
	}
	h.to.arriving--
	f.noteArriving(-1, now)
	h.sequence = nil
	return true
}
