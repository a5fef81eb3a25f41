// Package sim is the engine: it lets requests arrive at replicas, carries out
// what policies decide, step by step, and records what happens.
//
// It knows sequences, steps, KV blocks and the simulated clock. It must not
// know why a policy decides as it does, how long a step takes (a cost model
// says so), where requests come from, nor what becomes of its record.
//
// # Parts
//
// A fleet (fleet.go, routing.go, following.go) is everything between the replicas: it takes
// requests from the traffic, asks a router where they go, and hands them over. A
// replica (replica.go) is driven by it: it says when it next changes by itself,
// commits what has ended by a time, takes requests, and shows itself to the
// router. Inside, a machine (machine.go) is the state, and an engine decides when
// its methods are called: step by step (reference.go), many steps at once
// (stretch.go, stretch_commit.go; with guesses speculating.go, speculated.go), or
// in the stages of a pipeline (pipeline.go; many steps at once cohorts.go, turns.go).
//
// # Time
//
// A replica's clock is its own: the start of its next step is the end of the
// last one. Requests join at step boundaries; a request that arrives at the
// very end of a step is seen by the next one. A replica that nothing outside can
// touch before a time goes on to that time by itself: in an open loop to the next
// arrival, of which many may be handed out ahead (inbox.go), in a closed loop to the next
// end of a request. The event kernel (simgo)
// orders the calls for everything else.
package sim
