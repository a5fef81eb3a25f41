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
	res.Warnings = []string{"estimated: kernels of b300"}
	notes := Default(res)[0].Notes
	for _, want := range []string{"kneepoint 0.1.0", "3 seeds", "band = 95 % CI", "SLO not met at any point: slow",
		"hollow, dashed: saturated, latency grows with run length", "estimated: kernels of b300"} {
		if !slices.Contains(notes, want) {
			t.Errorf("no note %q in %q", want, notes)
		}
	}
}
