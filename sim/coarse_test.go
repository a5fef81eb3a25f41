package sim

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
)

// TestCoarseRunsDifferInPartsAlone: a run that does not ask what prompts take of others' time is the same in all
// else, and says so of none of it.
func TestCoarseRunsDifferInPartsAlone(t *testing.T) {
	effort.Check(t, 3, func(t *rapid.T) {
		s := drawScene(t)
		fine := s.fresh()
		fine.Reference = rapid.Bool().Draw(t, "reference")
		coarse := s.fresh()
		coarse.Reference, coarse.Coarse = fine.Reference, true
		a, b := recordOf(t, fine), recordOf(t, coarse)
		checkRecord(t, b)
		for i := range b.Requests {
			q := &b.Requests[i]
			if q.ToLast[metrics.Interference] > 0 {
				t.Fatalf("request %d of a coarse run: %v s of others' prompts", i, q.ToLast[metrics.Interference])
			}
			q.ToFirst, q.ToLast = a.Requests[i].ToFirst, a.Requests[i].ToLast
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatal("a coarse run differs in more than the parts of latencies")
		}
	})
}
