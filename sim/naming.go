package sim

import "slices"

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

// filling is the sequences that fill a block in the n-th step from now on, counted from
// 0, which others may find.
func (d *decoding) filling(n int) []*sequence {
	if d.names == 0 {
		return nil
	}
	return d.naming[d.offsetIn(n+1)]
}

// publishFilled lets others find the blocks that sequences fill in the n-th step from
// now on.
func (e *stretches) publishFilled(n int) {
	for _, s := range e.decoding.filling(n) {
		e.publish(s, (len(s.cached)+1)*e.pool.BlockSize)
	}
}

// beforeShared is how many of the next n steps are over before a sequence fills a
// block that the head of the queue begins with, too: it needs less memory then. Some
// schedulers find a block in the plan of the step that fills it, others in the next one:
// where the first step fills it, that is all.
func (e *stretches) beforeShared(n int) int {
	if e.decoding.names == 0 || e.waiting.Len() == 0 {
		return n
	}
	head := e.sequences.all[e.waiting.At(0).ID]
	for k := range n {
		for _, s := range e.decoding.filling(k) {
			if index := len(s.cached) + k/e.pool.BlockSize; e.keyOf(head, index) == e.keyOf(s, index) {
				return max(k, 1)
			}
		}
	}
	return n
}
