package experiments

import (
	"slices"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// TestObjectivesOfClients: a client's bounds replace those of [slo] one by one; 0 removes
// a bound.
func TestObjectivesOfClients(t *testing.T) {
	own, none := 250.0, 0.0
	spec := Spec{SLO: SLOSpec{TTFTms: 1000, TPOTms: 50, ITLp99ms: 500}, Workload: workloads.Spec{Client: []workloads.ClientSpec{
		{Priority: 7}, {Priority: -1, SLO: workloads.ClientSLO{TTFTms: &own, TPOTms: &none, E2ELms: &own, ITLp99ms: &own}}}}}
	want := []metrics.Objective{{TTFT: 1, TPOT: 0.05, ITL: 0.5}, {TTFT: 0.25, E2EL: 0.25, ITL: 0.25}}
	if got := spec.objectives(); !slices.Equal(got, want) {
		t.Errorf("the objectives are %v, want %v", got, want)
	}
}

// clientsFile is an experiment without an objective.
const clientsFile = `
title = "clients"
[workload]
num_requests = 10
[workload.arrival]
rate = 1
[workload.input]
type = "fixed"
mean = 10
[workload.output]
type = "fixed"
mean = 10
[hardware]
cost_model = "synthetic"
kv_tokens = 1000
[hardware.synthetic]
step_fixed = "1ms"
[[strategy]]
name = "a"
`

// TestClientsInPlan: the plan has each class with the bounds that hold for it, and a point
// its own where they are swept, by [slo] or by a client.
func TestClientsInPlan(t *testing.T) {
	e := experiment(t, clientsFile+`
[slo]
ttft_ms = 1000
attainment = 0.8
[[workload.client]]
name = "chat"
share = 0.5
slo = { tpot_ms = 50 }
[[workload.client]]
share = 0.5
slo = { ttft_ms = 0 }
[sweep]
"workload.client.chat.slo.tpot_ms" = [50, 20]
`)
	chat := results.Client{Name: "chat", SLO: results.SLO{TTFTms: 1000, TPOTms: 50, Attainment: 0.8}}
	other := results.Client{Name: "client 2", SLO: results.SLO{Attainment: 0.8}}
	p := e.Plan()
	if want := []results.Client{chat, other}; !slices.Equal(p.Clients, want) {
		t.Errorf("the classes are %+v, want %+v", p.Clients, want)
	}
	chat.SLO.TPOTms = 20
	if want := []results.Client{chat, other}; p.Points[0].Clients != nil || !slices.Equal(p.Points[1].Clients, want) {
		t.Errorf("the points have %+v, want %+v at the second", p.Points, want)
	}
}

// TestUnlistedAttainment: only an attainment at none of the percentiles of every run is
// part of a scenario, whose outcome then has its latencies.
func TestUnlistedAttainment(t *testing.T) {
	for attainment, want := range map[string]float64{"0.9": 0, "0.999": 0, "0.8": 0.8, "1": 1} {
		e := experiment(t, clientsFile+"[slo]\nttft_ms = 1000\nattainment = "+attainment+"\n")
		if got := e.cells[0].scenario.Objectives.Share; got != want {
			t.Errorf("an attainment of %s asks for a share of %v, want %v", attainment, got, want)
		}
	}
}
