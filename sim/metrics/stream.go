package metrics

import "maps"

// Stream takes the requests of a run as they end, so that memory does not grow
// with their number: latencies go into histograms, whose quantiles are within
// HistogramResolution. It belongs to one run.
type Stream struct {
	slo         Objective
	live        map[int]*Request
	spare       []*Request
	all, window tally
}

// NewStream is a stream whose requests are held against an objective.
func NewStream(slo Objective) *Stream {
	return &Stream{slo: slo, live: map[int]*Request{}, all: newTally(streamed), window: newTally(streamed)}
}

func (s *Stream) open(id int, request Request) {
	var r *Request
	if n := len(s.spare); n > 0 {
		r, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		r = new(Request)
	}
	*r = request
	s.live[id] = r
}

func (s *Stream) close(id int) {
	r := s.live[id]
	s.add(r)
	delete(s.live, id)
	s.spare = append(s.spare, r)
}

func (s *Stream) add(r *Request) {
	s.all.add(r, s.slo)
	if r.InWindow {
		s.window.add(r, s.slo)
	}
}

// finish counts what has not ended.
func (s *Stream) finish() {
	for r := range maps.Values(s.live) {
		s.add(r)
	}
	clear(s.live)
}
