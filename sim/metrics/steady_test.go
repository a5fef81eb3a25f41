package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/units"
)

// loop is a closed loop of some clients: n requests, of which the first few wait long, each less than the one before.
func loop(n, slow int) *Record {
	random := rand.New(rand.NewPCG(1, 2))
	rec := &Record{}
	for i := range n {
		at := units.Seconds(i)
		wait := units.Seconds(random.ExpFloat64())
		if i < slow {
			wait += 50 * units.Seconds(slow-i) / units.Seconds(slow)
		}
		rec.Requests = append(rec.Requests, Request{State: Completed, Arrival: at, First: at + wait, Last: at + wait + 5, Generated: 3})
	}
	return rec
}

// TestFindSteady: the burst at the start is cut off, and the requests after which the loop
// runs empty are, and no more than a fraction of the others.
func TestFindSteady(t *testing.T) {
	s, ok := loop(1000, 40).FindSteady(40)
	if !ok || !s.Settled || s.First < 30 || s.First > 100 || s.End != 960 {
		t.Errorf("of a burst of 40: %+v, %t", s, ok)
	}
	if s, ok := loop(1000, 1000).FindSteady(40); !ok || s.Settled {
		t.Errorf("of waits that shrink all along: %+v, %t", s, ok)
	}
	if s, ok := loop(100, 0).FindSteady(51); ok {
		t.Errorf("of 49 requests: %+v", s)
	}
	if s, ok := (&Record{Stream: NewStream(Objective{})}).FindSteady(1); ok {
		t.Errorf("of a stream: %+v", s)
	}
}

// TestSummarizeSteady: rates are those of the time over which the requests of the steady
// state arrived, as in a loop that goes on, and latencies those of these requests.
func TestSummarizeSteady(t *testing.T) {
	rec := loop(1000, 40)
	s, _ := rec.FindSteady(40)
	for i := range rec.Requests {
		rec.Requests[i].InWindow = s.Contains(i)
	}
	v := SummarizeSteady(rec, Objective{TTFT: 20}, &s)
	checkValues(t, v, map[string]float64{"request_throughput": 1, "output_throughput": 3, "request_goodput": 1, "slo_attainment": 1,
		"offered_rate": 1, "completed": float64(s.End - s.First), "duration": float64(s.End - s.First), "mean_tpot_ms": 2500})
	if got := v["mean_ttft_ms"]; math.Abs(got-1000) > 150 {
		t.Errorf("mean TTFT %v ms, want about 1000", got)
	}
	rec.Classes = []Objective{{TTFT: 20}}
	if classes := SummarizeClasses(rec, &s); math.Abs(classes[0]["request_goodput"]-1) > 1e-9 {
		t.Errorf("its only class has a goodput of %v", classes[0]["request_goodput"])
	}
}
