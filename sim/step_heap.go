package sim

// stepEntry is a sequence in a heap by the number of a step, as decoding.steps counts
// them.
type stepEntry struct {
	step     int64
	sequence *sequence
}

// before orders by step; ties by place in the batch, which is that of admission but for
// sequences that were swapped out and came back.
func (e stepEntry) before(f stepEntry) bool {
	if e.step != f.step {
		return e.step < f.step
	}
	return e.sequence.slot < f.sequence.slot
}

// stepHeap is as minHeap for entries that compare steps. Every sequence passes through one, and a generic heap
// cannot compare without a call.
type stepHeap []stepEntry

// due tells whether the first entry is that of a step up to one.
func (h stepHeap) due(step int64) bool { return len(h) > 0 && h[0].step <= step }

func (h *stepHeap) push(x stepEntry) {
	*h = append(*h, x)
	h.up(len(*h)-1, x)
}

// pop takes out the first entry.
func (h *stepHeap) pop() stepEntry { return h.remove(0) }

// remove takes out the entry at an index.
func (h *stepHeap) remove(i int) stepEntry {
	all := *h
	last := len(all) - 1
	x, moved := all[i], all[last]
	all[last] = stepEntry{}
	if *h = all[:last]; i < last {
		h.up(h.down(i, moved), moved)
	}
	return x
}

// up puts an entry at an index or above, where it belongs.
func (h stepHeap) up(i int, x stepEntry) {
	for i > 0 {
		parent := (i - 1) / 2
		if !x.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
}

// down moves entries up from below an index along the way on which an entry belongs, and is where that ends.
func (h stepHeap) down(i int, x stepEntry) int {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return i
		}
		if right := child + 1; right < len(h) && h[right].before(h[child]) {
			child = right
		}
		if !h[child].before(x) {
			return i
		}
		h[i] = h[child]
		i = child
	}
}
