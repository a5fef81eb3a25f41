package metrics

// Stream adds up the requests of a run as they end, so that memory does not grow
// with their number: latencies go into histograms, whose quantiles are within
// HistogramResolution. It belongs to one run. Since requests are forgotten, the
// objectives must be known before the run.
type Stream struct {
	slo         Objective
	classes     []Objective
	live        live
	ended       []Request // that are not added up yet
	all, window tally
	byClass     []tally
	followed    sessions
}

// NewStream is a stream whose requests are held against an objective, or against
// that of their class where there are classes.
func NewStream(slo Objective, classes ...Objective) *Stream {
	s := &Stream{slo: slo, classes: classes, all: newTally(newHistogramValues), window: newTally(newHistogramValues),
		followed: sessions{}}
	for range classes {
		s.byClass = append(s.byClass, newTally(newHistogramValues))
	}
	return s
}

// addedTogether is the number of requests that are added up at once when they have ended: the instructions that do are not in the
// processor's first cache any more when the next one ends.
const addedTogether = 64

func (s *Stream) close(id int) {
	s.ended = append(s.ended, *s.live.of(id))
	s.live.close(id)
	if len(s.ended) == addedTogether {
		s.addEnded()
	}
}

func (s *Stream) addEnded() {
	for i := range s.ended {
		s.add(&s.ended[i])
	}
	s.ended = s.ended[:0]
}

func (s *Stream) add(r *Request) {
	slo := ofClass(s.classes, r.Class, s.slo)
	ended, whole := s.followed.add(r, slo)
	s.all.add(r, slo)
	if ended {
		s.all.addSession(whole)
	}
	if r.InWindow {
		s.window.add(r, slo)
	}
	if ended && r.InWindow {
		s.window.addSession(whole)
	}
	if len(s.classes) > 0 {
		s.byClass[r.Class].add(r, slo)
	}
}

// finish counts the requests that have not ended as unfinished. Calling it again
// changes nothing.
func (s *Stream) finish() {
	s.addEnded()
	for r := range s.live.all {
		s.add(r)
	}
	s.live = live{}
}
