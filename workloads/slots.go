package workloads

import (
	"slices"

	"kneepoint/units"
)

// slots are the clients of a closed loop, or the permits of a semaphore, that
// are free, in order of the time from which each is.
type slots struct {
	fresh    int             // never used: free from time 0
	returned []units.Seconds // in ascending order
	taken    int             // how many of returned, from the first on, are in use again
}

func (s *slots) empty() bool { return s.fresh == 0 && s.taken == len(s.returned) }

// first is the earliest time at which a slot is free.
func (s *slots) first() units.Seconds {
	if s.fresh > 0 {
		return 0
	}
	return s.returned[s.taken]
}

// removeFirst removes the slot that is free first.
func (s *slots) removeFirst() {
	if s.fresh > 0 {
		s.fresh--
		return
	}
	s.taken++
	if s.taken > len(s.returned)/2 { // deleting half of them now and then costs O(1) each
		s.returned = slices.Delete(s.returned, 0, s.taken)
		s.taken = 0
	}
}

// release adds a slot. Slots come back in order of time or nearly so, which
// makes the search for its place short.
func (s *slots) release(at units.Seconds) {
	s.returned = append(s.returned, at)
	for i := len(s.returned) - 1; i > s.taken && s.returned[i] < s.returned[i-1]; i-- {
		s.returned[i], s.returned[i-1] = s.returned[i-1], s.returned[i]
	}
}
