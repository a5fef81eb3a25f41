package policytest

import (
	"fmt"
	"math"
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
	aggregate, inTotals, ok := r.aggregate(proposes(twin))
	if !ok || !totals.PlanAggregate(&aggregate, got) {
		got.Reset()
		twin.Plan(r.view(), got)
		return nil
	}
	expected := without(inTotals, want)
	if aggregate.Decoding == 0 {
		expected.Stall = got.Stall // of nobody
	}
	if !slices.Equal(got.Tasks, expected.Tasks) || len(want.Preempt) > 0 || !sameCounts(got, &expected) {
		return fmt.Errorf("decides %+v from totals and %+v from the sequences", *got, expected)
	}
	if got.Stall || aggregate.Rows == nil {
		return nil
	}
	return r.checkShares(inTotals, want, &got.Share)
}

// checkShares compares the share of each sequence with its task.
func (r *replica) checkShares(inTotals rows, want *policies.Decision, share *policies.Share) error {
	for _, t := range want.Tasks {
		if s := t.Sequence; slices.Contains(inTotals.sequences, s) {
			if blocks, fits := inTotals.blocks(s, share); !fits || t.Draft != share.Draft || t.Nodes != share.Nodes || t.Blocks != blocks {
				return fmt.Errorf("a share of %+v and %d blocks from totals, and a task of %+v", *share, blocks, t)
			}
		}
	}
	return nil
}

// proposes tells whether a policy may plan guesses.
func proposes(p policies.Batching) bool {
	switch p := p.(type) {
	case *policies.Speculative:
		return true
	case *policies.Continuous:
		return p.Guesses != nil
	}
	return false
}

// rows are the sequences that appear as totals.
type rows struct {
	replica   *replica
	sequences []*policies.Sequence
}

// Demand implements policies.Rows.
func (r *rows) Demand(share policies.Share) (blocks int, ok bool) {
	for _, s := range r.sequences {
		more, fits := r.blocks(s, &share)
		if !fits {
			return 0, false
		}
		blocks += more - s.Blocks
	}
	return blocks, true
}

// blocks is how many blocks a sequence holds in a step of which it has a share.
func (r *rows) blocks(s *policies.Sequence, share *policies.Share) (blocks int, ok bool) {
	longest := math.MaxInt
	if share.Limited {
		longest = r.replica.view().Longest(s)
	}
	slots, ok := share.SlotsOf(s, longest)
	return max(s.Blocks, r.replica.blocksFor(slots)), ok
}

// aggregate is the view in totals, and who is in them. It is false when more than one sequence of the
// batch does not decode. Where sequences guess, one that does not yet is none that decodes.
func (r *replica) aggregate(guessing bool) (a policies.Aggregate, inTotals rows, ok bool) {
	a, inTotals = policies.Aggregate{View: *r.view()}, rows{replica: r}
	a.Running = nil
	if guessing {
		a.Rows = &inTotals
	}
	for _, s := range r.running {
		switch {
		case s.Ended:
		case guessing && a.Prefilling != nil:
			return a, inTotals, false
		case s.Decodes() && !(guessing && s.Recovers):
			inTotals.sequences = append(inTotals.sequences, s)
			a.Decoding++
			a.Context += int64(s.Computed + 1)
			if s.Reserved == 0 {
				a.Paged++
			}
			if !guessing {
				a.Demand += max(0, r.blocksFor(s.Computed+1)-s.Blocks)
			}
		case a.Prefilling == nil:
			a.Prefilling = s
		default:
			return a, inTotals, false
		}
	}
	return a, inTotals, !guessing || a.Decoding > 0
}

// without is a decision without the tasks of the sequences that appear as totals.
func without(inTotals rows, d *policies.Decision) policies.Decision {
	rest := *d
	rest.Tasks = slices.DeleteFunc(slices.Clone(d.Tasks), func(t policies.Task) bool { return slices.Contains(inTotals.sequences, t.Sequence) })
	rest.Stall = len(rest.Tasks) == len(d.Tasks)
	return rest
}

func sameCounts(a, b *policies.Decision) bool {
	return a.Admit == b.Admit && a.Restore == b.Restore && a.Held == b.Held && a.PaddingRows == b.PaddingRows && a.Stall == b.Stall &&
		a.Wake == b.Wake
}
