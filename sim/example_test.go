package sim_test

import (
	"context"
	"fmt"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/workloads"
)

// memoryBound is a cost model of one's own: 10 ms for the weights, 1 ms for each
// thousand tokens that are attended to or prefilled.
type memoryBound struct{ hardware.Plain }

// Step implements hardware.CostModel.
func (memoryBound) Step(w *hardware.Work) hardware.Cost {
	tokens := float64(w.DecodeContext) + float64(w.PromptTokens())
	return hardware.Cost{Time: units.Seconds(10e-3 + 1e-6*tokens)}
}

// largeToLarge is a router of one's own: long prompts go to the second pool.
type largeToLarge struct{}

// Route implements routing.Router.
func (largeToLarge) Route(r *routing.Request, replicas routing.Replicas) int {
	if r.Prompt > 500 {
		return replicas.Len() - 1
	}
	return r.ID % (replicas.Len() - 1)
}

// busy is an observer: the time that each replica spends in steps.
type busy map[int]units.Seconds

// Steps implements sim.Observer.
func (b busy) Steps(e sim.StepsEvent) { b[e.Replica] += e.End - e.Start }

// Move implements sim.Observer.
func (busy) Move(sim.MoveEvent) {}

// Phase implements sim.Observer.
func (busy) Phase(sim.PhaseEvent) {}

// Two replicas with little memory and one with much, with a cost model, a router
// and an observer of one's own.
func ExampleRun() {
	traffic, err := workloads.New(workloads.Spec{
		NumRequests: 1000,
		Arrival:     &workloads.ArrivalSpec{Process: "constant", Rate: 20},
		Input:       &workloads.LengthSpec{Type: "uniform", Mean: 400, RangeRatio: 0.9, Min: 1},
		Output:      &workloads.LengthSpec{Type: "fixed", Mean: 50},
	}, nil, 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	pool := func(name string, replicas, blocks int) sim.Pool {
		return sim.Pool{
			Name: name, Replicas: replicas, Blocks: blocks, BlockSize: 16, MaxTokens: 8192, Cost: memoryBound{},
			Batching: func() policies.Batching { return &policies.Continuous{MaxNumSeqs: 64, MaxNumBatchedTokens: 2048} },
			Reserve:  policies.ReservePaged,
			FrontEnd: func(int) units.Seconds { return 0 },
		}
	}
	observed := busy{}
	record, err := sim.Run(context.Background(), sim.Config{
		Traffic: traffic, Pools: []sim.Pool{pool("small", 2, 500), pool("large", 1, 5000)},
		Router: func() routing.Router { return largeToLarge{} }, Observer: observed, Drain: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range record.Pools {
		fmt.Printf("%s: %d steps\n", p.Name, p.Totals.Steps)
	}
	fmt.Printf("the large replica was busy for %.0f of %.0f s\n", observed[2], record.Ended-record.Started)
	// Output:
	// small: 9083 steps
	// large: 3909 steps
	// the large replica was busy for 50 of 50 s
}
