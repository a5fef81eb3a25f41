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
