package plots

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

func TestClaimsFromKnees(t *testing.T) {
	known := func(name string, v float64) limit { return limit{name: name, kind: results.KneeInterpolated, value: v} }
	beyond := func(name string, v float64) limit { return limit{name: name, kind: results.KneeBeyond, value: v} }
	below := func(name string, v float64) limit { return limit{name: name, kind: results.KneeBelow, value: v} }
	tests := []struct {
		limits       []limit
		upTo, ratios string
	}{
		{[]limit{known("static", 5.1), known("continuous", 14.2)},
			"SLO met up to 14.2 req/s with continuous, 5.1 with static", "Within the SLO, continuous serves 2.8× the load of static"},
		{[]limit{known("static", 5.1), beyond("continuous", 32)},
			"SLO met up to at least 32 req/s with continuous, 5.1 with static", "Within the SLO, continuous serves at least 6.3× the load of static"},
		{[]limit{known("static", 0.14), known("continuous", 20)},
			"SLO met up to 20 req/s with continuous, 0.14 with static", ""},
		{[]limit{below("static", 1), known("continuous", 14.2)},
			"SLO met up to 14.2 req/s with continuous, never with static", ""},
		{[]limit{beyond("static", 32), beyond("continuous", 32)},
			"SLO met over the whole sweep, up to 32 req/s", ""},
		{[]limit{below("static", 1), below("continuous", 1)}, "SLO met at no swept request rate", ""},
		{[]limit{known("static", 5)}, "SLO met up to 5 req/s", ""},
		{[]limit{known("static", 5), known("continuous", 5.1)}, "SLO met up to 5.1 req/s with continuous, 5 with static", ""},
		{[]limit{{name: "static", kind: results.KneeInterpolated, value: 12, tied: []string{"continuous"}}, known("continuous", 14)},
			"SLO met up to 14 req/s with continuous, not distinguishable with static", ""},
		{[]limit{{name: "a", kind: results.KneeInterpolated, value: 14, tied: []string{"d"}}, below("b", 1), known("c", 10),
			{name: "d", kind: results.KneeInterpolated, value: 14.1, tied: []string{"a"}}},
			"SLO met up to 14.1 req/s with a and d, never with b", ""},
		{[]limit{known("a", 14), known("b", 3), {name: "c", kind: results.KneeBelow, value: 1, tied: []string{"d", "e"}},
			{name: "d", kind: results.KneeBelow, value: 1, tied: []string{"c", "e"}}, {name: "e", kind: results.KneeBelow, value: 1, tied: []string{"c", "d"}}},
			"SLO met up to 14 req/s with a, never with c and 2 others", ""},
		{nil, "", ""},
	}
	s, _ := newSweep(madeUp(rates, chatSLO, static))
	for _, tt := range tests {
		if got := upTo("SLO met", tt.limits, s); got != tt.upTo {
			t.Errorf("upTo(%v) = %q, want %q", tt.limits, got, tt.upTo)
		}
		if got := timesTheLoad(tt.limits, s); got != tt.ratios {
			t.Errorf("timesTheLoad(%v) = %q, want %q", tt.limits, got, tt.ratios)
		}
	}
}

