package search

import "context"

// confirm looks again, with the longest runs of the search, at those ends of the bracket that shorter ones told: in these
// a load that just misses the target may show no miss at all. It is true where one of them is on the other side of the knee: then
// it is the other end, and its own is open.
func (s *searcher) confirm(ctx context.Context) (moved bool, err error) {
	for _, at := range []struct {
		end  float64
		want verdict
	}{{s.met, meets}, {s.missed, misses}} {
		if 2*s.longestAt(at.end) > s.requests {
			continue
		}
		v, err := s.tell(ctx, at.end)
		if err != nil {
			return false, err
		}
		switch {
		case v == misses && at.want == meets:
			s.met, s.missed, s.Question.Met = 0, at.end, max(s.beside(at.end, -1), s.Easiest)
			return true, nil
		case v == meets && at.want == misses:
			s.met, s.missed, s.Question.Missed = at.end, 0, s.beside(at.end, 1)
			if s.Hardest > 0 {
				s.Question.Missed = min(s.Question.Missed, s.Hardest)
			}
			return true, nil
		}
		s.doubted[at.end] = v != at.want
	}
	return false, nil
}

// longestAt is the length of the longest runs at a load; of one that is overloaded, which longer runs only show more clearly, that of any.
func (s *searcher) longestAt(load float64) int {
	for i := range s.looks {
		if l := &s.looks[i]; l.load == load && l.saturated {
			return s.requests
		} else if l.load == load {
			return l.counted + l.warmUp
		}
	}
	return 0
}
