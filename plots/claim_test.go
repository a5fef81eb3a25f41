package plots

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/sim/metrics"
)

func TestClaimsFromKnees(t *testing.T) {
	known := func(name string, v float64) limit { return limit{name, experiments.KneeInterpolated, v} }
	beyond := func(name string, v float64) limit { return limit{name, experiments.KneeBeyond, v} }
	below := func(name string, v float64) limit { return limit{name, experiments.KneeBelow, v} }
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
		{nil, "", ""},
	}
	s, _ := newSweep(results(rates, chatSLO, static))
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
	res := results(rates, chatSLO, static)
	res.Sweep[0].Path, res.Sweep[0].Label, res.Sweep[0].Unit = "workload.arrival.concurrency", "concurrent clients", ""
	s, _ := newSweep(res)
	for _, tt := range []struct {
		kind experiments.KneeKind
		want string
	}{
		{experiments.KneeInterpolated, "SLO met up to 5.1 concurrent clients"},
		{experiments.KneeBelow, "SLO met at no swept number of concurrent clients"},
	} {
		if got := upTo("SLO met", []limit{{"static", tt.kind, 5.1}}, s); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestNoClaimOfLoadOverOtherVariables(t *testing.T) {
	res := results(rates, chatSLO, static, continuous)
	res.Sweep[0].Path = "strategy.static.max_num_seqs"
	res.Sweep[0].Label, res.Sweep[0].Unit = "batch size", ""
	for _, f := range Default(res) {
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
		{[]peak{known("b", 4123, 10), known("a", 4100, 10)}, "Output throughput reaches about 4,120 tok/s with every strategy"},
		{[]peak{known("b", 4000, 900), known("a", 3000, 900)}, "Output throughput reaches about 4,000 tok/s with every strategy"},
		{[]peak{known("b", 4000, 9), known("a", 0, 0)}, "Output throughput reaches 4,000 tok/s with b, 0 with a"},
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

func TestBoundLimits(t *testing.T) {
	s := sweep{numbers: []float64{1, 2, 3, 4}}
	line := func(y ...float64) curve {
		var c curve
		for i, v := range y {
			c.dots = append(c.dots, dot{swept: float64(i + 1), y: v})
		}
		return c
	}
	tests := []struct {
		curve curve
		kind  experiments.KneeKind
		value float64
	}{
		{line(10, 20, 40, 60), experiments.KneeInterpolated, 3.5},
		{line(10, 20, 30, 40), experiments.KneeBeyond, 4},
		{line(60, 70, 80, 90), experiments.KneeBelow, 1},
		{line(10, 60, 20, 20), experiments.KneeInterpolated, 1.8}, // not met again later
	}
	for _, tt := range tests {
		l, ok := boundLimit(tt.curve, scale{min: 0, max: 100}, s, 50)
		if !ok || l.kind != tt.kind || l.value-tt.value > 1e-9 || tt.value-l.value > 1e-9 {
			t.Errorf("%v: %+v, %t; want %s at %g", tt.curve.dots, l, ok, tt.kind, tt.value)
		}
	}
}

func TestSubtitle(t *testing.T) {
	res := results(rates, chatSLO, static)
	if got, want := subtitle(res, "goodput"), "goodput · llama-3.1-8b, bf16 · h100-sxm · azure-conv-2023"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	res.Experiment["hardware"] = map[string]any{"accelerator": "h100-sxm", "tp": 4.0, "replicas": int64(2)}
	if got := subtitle(res, "goodput"); !strings.Contains(got, "8 × h100-sxm") {
		t.Errorf("tp 4 and 2 replicas: %q", got)
	}
	res.Experiment["strategy"] = []any{map[string]any{"model": map[string]any{"weights": "int4"}}}
	if got := subtitle(res, "goodput"); strings.Contains(got, "bf16") {
		t.Errorf("a strategy in int4: %q", got)
	}
	res.Experiment = nil
	if got := subtitle(res, "goodput"); got != "goodput" {
		t.Errorf("without an experiment: %q", got)
	}
}

func TestNotes(t *testing.T) {
	res := results(rates, chatSLO, static, server{"slow", 0.1, 900, 20})
	res.Warnings = []string{"estimated: kernels of b300", "estimated: kernels of tpu-v6e", "requests were rejected"}
	notes := Default(res)[0].Notes
	for _, want := range []string{"kneepoint 0.1.0", "3 seeds", "band = 95 % CI", "SLO not met at any point: slow",
		"hollow, dashed: saturated, latency grows with run length", "estimated: kernels of b300", "estimated: kernels of tpu-v6e", "requests were rejected"} {
		if !slices.Contains(notes, want) {
			t.Errorf("no note %q in %q", want, notes)
		}
	}
}

// TestCurvesOfZerosAreNamed: whole answers have a TPOT of 0, for which there is no
// place on a logarithmic axis.
func TestCurvesOfZerosAreNamed(t *testing.T) {
	res := results(rates, chatSLO, static, server{"slow", 5.5, 160, 900}, server{"whole", 15, 60, 0})
	logarithmic := 0
	for _, f := range Default(res) {
		plot := f.body.(*curvePlot)
		wanted := f.Name == "tpot-p99" && plot.y.log || f.Name == "throughput-vs-tpot" && plot.x.log
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
	res := results(rates, chatSLO, static, continuous, continuous, continuous)
	for i, name := range []string{"static", "paged", "offload", "same"} {
		res.Series[i].Strategy, res.Series[i].Label = name, name
	}
	late := res.Series[2].Points[4].Metrics
	for key, e := range late {
		late[key] = metrics.Estimate{Mean: 0.5 * e.Mean, Half: e.Half, N: e.N}
	}
	for _, f := range Default(res) {
		var got []string
		for _, note := range f.Notes {
			if strings.Contains(note, "lies on") {
				got = append(got, note)
			}
		}
		var want []string
		if slices.Contains([]string{"ttft-p99", "tpot-p99", "throughput-vs-tpot"}, f.Name) {
			want = []string{"offload lies on paged up to 8 req/s", "same lies on paged"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", f.Name, got, want)
		}
	}
}

func TestSubtitleNamesTheTraffic(t *testing.T) {
	fixed := map[string]any{"type": "fixed", "mean": int64(512)}
	law := map[string]any{"type": "lognormal", "mean": 200.0, "std": 100.0}
	tests := []struct {
		name     string
		workload map[string]any
		swept    string
		want     string
	}{
		{"rate", map[string]any{"name": "bwb", "arrival": map[string]any{"process": "poisson", "rate": 8.0}}, "", "bwb · 8 req/s"},
		{"bursts", map[string]any{"name": "bwb", "arrival": map[string]any{"process": "gamma", "rate": 8.0}}, "", "bwb · gamma 8 req/s"},
		{"rate on the axis", map[string]any{"name": "bwb", "arrival": map[string]any{"process": "gamma", "rate": 8.0}}, "workload.arrival.rate", "bwb · gamma arrivals"},
		{"plain", map[string]any{"name": "bwb", "arrival": map[string]any{"process": "poisson", "rate": 8.0}}, "workload.arrival.rate", "bwb"},
		{"clients", map[string]any{"name": "bwb", "arrival": map[string]any{"process": "closed", "concurrency": int64(64)}}, "", "bwb · 64 clients"},
		{"own lengths", map[string]any{"input": fixed, "output": law}, "", "prompts 512 tok, outputs lognormal 200 tok"},
		{"shared prefix", map[string]any{"input": fixed, "prefix": map[string]any{"count": int64(5), "tokens": int64(2000)}}, "", "prompts 2,000 shared + 512 tok"},
		{"swept length", map[string]any{"input": fixed, "output": law}, "workload.input.mean", "outputs lognormal 200 tok"},
		{"conversations", map[string]any{"session": map[string]any{"turns": int64(4)}, "arrival": map[string]any{"process": "poisson", "rate": 0.5}}, "", "0.5 conv/s"},
		{"users", map[string]any{"session": map[string]any{"turns": int64(4), "users": int64(30)}}, "", "30 users"},
		{"trace", map[string]any{"trace": map[string]any{"path": "a/conv.csv"}, "arrival": map[string]any{"process": "trace"}}, "", "conv.csv · its own arrivals"},
	}
	for _, tt := range tests {
		res := results(rates, chatSLO, static)
		res.Experiment["workload"] = tt.workload
		res.Sweep[0].Path = tt.swept
		if got := subtitle(res, "goodput"); !strings.HasSuffix(got, "h100-sxm · "+tt.want) {
			t.Errorf("%s: %q does not end in %q", tt.name, got, tt.want)
		}
	}
}

func TestNotesStateTheObjective(t *testing.T) {
	res := results(rates, chatSLO, static)
	if want := "SLO: TTFT ≤ 500 ms, TPOT ≤ 50 ms"; !slices.Contains(provenance(res, ""), want) {
		t.Errorf("no note %q in %q", want, provenance(res, ""))
	}
	res.Sweep[0].Path = "slo.ttft_ms"
	if got, want := objective(res), "SLO: TPOT ≤ 50 ms"; got != want {
		t.Errorf("with a bound that is swept: %q, want %q", got, want)
	}
	for _, f := range Default(res) {
		if plot, ok := f.body.(*curvePlot); ok && f.Name == "ttft-p99" && plot.target != nil {
			t.Errorf("a bound that is swept is drawn at %g", plot.target.value)
		}
	}
	if got := objective(results(rates, experiments.SLO{Attainment: 0.9}, static)); got != "" {
		t.Errorf("without an objective: %q", got)
	}
	res = results(rates, chatSLO, static)
	client := func(slo map[string]any) map[string]any { return map[string]any{"share": 0.5, "slo": slo} }
	for bound, want := range map[string]string{"": "SLO: TTFT ≤ 500 ms, TPOT ≤ 50 ms", "ttft_ms": "SLO: TTFT ≤ 500 ms, TPOT ≤ 50 ms, clients' own"} {
		own := map[string]any{}
		if bound != "" {
			own[bound] = 9.0
		}
		res.Experiment["workload"] = map[string]any{"client": []any{client(map[string]any{}), client(own)}}
		if got := objective(res); got != want {
			t.Errorf("with a client's %q: %q, want %q", bound, got, want)
		}
	}
}

func TestNotesNameZippedVariables(t *testing.T) {
	res := results(rates[:3], chatSLO, static)
	res.Sweep = append(res.Sweep, experiments.Axis{Path: "hardware.tp", Label: "tensor parallelism", Values: []any{1, 2, 4}})
	note := "along with it, tensor parallelism 1, 2, 4"
	if notes := Default(res)[0].Notes; slices.Contains(notes, note) {
		t.Errorf("a product has the note %q", note)
	}
	res.Experiment["sweep"] = map[string]any{"mode": "zip"}
	if notes := Default(res)[0].Notes; !slices.Contains(notes, note) {
		t.Errorf("no note %q in %q", note, notes)
	}
}

func TestNoClaimFromSaturation(t *testing.T) {
	res := results(rates, chatSLO, static, continuous) // both saturate, and stay below the bound
	for _, f := range Default(res) {
		if f.Name == "tpot-p99" && strings.Contains(f.Title, "within") {
			t.Errorf("a saturated service claims %q", f.Title)
		}
	}
}

func TestCategoriesAreNotJoined(t *testing.T) {
	res := results([]any{"a100-sxm-80", "h100-sxm", "l40s"}, chatSLO, static, continuous)
	res.Sweep[0] = experiments.Axis{Path: "hardware.accelerator", Label: "accelerator", Values: res.Sweep[0].Values}
	for _, f := range Default(res) {
		plot, ok := f.body.(*curvePlot)
		if !ok || !plot.apart {
			t.Errorf("%s joins categories", f.Name)
			continue
		}
		if a, b := plot.curves[0].dots[1].x, plot.curves[1].dots[1].x; !(a < 1 && 1 < b) {
			t.Errorf("%s: marks of the second category at %g and %g, not on both sides of 1", f.Name, a, b)
		}
		if strings.Contains(f.Title, "every strategy") || !slices.Contains(f.Notes, "whisker = 95 % CI") {
			t.Errorf("%s: %q, %q", f.Name, f.Title, f.Notes)
		}
	}
}
