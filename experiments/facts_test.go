package experiments

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/units"
	"kneepoint/workloads"
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
type = "uniform"
min = 3
max = 7
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
	want := results.Traffic{Input: results.Lengths{Law: "lognormal", Mean: 300}, Output: results.Lengths{Law: "uniform", Mean: 5},
		SharedPrefix: 64, Rate: 2, OwnObjectives: true}
	if facts.Traffic.Process = ""; facts.Traffic != want { // the default, where it is not written
		t.Errorf("the traffic is %+v, want %+v", facts.Traffic, want)
	}
	arrivals := strings.Replace(text, "[workload.arrival]\nrate = 2\n", "", 1)
	arrivals = strings.ReplaceAll(arrivals, "share = 0.5", "arrival = { rate = 1 }")
	arrivals = strings.Replace(arrivals, `"workload.arrival.rate"`, `"workload.input.mean"`, 1)
	if traffic := experiment(t, arrivals).facts().Traffic; !traffic.OwnArrivals {
		t.Errorf("clients with arrivals of their own: %+v", traffic)
	}
	if experiment(t, strings.Replace(text, "slo = { ttft_ms = 9.0 }", "", 1)).facts().Traffic.OwnObjectives {
		t.Error("clients without bounds have objectives of their own")
	}
}

// TestTrafficFacts: how requests come is in the facts.
func TestTrafficFacts(t *testing.T) {
	for _, c := range []struct {
		spec workloads.Spec
		want results.Traffic
	}{
		{workloads.Spec{Arrival: &workloads.ArrivalSpec{Process: "closed", Concurrency: 3}}, results.Traffic{Process: "closed", Concurrency: 3}},
		{workloads.Spec{Arrival: &workloads.ArrivalSpec{Process: "gamma", Rate: 2, Burstiness: 0.5, MaxConcurrency: 9}},
			results.Traffic{Process: "gamma", Rate: 2, Burstiness: 0.5, MaxConcurrency: 9}},
		{workloads.Spec{Arrival: &workloads.ArrivalSpec{Rate: workloads.Rate(math.Inf(1))}}, results.Traffic{}},
		{workloads.Spec{Trace: &workloads.TraceSpec{Path: "a.csv"}}, results.Traffic{Trace: "a.csv"}},
		{workloads.Spec{Name: "sharegpt", Session: &workloads.SessionSpec{Users: 4}}, results.Traffic{Workload: "sharegpt", Conversations: true, Users: 4}},
		{workloads.Spec{Arrival: &workloads.ArrivalSpec{Process: "gamma", Stages: []workloads.StageSpec{{Rate: 3, Duration: 9}, {Duration: 9}, {Rate: 5, Duration: 9}}}},
			results.Traffic{Process: "gamma", Profile: "stages", HighestRate: 5, Stages: 3}},
		{workloads.Spec{Arrival: &workloads.ArrivalSpec{Process: "poisson", Rate: 6, Hourly: []float64{3, 1, 2}}},
			results.Traffic{Process: "poisson", Rate: 6, Profile: "hourly", LowestRate: 3, HighestRate: 9}},
		{workloads.Spec{Arrival: &workloads.ArrivalSpec{Ramp: &workloads.RampSpec{Strategy: "linear", StartRPS: 9, EndRPS: 2}}},
			results.Traffic{Profile: "ramp", LowestRate: 2, HighestRate: 9}},
		{workloads.Spec{Client: []workloads.ClientSpec{{}, {Arrival: &workloads.ArrivalSpec{Stages: []workloads.StageSpec{{Rate: 3, Duration: 9}}}}}},
			results.Traffic{OwnArrivals: true, Profile: "stages"}},
		{workloads.Spec{Client: []workloads.ClientSpec{{Arrival: &workloads.ArrivalSpec{}}, {}}}, results.Traffic{OwnArrivals: true}},
	} {
		if got := trafficFacts(&c.spec, drawnMean); got != c.want {
			t.Errorf("%+v is told as %+v, want %+v", c.spec, got, c.want)
		}
	}
}

