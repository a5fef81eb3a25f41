package experiments

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestFacts: what figures and tables name is what the file says, and a strategy's
// own in its place.
func TestFacts(t *testing.T) {
	const text = `
title = "facts"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload]
num_requests = 5
[workload.prefix]
count = 2
tokens = 64
[workload.arrival]
rate = 2
[workload.input]
type = "lognormal"
mean = 300
std = 20
[workload.output]
type = "fixed"
mean = 5
[[workload.client]]
share = 0.5
[[workload.client]]
share = 0.5
slo = { ttft_ms = 9.0 }
[[strategy]]
name = "plain"
[[strategy]]
name = "int4 on two"
[strategy.model]
weights = "int4"
[strategy.hardware]
tp = 2
[sweep]
"workload.arrival.rate" = [2, 3]
`
	e := experiment(t, text)
	plain := results.Deployment{Model: "llama-3.1-8b", Weights: "bf16", Accelerator: "h100-sxm", Engine: "vllm-v1", TP: 1, PP: 1, DP: 1, EP: 1, Replicas: 1}
	own := plain
	own.Weights, own.TP = "int4", 2
	facts := e.facts()
	if facts.Deployment != plain || facts.Strategies[0] != plain || facts.Strategies[1] != own {
		t.Errorf("the deployments are %+v, and those of the strategies %+v", facts.Deployment, facts.Strategies)
	}
	want := results.Traffic{Input: results.Lengths{Law: "lognormal", Mean: 300}, Output: results.Lengths{Law: "fixed", Mean: 5},
		SharedPrefix: 64, Rate: 2, OwnObjectives: true}
	if facts.Traffic.Process = ""; facts.Traffic != want { // the default, where it is not written
		t.Errorf("the traffic is %+v, want %+v", facts.Traffic, want)
	}
	if experiment(t, strings.Replace(text, "slo = { ttft_ms = 9.0 }", "", 1)).facts().Traffic.OwnObjectives {
		t.Error("clients without bounds have objectives of their own")
	}
}

// TestForeseen: a warning says whom it concerns, unless that is everybody.
func TestForeseen(t *testing.T) {
	e := experiment(t, small)
	all := results.Warning{Kind: results.EnergyEstimated, Text: "all"}
	strategy := results.Warning{Kind: results.Estimated, Text: "b"}
	point := results.Warning{Kind: results.Estimated, Text: "a at 2"}
	for i, warnings := range [][]results.Warning{{all}, {all, strategy}, {all, point}, {strategy, all}} {
		e.cells[i].warnings = warnings
	}
	p := e.Plan()
	var got []string
	for _, w := range p.Foreseen {
		names := []string{w.Text}
		for _, where := range w.Where {
			names = append(names, where.Name)
		}
		got = append(got, strings.Join(names, ": "))
	}
	if want := "all; b: b; a at 2: a, request rate = 2"; strings.Join(got, "; ") != want {
		t.Errorf("foreseen are %q, want %q", got, want)
	}
}

// TestSweptDeployments: where a sweep changes what a strategy runs on, the point says so, and a
// strategy's own hardware wins over the sweep. An accelerator of one's own has a name.
func TestSweptDeployments(t *testing.T) {
	const text = `
title = "swept"
[model]
name = "llama-3.1-8b"
[hardware.custom]
like = "h100-sxm"
[workload]
num_requests = 5
arrival = { rate = 2 }
input = { type = "fixed", mean = 5 }
output = { type = "fixed", mean = 5 }
[[strategy]]
name = "swept"
[[strategy]]
name = "own"
[strategy.hardware]
tp = 2
replicas = 3
[sweep]
"hardware.tp" = [1, 4]
`
	e := experiment(t, text)
	base := results.Deployment{Model: "llama-3.1-8b", Weights: "bf16", Accelerator: "custom", Engine: "vllm-v1", TP: 1, PP: 1, DP: 1, EP: 1, Replicas: 1}
	own, swept := base, base
	own.TP, own.Replicas = 2, 3
	swept.TP = 4
	if got, want := e.facts().Strategies, []results.Deployment{base, own}; !slices.Equal(got, want) {
		t.Errorf("at the first point %+v, want %+v", got, want)
	}
	points := e.plannedPoints()
	if want := []results.Deployment{swept, own}; points[0].Deployments != nil || !slices.Equal(points[1].Deployments, want) {
		t.Errorf("at the points %+v, want none and %+v", points, want)
	}
}
