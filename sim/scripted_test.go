package sim

import (
	"math"
	"slices"

	"kneepoint/units"
	"kneepoint/workloads"
)

// scripted is traffic that a test wrote down. With clients, no more than so
// many requests are in flight: a closed loop when all are planned at 0, an open
// loop behind a semaphore else.
type scripted struct {
	requests []workloads.Request
	clients  int

	next     int
	inFlight int
	returned []units.Seconds // permits beyond the fresh ones, in order of time
}

// add plans a request.
func (s *scripted) add(at units.Seconds, input, output int) {
	s.requests = append(s.requests, workloads.Request{ID: len(s.requests), Planned: at, Arrival: at, Input: input, Output: output})
}

// again is the same traffic from its first request on.
func (s *scripted) again() *scripted { return &scripted{requests: s.requests, clients: s.clients} }

func (s *scripted) Peek() (units.Seconds, bool) {
	if s.next >= len(s.requests) {
		return units.Seconds(math.Inf(1)), false
	}
	at := s.requests[s.next].Planned
	if s.clients == 0 || s.inFlight+len(s.returned) < s.clients {
		return at, true
	}
	if len(s.returned) == 0 {
		return units.Seconds(math.Inf(1)), false
	}
	return max(at, s.returned[0]), true
}

func (s *scripted) Pop() (workloads.Request, bool) {
	at, ok := s.Peek()
	if !ok {
		return workloads.Request{}, false
	}
	if s.clients > 0 && s.inFlight+len(s.returned) >= s.clients {
		s.returned = s.returned[1:]
	}
	s.inFlight++
	r := s.requests[s.next]
	r.Arrival = at
	s.next++
	return r, true
}

func (s *scripted) Done(_ int, at units.Seconds) {
	s.inFlight--
	if s.clients > 0 {
		i, _ := slices.BinarySearch(s.returned, at)
		s.returned = slices.Insert(s.returned, i, at)
	}
}

func (s *scripted) OpenLoop() bool { return s.clients == 0 }