func TestClaimsOfWhatIsCounted(t *testing.T) {
	res := madeUp(rates, chatSLO, static)
	res.Sweep[0].Path, res.Sweep[0].Label, res.Sweep[0].Unit = "workload.arrival.concurrency", "concurrent clients", ""
	s, _ := newSweep(res)
	for _, tt := range []struct {
		kind results.KneeKind
		want string
	}{
		{results.KneeInterpolated, "SLO met up to 5.1 concurrent clients"},
		{results.KneeBelow, "SLO met at no swept number of concurrent clients"},
	} {
		if got := upTo("SLO met", []limit{{name: "static", kind: tt.kind, value: 5.1}}, s); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestNoClaimOfLoadOverOtherVariables(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	res.Sweep[0].Path = "strategy.static.max_num_seqs"
	res.Sweep[0].Label, res.Sweep[0].Unit = "batch size", ""
	for _, f := range Figures(res) {
		if strings.Contains(f.Title, "up to") || strings.Contains(f.Title, "the load of") {
			t.Errorf("%s claims %q", f.Name, f.Title)
		}
	}
}

func TestReaches(t *testing.T) {
	known := func(name string, mean, half float64) peak {
		return peak{name, metrics.Estimate{Mean: mean, Half: half, N: 3}}
	}
	tests := []struct {
		peaks []peak
		want  string
	}{
		{[]peak{known("b", 4123, 10), known("a", 1600, 10)}, "Output throughput reaches 4,120 tok/s with b, 2.6× a"},
		{[]peak{known("b", 4123, 10), known("a", 4100, 10)}, "Output throughput reaches 4,120 tok/s"},
		{[]peak{known("b", 1049, 0), known("a", 1000, 0)}, "Output throughput reaches 1,050 tok/s"},
		{[]peak{known("b", 1060, 0), known("a", 1000, 0)}, "Output throughput reaches 1,060 tok/s with b, 1.1× a"},
		{[]peak{known("b", 4000, 900), known("a", 3000, 900)}, "Output throughput reaches 4,000 tok/s"},
		{[]peak{known("b", 4000, 9), known("a", 27.6, 0)}, "Output throughput reaches 4,000 tok/s with b, 27.6 tok/s with a"},
		{[]peak{known("b", 4000, 9), known("a", 0, 0)}, "Output throughput reaches 4,000 tok/s with b, 0 tok/s with a"},
		{[]peak{known("b", 4000, 9)}, "Output throughput reaches 4,000 tok/s"},
		{[]peak{known("b", 0, 0)}, ""},
		{nil, ""},
	}
	for _, tt := range tests {
		if got := reaches("Output throughput", "tok/s", tt.peaks); got != tt.want {
			t.Errorf("reaches(%v) = %q, want %q", tt.peaks, got, tt.want)
		}
	}
}

// TestFleetNotes: captions say how many replicas there are, once where all strategies have the same, and not of those that are
// swept.
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

// TestCurvesOfZerosAreNamed: whole answers have a TPOT of 0, for which there is no
// place on a logarithmic axis.
func TestCurvesOfZerosAreNamed(t *testing.T) {
	res := madeUp(rates, chatSLO, static, server{"slow", 5.5, 160, 900}, server{"whole", 15, 60, 0})
	logarithmic := 0
	for _, f := range Figures(res) {
		body, curves := f.body.(*curvePlot)
		if !curves {
			continue
		}
		wanted := f.Name == "tpot-p90" && isLog(body.y) || f.Name == "throughput-vs-tpot" && isLog(body.x)
		if wanted {
			logarithmic++
		}
		if slices.Contains(f.Notes, "whole: 0, off the scale") != wanted {
			t.Errorf("%s: %q", f.Name, f.Notes)
		}
	}
	if logarithmic != 2 {
		t.Errorf("%d of two figures of TPOT are logarithmic", logarithmic)
	}
}

// TestCoveredCurvesAreNamed: a strategy that changes nothing up to some load hides
// the one below it.
func TestCoveredCurvesAreNamed(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous, continuous, continuous)
	for i, name := range []string{"static", "paged", "offload", "same"} {
		res.Series[i].Strategy, res.Series[i].Label = name, name
	}
	late := res.Series[2].Points[4].Metrics
	for key, e := range late {
		late[key] = metrics.Estimate{Mean: 0.5 * e.Mean, Half: e.Half, N: e.N}
	}
	for _, f := range Figures(res) {
		var got []string
		for _, note := range f.Notes {
			if strings.Contains(note, "lies on") {
				got = append(got, note)
			}
		}
		var want []string
		if slices.Contains([]string{"ttft-p90", "tpot-p90", "throughput-vs-tpot"}, f.Name) {
			want = []string{"offload lies on paged up to 8 req/s", "same lies on paged"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", f.Name, got, want)
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
		{"own lengths", results.Traffic{Input: fixed, Output: law}, "", "prompts 512 tok, outputs lognormal 200 tok"},
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

func TestNoClaimFromSaturation(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous) // both saturate, and stay below the bound
	for _, f := range Figures(res) {
		if f.Name == "tpot-p90" && strings.Contains(f.Title, "within") {
			t.Errorf("a saturated service claims %q", f.Title)
		}
	}
}

func TestCategoriesAreNotJoined(t *testing.T) {
	res := madeUp([]any{"a100-sxm-80", "h100-sxm", "l40s"}, chatSLO, static, continuous)
	res.Sweep[0] = results.Axis{Path: "hardware.accelerator", Label: "accelerator", Values: res.Sweep[0].Values}
	for _, f := range Figures(res) {
		body, ok := f.body.(*curvePlot)
		if !ok || !body.apart {
			t.Errorf("%s joins categories", f.Name)
			continue
		}
		if a, b := body.curves[0].dots[1].x, body.curves[1].dots[1].x; !(a < 1 && 1 < b) {
			t.Errorf("%s: marks of the second category at %g and %g, not on both sides of 1", f.Name, a, b)
		}
		if strings.Contains(f.Title, "every strategy") || !slices.Contains(f.Notes, "whisker = 95 % CI") {
			t.Errorf("%s: %q, %q", f.Name, f.Title, f.Notes)
		}
	}
}
