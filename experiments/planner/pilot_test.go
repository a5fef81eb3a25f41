package planner

import (
	"context"
	"math"
	"testing"

	"kneepoint/workloads"
)

// Clients who do not think are all in service at once, if each has a unit for itself, and others as long as they wait: also
// where one unit is overloaded, and sends fewer requests a second back.
func TestClientsTogether(t *testing.T) {
	const clients, service = 40, 0.1
	for _, thinks := range []float64{0, 0.3} {
		c := servers(1, service, "a")
		arrival := &workloads.ArrivalSpec{Process: "closed", Concurrency: clients}
		if thinks > 0 {
			arrival.ThinkTime = workloads.ThinkTime{Type: "exponential", Mean: thinks}
		}
		c[0].Unit.Traffic.Arrival = arrival
		pilots, err := newPlanner(Question{Target: 0.9}, Options{}).runPilots(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if want, got := clients*service/(service+thinks), pilots[0].together(); math.Abs(got/want-1) > 0.05 {
			t.Errorf("%v together, want %v, where they think for %v s", got, want, thinks)
		}
	}
}
