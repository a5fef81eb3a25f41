package scenario_test

import (
	"context"
	"fmt"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/sim"
	"kneepoint/units"
)

// fewestAhead is a router of one's own: to the replica with the fewest requests.
type fewestAhead struct{}

// Route implements routing.Router.
func (fewestAhead) Route(_ *routing.Request, all routing.Replicas) int {
	best, fewest := 0, all.At(0).Requests()
	for i := range all.Len() {
		if n := all.At(i).Requests(); n < fewest {
			best, fewest = i, n
		}
	}
	return best
}

// perSequence is a cost model of one's own: a millisecond for each sequence.
type perSequence struct{ hardware.Plain }

// Step implements hardware.CostModel.
func (perSequence) Step(w *hardware.Work) hardware.Cost {
	return hardware.Cost{Time: units.Seconds(1e-3 * float64(len(w.Prefill)+w.DecodeRows))}
}

// A scenario is built, and parts of it are exchanged for some of one's own, which
// no value can hold: a router, a cost model, a policy.
func ExampleBuilder_Build() {
	s := of(replicas("", 2, 0.1))
	built, err := scenario.NewBuilder(&scenario.Traces{}).Build(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	built.Config.Router = func() routing.Router { return fewestAhead{} }
	pool := &built.Config.Pools[0]
	pool.Cost = perSequence{}
	pool.Batching = func() policies.Batching { return &policies.Continuous{MaxNumSeqs: 2, MaxNumBatchedTokens: 50} }
	record, err := sim.Run(context.Background(), built.Config)
	if err != nil {
		fmt.Println(err)
		return
	}
	found := built.Summarize(record)
	fmt.Printf("%.0f requests, mean TPOT %.0f ms\n", found.Metrics["completed"], found.Metrics["mean_tpot_ms"])
	// Output: 50 requests, mean TPOT 1 ms
}
