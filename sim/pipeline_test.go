package sim

import (
	"context"
	"testing"

	"kneepoint/hardware"
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
