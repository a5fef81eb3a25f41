package metrics

// sessions follows conversations from turn to turn. A turn comes when the one before it has ended, so that they are
// seen in their order, and memory does not grow with those that are over.
type sessions map[int32]bool // by number of those that go on: whether all turns so far met their objectives

// add follows a turn to its end. Of the last one of a conversation whose first one was seen, it tells that the conversation has
// ended, and whether all of its turns completed and met their objectives.
func (s sessions) add(r *Request, slo Objective) (ended, whole bool) {
	if r.Turns == 0 {
		return false, false
	}
	if r.Turn == 1 {
		s[r.Session] = true
	}
	whole, begun := s[r.Session]
	if !begun {
		return false, false
	}
	whole = whole && r.State == Completed && slo.Met(r)
	if s[r.Session] = whole; r.Turn < r.Turns || r.State == Unfinished {
		return false, false
	}
	delete(s, r.Session)
	return true, whole
}

// addSession adds the last turn of a conversation that has ended.
func (t *tally) addSession(whole bool) {
	t.sessions++
	t.goodSessions += one(whole)
}

// setSessions stores the metrics of conversations, over a duration in seconds; nothing where none has ended.
func (v Values) setSessions(t *tally, duration float64, slo Objective) {
	if t.sessions == 0 {
		return
	}
	v.Set(Sessions, t.sessions)
	if slo.Set() {
		v.Set(SessionGoodput, t.goodSessions/duration)
		v.Set(SessionAttainment, t.goodSessions/t.sessions)
	}
}
