package sim

import (
	"context"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// leaving is traffic that notes in which order its requests end.
type leaving struct {
	*scripted
	order []int
}

func (l *leaving) Done(id int, at units.Seconds) {
	l.order = append(l.order, id)
	l.scripted.Done(id, at)
}

// TestCohortsEndInOrderOfTheBatch: a step of a pipeline ends a prompt, whose answer is one token, and the answer of a request
// that came behind it. While it is under way they become a cohort and one with a task of its own; they leave in the order of the
// batch all the same, which is that in which their blocks are freed and clients send their next requests.
func TestCohortsEndInOrderOfTheBatch(t *testing.T) {
	for _, reference := range []bool{true, false} {
		traffic := &leaving{scripted: &scripted{}}
		traffic.add(0, 12, 1) // in three chunks, the last of them with the second token of the other one
		traffic.add(0, 2, 2)
		c := setup{cost: hardware.EvenStages{CostModel: &hardware.Synthetic{StepFixed: 2}, N: 2},
			batching: func() policies.Batching {
				return &policies.Continuous{MaxNumSeqs: 4, MaxNumBatchedTokens: 6, LongPrefillTokenThreshold: 4}
			}}.configOf(traffic)
		c.Reference = reference
		record, err := Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := record.Requests[0], record.Requests[1]; a.Last != 4 || b.Last != 4 {
			t.Errorf("step by step %v: the requests end at %v and %v, want 4 s", reference, a.Last, b.Last)
		}
		if !slices.Equal(traffic.order, []int{0, 1}) {
			t.Errorf("step by step %v: they end in the order %v", reference, traffic.order)
		}
	}
}
