package experiments

import (
	"slices"
	"testing"

	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// TestObjectivesOfClients: a client's bounds replace those of [slo] one by one; 0 removes
// a bound.
func TestObjectivesOfClients(t *testing.T) {
	own, none := 250.0, 0.0
	spec := Spec{SLO: SLOSpec{TTFTms: 1000, TPOTms: 50}, Workload: workloads.Spec{Client: []workloads.ClientSpec{
		{Priority: 7}, {Priority: -1, SLO: workloads.ClientSLO{TTFTms: &own, TPOTms: &none, E2ELms: &own}}}}}
	want := []metrics.Objective{{TTFT: 1, TPOT: 0.05}, {TTFT: 0.25, E2EL: 0.25}}
	if got := spec.objectives(); !slices.Equal(got, want) {
		t.Errorf("the objectives are %v, want %v", got, want)
	}
}
