// Package sim is the engine: it lets requests arrive at replicas, carries out
// what policies decide, step by step, and records what happens.
//
// It knows sequences, steps, KV blocks and the simulated clock. It must not
// know why a policy decides as it does, how long a step takes (a cost model
// says so), where requests come from, nor what becomes of its record.
//
// # Time
//
// A replica's clock is its own: the start of its next step is the end of the
// last one. Requests join at step boundaries; a request that arrives at the
// very end of a step is seen by the next one. The event kernel (simgo) orders
// what happens across the fleet: arrivals, the end of front-end work, and the
// ends of steps. As long as nothing outside can touch a replica before its step
// ends, it goes on to the next step without an event.
package sim
