package metrics

import (
	"math"
	"testing"

	"kneepoint/units"
)

// turnOf is a turn that takes some seconds from its arrival to its only token.
func turnOf(session, turn, turns int, arrival, took float64, state State) Request {
	end := units.Seconds(arrival + took)
	return Request{Session: int32(session), Turn: uint16(turn), Turns: uint16(turns), Arrival: units.Seconds(arrival), First: end, Last: end,
		Input: 1, Output: 1, Generated: 1, State: state, InWindow: arrival >= 10}
}

// byHand are conversations in the order in which their turns come. An objective of 2 s is met by all turns of 0 and 4; 1 has
// a late turn, 2 one that was lost, 3 does not end, 5 was under way when the run began, and 6 waits for its last answer. Turns of a
// trace are of none.
var byHand = []Request{
	turnOf(0, 1, 2, 0, 1, Completed),
	turnOf(1, 1, 3, 1, 1, Completed),
	turnOf(2, 1, 2, 2, 1, Lost),
	turnOf(0, 2, 2, 3, 2, Completed),
	turnOf(5, 3, 3, 4, 1, Completed),
	turnOf(1, 2, 3, 5, 3, Completed),
	turnOf(2, 2, 2, 6, 1, Completed),
	turnOf(3, 1, 2, 7, 1, Completed),
	turnOf(4, 1, 2, 8, 1, Completed),
	turnOf(6, 1, 2, 9, 1, Completed),
	turnOf(1, 3, 3, 11, 1, Completed),
	turnOf(4, 2, 2, 18, 2, Completed),
	turnOf(6, 2, 2, 19, 0, Unfinished),
	turnOf(9, 0, 0, 19, 1, Completed),
}

// TestSessionsByHand: of four conversations that end two are good, and of the two that end in the window one; first arrival and last
// completion are 20 s apart, and 9 s in the window.
func TestSessionsByHand(t *testing.T) {
	slo := Objective{E2EL: 2}
	stream := NewStream(slo)
	streamed := &Record{Stream: stream}
	for id, r := range byHand {
		open := r
		open.State = Unfinished
		streamed.Open(id, open)
		if r.State != Unfinished {
			*streamed.Of(id) = r
			streamed.Close(id)
		}
	}
	for name, rec := range map[string]*Record{"kept": {Requests: byHand}, "streamed": streamed} {
		for _, c := range []struct {
			values                   Values
			sessions, goodput, share float64
		}{
			{Summarize(rec, slo, nil), 4, 2. / 20, 0.5},
			{SummarizeWindow(rec, slo), 2, 1. / 9, 0.5},
		} {
			if v := c.values; v.Get(Sessions) != c.sessions || v.Get(SessionGoodput) != c.goodput || v.Get(SessionAttainment) != c.share {
				t.Errorf("%s: %v sessions, %v conv/s, %v; want %+v", name, v.Get(Sessions), v.Get(SessionGoodput), v.Get(SessionAttainment), c)
			}
		}
	}
	if _, there := Summarize(&Record{Requests: byHand[len(byHand)-1:]}, slo, nil)[Sessions]; there {
		t.Error("requests of a trace have sessions")
	}
	if v := Summarize(&Record{Requests: byHand}, Objective{}, nil); v.Get(Sessions) != 4 || !math.IsNaN(v.Get(SessionGoodput)) {
		t.Error("without an objective conversations are good")
	}
}
