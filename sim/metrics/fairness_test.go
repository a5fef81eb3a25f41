package metrics

import (
	"math"
	"testing"

	"kneepoint/units"
)

// TestServiceDifferenceByHand: two clients ask for a request of 10 and 10 tokens each second, of 30 tokens of service. One gets all of
// it at once and the other is served at a third of the rate, so that it is 20 tokens a second behind in every window.
func TestServiceDifferenceByHand(t *testing.T) {
	rec := Record{Classes: make([]Objective, 2)}
	for i := range 601 {
		at := units.Seconds(i)
		rec.Requests = append(rec.Requests,
			Request{Arrival: at, First: at, Last: at + 1, Input: 10, Output: 10, Generated: 10, State: Completed},
			Request{Arrival: at, First: 3 * at, Last: 3*at + 3, Input: 10, Output: 10, Generated: 10, Class: 1, State: Completed})
	}
	v := Values{}
	v.setServiceDifference(&rec)
	for _, key := range []string{MaxServiceDifference, MeanServiceDifference} {
		if got := v.Get(key); math.Abs(got-20) > 0.05 {
			t.Errorf("%s is %v, want 20", key, got)
		}
	}
	for i := range rec.Requests { // what both asked for and got
		r := &rec.Requests[i]
		r.First, r.Last = r.Arrival, r.Arrival+1
	}
	v.setServiceDifference(&rec)
	if got := v.Get(MaxServiceDifference); got > 0.6 { // a request more, where a window begins and ends with one
		t.Errorf("%v between clients that are served alike", got)
	}
}

// TestServiceDifferenceOfWhoAsksLittle: a client that asks for less than the other gets, and gets it, is not behind.
func TestServiceDifferenceOfWhoAsksLittle(t *testing.T) {
	for _, c := range []struct {
		clients []clientWindow
		want    float64
	}{
		{[]clientWindow{{100, 60}, {10, 10}}, 0},
		{[]clientWindow{{100, 60}, {10, 4}}, 6},
		{[]clientWindow{{100, 60}, {200, 40}, {30, 35}}, 25},
	} {
		if got := serviceDifference(c.clients); got != c.want {
			t.Errorf("%v: %v, want %v", c.clients, got, c.want)
		}
	}
}

// TestShortRunsHaveNoServiceDifference, nor have those of one client.
func TestShortRunsHaveNoServiceDifference(t *testing.T) {
	long := []Request{{Arrival: 0, First: 1, Last: 2, State: Completed}, {Arrival: 100, First: 101, Last: 102, State: Completed}}
	for name, rec := range map[string]*Record{
		"one client": {Classes: make([]Objective, 1), Requests: long},
		"short":      {Classes: make([]Objective, 2), Requests: long[:1]},
		"streamed":   {Classes: make([]Objective, 2)},
	} {
		v := Values{}
		v.setServiceDifference(rec)
		if _, there := v[MaxServiceDifference]; there {
			t.Errorf("%s: there is one", name)
		}
	}
}
