package sim

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestPipelineIsBusyOnce: steps that are under way at the same time count once in
// the busy time.
func TestPipelineIsBusyOnce(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 2, 4)   // steps of a second from 0, 1, 2, 3
	traffic.add(0.5, 2, 3) // from 0.5, 1.5, 2.5
	traffic.add(6, 2, 1)
	c := written(traffic, 100, continuous(8, 100)())
	c.Pools[0].Cost = hardware.EvenStages{CostModel: &hardware.Synthetic{StepFixed: 1}, N: 2}
	rec, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if busy := rec.Totals.Busy; busy != 5 || rec.Totals.Steps != 8 || rec.Ended != 7 {
		t.Errorf("busy for %v of %v s, %d steps", float64(busy), float64(rec.Ended), rec.Totals.Steps)
	}
}

// TestStagesAreTheQueue: a pipeline plans as many steps ahead as it has stages, and an
// engine that schedules asynchronously no more than that.
func TestStagesAreTheQueue(t *testing.T) {
	for _, reference := range []bool{false, true} {
		var ends []units.Seconds
		for _, async := range []bool{false, true} {
			traffic := &scripted{}
			for i := range 12 {
				traffic.add(units.Seconds(i)/3, 1+i%5, 1+i%4)
			}
			config := written(traffic, 8, continuous(3, 6)())
			config.Pools[0].Cost = hardware.EvenStages{CostModel: &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 0.5}, N: 2}
			config.Pools[0].AsyncScheduling, config.Reference = async, reference
			rec, err := Run(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			var times []units.Seconds
			for i := range rec.Requests {
				times = append(times, rec.Requests[i].First, rec.Requests[i].Last)
			}
			if async && !slices.Equal(times, ends) {
				t.Errorf("reference %t: asynchronously %v, want %v", reference, times, ends)
			}
			ends = times
		}
	}
}

// TestRecoveryInChunks: what is computed again in several steps is a recovery to its last
// token, whether steps pass one stage or two.
func TestRecoveryInChunks(t *testing.T) {
	for stages, want := range map[int]spent{
		1: {metrics.Prefill: 3, metrics.Preemption: 7, metrics.Decode: 4},   // preempted at 3, back at 7, three chunks
		2: {metrics.Prefill: 2, metrics.Preemption: 6, metrics.Decode: 3.5}, // preempted at 2, back at 6, three chunks that overlap
	} {
		traffic := &scripted{}
		traffic.add(0, 6, 5)
		traffic.add(0, 6, 5)
		config := written(traffic, 7, inOrder(&policies.Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 12, LongPrefillTokenThreshold: 2})())
		config.Pools[0].Cost = &hardware.Synthetic{StepFixed: 1}
		if stages > 1 {
			config.Pools[0].Cost = hardware.EvenStages{CostModel: config.Pools[0].Cost, N: stages}
		}
		rec, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		want.check(t, fmt.Sprintf("%d stages", stages), rec.Requests[1].E2ELParts())
	}
}
