package plots

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestFleetNotes: captions say how many replicas there are, once where all strategies have the same, and not of those that are
// swept or left out.
func TestFleetNotes(t *testing.T) {
	deployments := func(fleets ...string) []results.Deployment {
		all := make([]results.Deployment, len(fleets))
		for i, fleet := range fleets {
			all[i].Fleet = fleet
		}
		return all
	}
	res := madeUp(rates, chatSLO, static)
	res.Strategies, res.Points = []string{"a", "b"}, make([]results.PlannedPoint, 2)
	res.Series = []results.Series{{Strategy: "a", Points: res.Series[0].Points}, {Strategy: "b", Points: res.Series[0].Points}}
	for _, c := range []struct{ first, second, want []string }{
		{[]string{"", ""}, nil, nil},
		{[]string{"4 replicas", "4 replicas"}, nil, []string{"fleet: 4 replicas"}},
		{[]string{"4 replicas", "5 replicas"}, nil, []string{"a: 4 replicas", "b: 5 replicas"}},
		{[]string{"", "5 replicas"}, nil, []string{"b: 5 replicas"}},
		{[]string{"4 replicas", "5 replicas"}, []string{"4 replicas", "6 replicas"}, []string{"a: 4 replicas"}},
	} {
		res.Facts.Strategies, res.Points[1].Deployments = deployments(c.first...), nil
		if c.second != nil {
			res.Points[1].Deployments = deployments(c.second...)
		}
		if got := fleetNotes(res); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.first, got, c.want)
		}
		if all := notes(res, ""); len(c.want) > 0 && !slices.Contains(all, c.want[0]) {
			t.Errorf("%q are not among the notes %q", c.want, all)
		}
	}
	res.Strategies, res.Series = append(res.Strategies, "c"), append(res.Series, results.Series{Strategy: "c"})
	res.Facts.Strategies, res.Points = deployments("4 replicas", "5 replicas", "4 replicas"), nil
	if got, want := fleetNotes(res), []string{"a; c: 4 replicas", "b: 5 replicas"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	res.Series = res.Series[1:2]
	if got, want := fleetNotes(res), []string{"fleet: 5 replicas"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSubtitle(t *testing.T) {
	res := madeUp(rates, chatSLO, static)
	if got, want := subtitle(res, "goodput"), "goodput · llama-3.1-8b, bf16 · h100-sxm · azure-conv-2023"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	res.Facts.TP, res.Facts.Replicas = 4, 2
	if got := subtitle(res, "goodput"); !strings.Contains(got, "8 × h100-sxm") {
		t.Errorf("tp 4 and 2 replicas: %q", got)
	}
	res.Facts.TP = 0
	if got := subtitle(res, "goodput"); !strings.Contains(got, "· h100-sxm ·") {
		t.Errorf("pools that differ in tp: %q", got)
	}
	own := res.Facts.Deployment
	own.Weights = "int4"
	res.Facts.Strategies = []results.Deployment{res.Facts.Deployment, own}
	if got := subtitle(res, "goodput"); strings.Contains(got, "bf16") {
		t.Errorf("a strategy in int4: %q", got)
	}
	res.Facts = results.Facts{}
	if got := subtitle(res, "goodput"); got != "goodput" {
		t.Errorf("without facts: %q", got)
	}
}

func TestNotes(t *testing.T) {
	res := madeUp(rates, chatSLO, static, server{"slow", 0.1, 900, 20})
	res.Warnings = []results.Warning{{Kind: results.Estimated, Text: "kernels of b300"}, {Kind: results.Estimated, Text: "kernels of tpu-v6e"},
		{Kind: results.EnergyEstimated, Text: "power of b300"}, {Kind: results.FewRequests, Text: "few requests"}}
	notes := figureOf(t, res, "ttft-p90").Notes
	for _, want := range []string{"kneepoint 0.1.0", "3 seeds", "band = 95 % CI", "SLO not met at any point: slow",
		"hollow, dashed: saturated, latency grows with run length", "estimated: kernels of b300", "estimated: kernels of tpu-v6e", "few requests"} {
		if !slices.Contains(notes, want) {
			t.Errorf("no note %q in %q", want, notes)
		}
	}
}

func TestSubtitleNamesTheTraffic(t *testing.T) {
	fixed, law := results.Lengths{Law: "fixed", Mean: 512}, results.Lengths{Law: "lognormal", Mean: 200}
	tests := []struct {
		name    string
		traffic results.Traffic
		swept   string
		want    string
	}{
		{"rate", results.Traffic{Workload: "bwb", Process: "poisson", Rate: 8}, "", "bwb · 8 req/s"},
		{"bursts", results.Traffic{Workload: "bwb", Process: "gamma", Rate: 8}, "", "bwb · gamma 8 req/s"},
		{"rate on the axis", results.Traffic{Workload: "bwb", Process: "gamma", Rate: 8}, "workload.arrival.rate", "bwb · gamma arrivals"},
		{"plain", results.Traffic{Workload: "bwb", Process: "poisson", Rate: 8}, "workload.arrival.rate", "bwb"},
		{"stages", results.Traffic{Process: "poisson", Profile: "stages", LowestRate: 1, HighestRate: 20, Stages: 4}, "", "1 to 20 req/s in 4 stages"},
		{"swept stages", results.Traffic{Process: "gamma", Profile: "stages", LowestRate: 1, HighestRate: 20, Stages: 4}, "workload.arrival.stages", "gamma stages"},
		{"a day", results.Traffic{Process: "gamma", Rate: 8, Profile: "hourly", LowestRate: 1.2345, HighestRate: 20}, "", "gamma 1.23 to 20 req/s by the hour"},
		{"the rate of a day", results.Traffic{Process: "poisson", Rate: 8, Profile: "hourly", LowestRate: 1, HighestRate: 20}, "workload.arrival.rate", "by the hour"},
		{"ramp", results.Traffic{Process: "poisson", Profile: "ramp", LowestRate: 1, HighestRate: 20}, "", "ramp 1 to 20 req/s"},
		{"clients", results.Traffic{Workload: "bwb", Process: "closed", Concurrency: 64}, "", "bwb · 64 clients"},
		{"one client", results.Traffic{Workload: "bwb", Process: "closed", Concurrency: 1}, "", "bwb · 1 client"},
		{"mixture", results.Traffic{Input: results.Lengths{Law: "lognormal_mix", Mean: 300}}, "", "prompts lognormal mix 300 tok"},
		{"own lengths", results.Traffic{Input: fixed, Output: law}, "", "prompts 512 tok, outputs lognormal 200 tok"},
		{"exact lengths", results.Traffic{Input: results.Lengths{Law: "fixed", Mean: 4096}}, "", "prompts 4,096 tok"},
		{"shared prefix", results.Traffic{Input: fixed, SharedPrefix: 2000}, "", "prompts 2,000 shared + 512 tok"},
		{"swept length", results.Traffic{Input: fixed, Output: law}, "workload.input.mean", "outputs lognormal 200 tok"},
		{"conversations", results.Traffic{Conversations: true, Process: "poisson", Rate: 0.5}, "", "0.5 conv/s"},
		{"users", results.Traffic{Conversations: true, Users: 30}, "", "30 users"},
		{"trace", results.Traffic{Trace: "a/conv.csv", Process: "trace"}, "", "conv.csv · its own arrivals"},
	}
	for _, tt := range tests {
		res := madeUp(rates, chatSLO, static)
		res.Facts.Traffic = tt.traffic
		res.Sweep[0].Path = tt.swept
		if got := subtitle(res, "goodput"); !strings.HasSuffix(got, "h100-sxm · "+tt.want) {
			t.Errorf("%s: %q does not end in %q", tt.name, got, tt.want)
		}
	}
}

func TestNotesStateTheObjective(t *testing.T) {
	res := madeUp(rates, chatSLO, static)
	if want := "SLO: TTFT ≤ 500 ms, TPOT ≤ 50 ms"; !slices.Contains(notes(res, ""), want) {
		t.Errorf("no note %q in %q", want, notes(res, ""))
	}
	res.Sweep[0].Path = "slo.ttft_ms"
	if got, want := objective(res), "SLO: TPOT ≤ 50 ms"; got != want {
		t.Errorf("with a bound that is swept: %q, want %q", got, want)
	}
	for _, f := range Figures(res) {
		if body, ok := f.body.(*curvePlot); ok && f.Name == "ttft-p90" && body.targets != nil {
			t.Errorf("a bound that is swept is drawn: %v", body.targets)
		}
	}
	if got := objective(madeUp(rates, results.SLO{Attainment: 0.9}, static)); got != "" {
		t.Errorf("without an objective: %q", got)
	}
	res = madeUp(rates, chatSLO, static)
	res.Facts.Traffic.OwnObjectives = true
	if got, want := objective(res), "SLO: TTFT ≤ 500 ms, TPOT ≤ 50 ms, clients' own"; got != want {
		t.Errorf("with a client's own: %q, want %q", got, want)
	}
}

func TestNotesNameZippedVariables(t *testing.T) {
	res := madeUp(rates[:3], chatSLO, static)
	res.Sweep = append(res.Sweep, results.Axis{Path: "hardware.tp", Label: "tensor parallelism", Values: swept(1, 2, 4)})
	note := "along with it, tensor parallelism 1, 2, 4"
	if notes := Figures(res)[0].Notes; slices.Contains(notes, note) {
		t.Errorf("a product has the note %q", note)
	}
	res.Zipped = true
	if notes := Figures(res)[0].Notes; !slices.Contains(notes, note) {
		t.Errorf("no note %q in %q", note, notes)
	}
}
