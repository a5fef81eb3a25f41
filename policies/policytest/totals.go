package policytest

import (
	"fmt"
	"slices"

	"kneepoint/policies"
)

// checkTotals compares what a twin of the policy decides from totals with what was
// decided from the sequences.
func (r *replica) checkTotals(twin policies.Batching, want *policies.Decision) error {
	totals := twin.Totals()
	if totals == nil {
		return nil
	}
	got := &policies.Decision{}
	got.Reset()
	aggregate, ok := r.aggregate()
	if !ok || !totals.PlanAggregate(&aggregate, got) {
		got.Reset()
		twin.Plan(r.view(), got)
		return nil
	}
	expected := withoutDecodes(want)
	if aggregate.Decoding == 0 {
		expected.Stall = got.Stall // of nobody
	}
	if !slices.Equal(got.Tasks, expected.Tasks) || len(want.Preempt) > 0 || !sameCounts(got, &expected) {
		return fmt.Errorf("decides %+v from totals and %+v from the sequences", *got, expected)
	}
	return nil
}

// aggregate is the view in totals. It is false when more than one sequence of the
// batch does not decode.
func (r *replica) aggregate() (policies.Aggregate, bool) {
	a := policies.Aggregate{View: *r.view()}
	a.Running = nil
	for _, s := range r.running {
		switch {
		case s.Ended:
		case s.Decodes():
			a.Decoding++
			if s.Reserved == 0 {
				a.Paged++
			}
			a.Demand += max(0, r.blocksFor(s.Computed+1)-s.Blocks)
		case a.Prefilling == nil:
			a.Prefilling = s
		default:
			return a, false
		}
	}
	return a, true
}

// withoutDecodes is a decision without the tasks of sequences that decode, as
// totals show it.
func withoutDecodes(d *policies.Decision) policies.Decision {
	rest := *d
	rest.Tasks = slices.DeleteFunc(slices.Clone(d.Tasks), func(t policies.Task) bool { return t.Sequence.Decodes() })
	rest.Stall = len(rest.Tasks) == len(d.Tasks)
	return rest
}

func sameCounts(a, b *policies.Decision) bool {
	return a.Admit == b.Admit && a.Restore == b.Restore && a.Held == b.Held && a.PaddingRows == b.PaddingRows && a.Stall == b.Stall &&
		a.Wake == b.Wake
}
