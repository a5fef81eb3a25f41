package scenario

import (
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// Steady is the simulation of a closed loop again, after its first run left a record: with
// the steady state that was found in this as the measuring window, since gaps between
// tokens are not kept request by request. It is nil where nothing is to be run again: in
// an open loop, where a window is measured, and where the run has no steady state. What
// went well once is built again without an error, unless a trace is gone.
func (b *Builder) Steady(first *Simulation, rec *metrics.Record) (*Simulation, error) {
	s := first.scenario
	if first.Config.InWindow != nil || !s.Traffic.Closed() {
		return nil, nil
	}
	steady, ok := rec.FindSteady(s.Traffic.Clients())
	if !ok {
		return nil, nil
	}
	again, err := b.Build(*s)
	if err != nil {
		return nil, err
	}
	again.steady = &steady
	again.Config.InWindow = func(r workloads.Request) bool { return steady.Contains(r.ID) }
	return again, nil
}
