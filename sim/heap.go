package sim

// ordered is what a heap holds: values that know which comes first, and that may
// want to know where they are.
type ordered[T any] interface {
	before(other T) bool
	moved(index int)
}

// anywhere is for values that do not care where in a heap they are.
type anywhere struct{}

func (anywhere) moved(int) {}

// minHeap is a binary heap: the first value is at index 0, the others in no useful
// order. Values of a total order come out in that order whatever the order in which
// they were put in, which is what keeps runs the same.
type minHeap[T ordered[T]] []T

func (h *minHeap[T]) push(x T) {
	*h = append(*h, x)
	x.moved(len(*h) - 1)
	h.up(len(*h) - 1)
}

// pop takes out the first value.
func (h *minHeap[T]) pop() T { return h.remove(0) }

// remove takes out the value at an index.
func (h *minHeap[T]) remove(i int) T {
	all := *h
	last := len(all) - 1
	x := all[i]
	all[i] = all[last]
	*h = all[:last]
	if i < last {
		all[i].moved(i)
		h.fix(i)
	}
	return x
}

// fix moves the value at an index to where it belongs, after it has changed.
func (h minHeap[T]) fix(i int) {
	h.down(i)
	h.up(i)
}

func (h minHeap[T]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h[i].before(h[parent]) {
			return
		}
		x := h[i]
		h.put(i, h[parent])
		h.put(parent, x)
		i = parent
	}
}

// down moves values up along the way rather than swap each, which is most of what the end of a sequence costs.
func (h minHeap[T]) down(i int) {
	x := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if right := child + 1; right < len(h) && h[right].before(h[child]) {
			child = right
		}
		if !h[child].before(x) {
			break
		}
		h.put(i, h[child])
		i = child
	}
	h.put(i, x)
}

// put puts a value at an index.
func (h minHeap[T]) put(i int, x T) {
	h[i] = x
	x.moved(i)
}
