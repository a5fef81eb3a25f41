package sim

import (
	"slices"

	"kneepoint/policies"
	"kneepoint/units"
)

// addNaming notes that the blocks which a sequence fills while it decodes may be found
// by others. Sequences that fill one in the same step stay in the order of the batch.
func (d *decoding) addNaming(s *sequence) {
	list := &d.naming[d.offset(s)]
	i := len(*list)
	for i > 0 && (*list)[i-1].slot > s.slot {
		i--
	}
	*list = slices.Insert(*list, i, s)
	d.names++
}

// removeNaming takes a sequence out that ends.
func (d *decoding) removeNaming(s *sequence) {
	if d.names == 0 {
		return
	}
	list := &d.naming[d.offset(s)]
	if i := slices.Index(*list, s); i >= 0 {
		*list = slices.Delete(*list, i, i+1)
		d.names--
	}
}

// clearNaming forgets the sequences.
func (d *decoding) clearNaming() {
	if d.names > 0 {
		for i := range d.naming {
			d.naming[i] = d.naming[i][:0]
		}
	}
	d.names = 0
}

// filling is the sequences that fill a block which others may find with the token that the
// plan of the n-th step from now on, counted from 0, is the first to know: as a rule the
// one that this step processes. They are in order of the batch.
func (d *decoding) filling(n int) []*sequence {
	if d.names == 0 {
		return nil
	}
	list := d.naming[d.offsetIn(n+1-d.lag)]
	if d.lag == 0 || n > 0 || len(d.stalls) == 0 || d.blockSize == 1 {
		return list
	}
	both := slices.Concat(list, d.naming[d.offsetIn(1)]) // behind a pause
	slices.SortFunc(both, func(s, t *sequence) int { return s.slot - t.slot })
	return both
}

// certain is the number of a sequence's tokens that have a name from the plan of the n-th
// step from now on. With asynchronous scheduling it is one less than the step has in
// memory then, unless the sequence had no part in the step before.
func (d *decoding) certain(s *sequence, n int) int {
	tokens := s.Computed + int(d.steps-s.joined) + n + 1
	if n == 0 && d.stalled(s) {
		return tokens
	}
	return tokens - d.lag
}

// stalled tells whether a sequence was left out of the last step.
func (d *decoding) stalled(s *sequence) bool {
	if d.steps > s.joined {
		return d.last <= d.lastPause()
	}
	return s.last <= d.lastPause()
}

// lastPause is when those had their last token that the last step was the first to leave
// out; -1 where it left out nobody.
func (d *decoding) lastPause() units.Seconds {
	if len(d.stalls) == 0 {
		return -1
	}
	return d.stalls[len(d.stalls)-1].last
}

// publishFilled lets others find the blocks that sequences have filled with tokens that the
// plan of the n-th step from now on knows, which is made at a time.
func (m *machine) publishFilled(d *decoding, n int, now units.Seconds) {
	for _, s := range d.filling(n) {
		m.publish(s, d.certain(s, n), now)
	}
}

// foresee implements totals.
func (d *decoding) foresee(m *machine, _ *policies.Decision) {
	m.foresight.blocks += d.demand(0)
	for _, s := range d.filling(0) {
		m.foreseeContent(s, d.certain(s, 0))
	}
}

// beforeShared is how many of the next n steps are over before a block gets its name
// that the head of the queue begins with, too: it needs less memory then. Some
// schedulers find a block in the plan that gives the name, others in the next one:
// where that is the first step's, that is all.
func (e *stretches) beforeShared(n int) int {
	if e.decoding.names == 0 || e.waiting.Len() == 0 {
		return n
	}
	head := e.sequences.all[e.waiting.At(0).ID]
	for k := range n {
		for _, s := range e.decoding.filling(k) {
			index := e.decoding.certain(s, k)/e.pool.BlockSize - 1
			if index >= s.cached.blocks && e.keyOf(head, index) == e.keyOf(s, index) {
				return max(k, 1)
			}
		}
	}
	return n
}

// beforeTaken is how many of the next n steps are over before they take free blocks, where the head of the queue may follow a
// load once it has lost what it found.
func (e *stretches) beforeTaken(n int) int {
	if !e.mayFollow() {
		return n
	}
	for k := range n {
		if e.decoding.demand(k) > 0 {
			return max(k, 1)
		}
	}
	return n
}

// mayFollow tells whether others wait for loads while the head of the queue found blocks that nobody holds. A load of the
// same ones may be under way, which it waits for as soon as they are taken, however little memory there is.
func (m *machine) mayFollow() bool {
	return len(m.loading) > 0 && m.waiting.Len() > 0 &&
		slices.ContainsFunc(m.sequences.all[m.waiting.At(0).ID].hit.spans, func(s *span) bool { return s != nil && len(s.holders) == 0 })
}

// nextExpiry is when the first of the blocks that the head of the queue found, and nobody holds, is found no more; forever where
// there is none. It needs less memory then if another sequence holds the same content.
func (m *machine) nextExpiry() units.Seconds {
	first := forever
	if m.memory.ttl == 0 || m.waiting.Len() == 0 {
		return first
	}
	for _, s := range m.sequences.all[m.waiting.At(0).ID].hit.spans {
		if s != nil && len(s.holders) == 0 {
			first = min(first, s.freedAt+m.memory.ttl)
		}
	}
	return first
}
