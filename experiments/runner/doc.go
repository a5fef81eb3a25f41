// Package runner simulates a sequence of scenarios on all cores.
//
// The sequence may be made lazily and be longer than memory: a worker asks for the
// next scenario when it is done with the last one. Outcomes go to a Store by the
// key of their scenario; what is there already is not simulated again. A
// simulation that fails, or panics, leaves the others alone.
//
// It knows scenarios and the engine. It must not know where scenarios come from,
// or what is made of their outcomes.
package runner