// TestTrafficOfPoints: a point has traffic of its own where that is swept, whatever the number of
// strategies.
func TestTrafficOfPoints(t *testing.T) {
	e := experiment(t, strings.Replace(small, `"workload.arrival.rate" = [1, 2]`, `"workload.output.mean" = [5, 6, 7]`, 1))
	for i, p := range e.Plan().Points {
		switch {
		case i == 0 && p.Traffic != nil:
			t.Errorf("the first point differs from itself: %+v", p.Traffic)
		case i > 0 && (p.Traffic == nil || p.Traffic.Output.Mean != float64(5+i)):
			t.Errorf("point %d has the traffic %+v", i, p.Traffic)
		}
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

// TestWarningsOfAssumptions: there is one of estimated times, one of energy, and none of
// measured ones.
func TestWarningsOfAssumptions(t *testing.T) {
	for _, c := range []struct {
		rests scenario.Assumptions
		want  string
	}{
		{scenario.Assumptions{}, ""},
		{scenario.Assumptions{Times: []string{"a", "b"}}, "estimated: a; b|"},
		{scenario.Assumptions{Energy: "c"}, "energy_estimated: c|"},
		{scenario.Assumptions{Times: []string{"a"}, Energy: "c"}, "estimated: a|energy_estimated: c|"},
	} {
		got := ""
		for _, w := range warningsOf(c.rests) {
			got += string(w.Kind) + ": " + w.Text + "|"
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.rests, got, c.want)
		}
	}
}

// TestPrefixWarnings: of built-in workloads those say what a prefix cache would find that know
// something of it, and only with a cache.
func TestPrefixWarnings(t *testing.T) {
	for _, name := range workloads.Names() {
		about, err := workloads.Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, caching := range []bool{false, true} {
			s := Spec{Workload: workloads.Spec{Name: name}, Strategies: []StrategySpec{{KV: KVSpec{EnablePrefixCaching: &caching}}}}
			if got, want := len(s.prefixWarnings()) > 0, caching && about.Repeats > 0; got != want {
				t.Errorf("%s, cached: %t: warns %t, want %t", name, caching, got, want)
			}
		}
	}
	caching := true
	for name, s := range map[string]Spec{
		"an engine's default": {Workload: workloads.Spec{Name: "mooncake-conversation"}, Strategies: make([]StrategySpec, 1)},
		"prefixes":            {Workload: workloads.Spec{Name: "mooncake-conversation", Prefix: &workloads.PrefixSpec{}}},
		"conversations":       {Workload: workloads.Spec{Name: "mooncake-conversation", Session: &workloads.SessionSpec{}}},
		"a trace":             {Workload: workloads.Spec{Name: "mooncake-conversation", Trace: &workloads.TraceSpec{}}},
	} {
		if s.Strategies == nil {
			s.Strategies = []StrategySpec{{KV: KVSpec{EnablePrefixCaching: &caching}}}
		}
		if got := s.prefixWarnings(); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestTrafficWarnings: runs that are shorter than ten times the time over which the rate remembers
// say so, and so do clients who all think for the same time.
func TestTrafficWarnings(t *testing.T) {
	drifting := func(tau units.Seconds) workloads.Spec {
		modulation := &workloads.ModulationSpec{CV: 0.2, Tau: tau}
		return workloads.Spec{NumRequests: 100, Arrival: &workloads.ArrivalSpec{Rate: 1, Modulation: modulation}}
	}
	alike := workloads.Spec{Arrival: &workloads.ArrivalSpec{Process: "closed", Concurrency: 2,
		ThinkTime: workloads.ThinkTime{Type: "fixed", Mean: 3}}}
	for _, c := range []struct {
		name string
		spec workloads.Spec
		want []results.Kind
	}{
		{"steady", workloads.Spec{NumRequests: 100, Arrival: &workloads.ArrivalSpec{Rate: 1}}, nil},
		{"drifts fast", drifting(10), nil},
		{"drifts slowly", drifting(10.1), []results.Kind{results.ShortRun}},
		{"thinks alike", alike, []results.Kind{results.ConstantThinkTime}},
	} {
		var got []results.Kind
		for _, w := range trafficWarnings(&c.spec) {
			got = append(got, w.Kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
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
	own.TP, own.Replicas, own.Fleet = 2, 3, "3 replicas of 2 × custom"
	swept.TP = 4
	if got, want := e.facts().Strategies, []results.Deployment{base, own}; !slices.Equal(got, want) {
		t.Errorf("at the first point %+v, want %+v", got, want)
	}
	points := e.plannedPoints()
	if want := []results.Deployment{swept, own}; points[0].Deployments != nil || !slices.Equal(points[1].Deployments, want) {
		t.Errorf("at the points %+v, want none and %+v", points, want)
	}
}

// TestMeansAreOfTheirLaw: each law has its own mean, also where others were asked for before, more than are kept.
func TestMeansAreOfTheirLaw(t *testing.T) {
	s := newShared(nil, nil)
	for i := range 3 * mostMeans {
		law := &workloads.LengthSpec{Type: "empirical", Quantiles: []float64{2, float64(4 + 2*(i%(mostMeans+2)))}}
		for range 2 {
			if got, want := s.drawnMean(law), drawnMean(law); got != want {
				t.Errorf("law %d has mean %v, want %v", i, got, want)
			}
		}
		if len(s.means) > mostMeans {
			t.Errorf("%d means are kept", len(s.means))
		}
	}
}
