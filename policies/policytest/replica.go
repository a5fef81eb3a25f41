package policytest

import (
	"cmp"
	"fmt"
	"slices"

	"kneepoint/policies"
	"kneepoint/units"
)

// replica carries out decisions, one second a step.
type replica struct {
	scenario
	reserve policies.Reservation

	now     units.Seconds
	arrived int
	ended   int
	outputs map[*policies.Sequence]int
	waiting queue
	running []*policies.Sequence
	late    int // of running, those that have ended
	parked  queue
	memory  memory
	outside map[*policies.Sequence]int // blocks in the first tier, or set aside there
}

// queue is requests in order of arrival, behind those that were preempted, or in order
// of urgency.
type queue []*policies.Sequence

// Len implements policies.Queue.
func (q *queue) Len() int { return len(*q) }

// At implements policies.Queue.
func (q *queue) At(i int) *policies.Sequence { return (*q)[i] }

// run simulates the scenario until every request has ended, or returns what is
// wrong with a decision. The twin, of the same kind and history, is shown totals
// where it can plan from them. No sane policy needs ten steps a token: what needs
// more never ends.
func (s scenario) run(reserve policies.Reservation, policy, twin policies.Batching) error {
	r := &replica{
		scenario: s,
		reserve:  reserve,
		outputs:  map[*policies.Sequence]int{},
		memory:   newMemory(s.blocks),
		outside:  map[*policies.Sequence]int{},
	}
	d := &policies.Decision{}
	for steps := 0; r.ended < len(s.requests); steps++ {
		if steps > 10*s.tokens() {
			return fmt.Errorf("%d of %d requests have not ended after %d steps", len(s.requests)-r.ended, len(s.requests), steps)
		}
		r.arrive()
		if err := r.plan(policy, twin, d); err != nil {
			return fmt.Errorf("at %v, %d waiting, %d running, %d of %d blocks free: %w",
				float64(r.now), len(r.waiting), len(r.running), r.memory.free(), r.blocks, err)
		}
		if len(d.Tasks) == 0 && r.late > 0 {
			r.preempt(d)
			r.releaseLate()
			continue
		}
		r.carryOut(d)
	}
	return nil
}

// arrive lets requests wait that have come by now.
func (r *replica) arrive() {
	for r.arrived < len(r.requests) && r.requests[r.arrived].arrival <= r.now {
		q := r.requests[r.arrived]
		s := &policies.Sequence{ID: r.arrived, Prompt: q.prompt, Most: q.prompt + q.output, Reserved: r.reserve(q.prompt, q.output), Arrival: q.arrival}
		r.outputs[s] = q.output
		if r.leastUrgentFirst {
			s.Rank = q.rank
		}
		r.waiting = append(r.waiting, s)
		r.arrived++
	}
	r.sortWaiting()
}

// requeue puts a preempted sequence back into the queue.
func (r *replica) requeue(s *policies.Sequence) {
	r.waiting = slices.Insert(r.waiting, 0, s)
	r.sortWaiting()
}

// sortWaiting puts the queue in order of urgency, where who is preempted depends on it.
func (r *replica) sortWaiting() {
	if r.leastUrgentFirst {
		slices.SortStableFunc(r.waiting, func(a, b *policies.Sequence) int {
			return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Arrival, b.Arrival))
		})
	}
}

// plan asks the policy and checks its answer, and whether the twin agrees.
func (r *replica) plan(policy, twin policies.Batching, d *policies.Decision) error {
	before := r.snapshot()
	view := r.view()
	d.Reset()
	policy.Plan(view, d)
	if !slices.Equal(before, r.snapshot()) || !sameView(view, r.view()) {
		return fmt.Errorf("the view was changed")
	}
	if err := r.check(d); err != nil {
		return err
	}
	return r.checkTotals(twin, d)
}

func (r *replica) view() *policies.View {
	v := &policies.View{Now: r.now, Waiting: &r.waiting, Running: slices.Clone(r.running),
		BlockSize: r.blockSize, FreeBlocks: r.memory.free(), TotalBlocks: r.blocks, MaxTokens: r.blocks * r.blockSize, Parked: &r.parked, FreeTierBlocks: r.freeTierBlocks(),
		Ended: r.late, LeastUrgentFirst: r.leastUrgentFirst}
	if r.caching {
		v.Cache = r
	}
	return v
}

func sameView(a, b *policies.View) bool {
	return a.Now == b.Now && a.Waiting == b.Waiting && slices.Equal(a.Running, b.Running) &&
		a.BlockSize == b.BlockSize && a.FreeBlocks == b.FreeBlocks && a.Ended == b.Ended && a.TotalBlocks == b.TotalBlocks && a.MaxTokens == b.MaxTokens && a.Cache == b.Cache
}

// freeTierBlocks is the number of blocks that are free in the first tier.
func (r *replica) freeTierBlocks() int {
	free := r.tier
	for _, blocks := range r.outside {
		free -= blocks
	}
	return free
}

// blocksFor is the number of blocks that hold a number of tokens.
func (r *replica) blocksFor(tokens int) int { return (tokens + r.blockSize - 1) / r.blockSize }

// snapshot is every sequence's state, waiting ones first.
func (r *replica) snapshot() []policies.Sequence {
	var all []policies.Sequence
	for _, s := range slices.Concat(r.waiting, r.running, r.parked) {
		all = append(all, *s)
	}
	return all
}
