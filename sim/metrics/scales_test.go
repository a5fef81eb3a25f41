package metrics

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// TestScales are steps of a fourth root of 2 from a quarter to eight, with 1 among them.
func TestScales(t *testing.T) {
	if Scales[0] != 0.25 || Scales[statedScale] != 1 || Scales[scaleCount-1] != 8 {
		t.Errorf("the scales are %v", Scales)
	}
	for k := range Scales[1:] {
		if ratio := Scales[k+1] / Scales[k]; math.Abs(ratio-math.Sqrt(math.Sqrt2)) > 1e-12 {
			t.Errorf("scale %d is %v times the one before", k+1, ratio)
		}
	}
}

// TestAttainmentByScale: at each scale it is the attainment of the objective multiplied by
// that, and at 1 exactly the metric, of whole runs, windows and streams, with and without
// classes. No bound is met by fewer than the whole objective.
func TestAttainmentByScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slo := rapid.SampledFrom([]Objective{{TTFT: 0.7, TPOT: 0.2}, {E2EL: 2}, {TTFT: 1.1}, {TPOT: 0.3, E2EL: 3}}).Draw(t, "slo")
		classes := rapid.SampledFrom([][]Objective{nil, nil, {{TTFT: 1}, {}, {E2EL: 4}}}).Draw(t, "classes")
		exact, stream := &Record{Classes: classes}, &Record{Classes: classes, Stream: NewStream(slo, classes...)}
		for id := range rapid.IntRange(1, 40).Draw(t, "requests") {
			r := drawRequest(t, id)
			if bound := ofClass(classes, r.Class, slo).TTFT; rapid.Bool().Draw(t, "at the bound") {
				r.Arrival, r.First = 0, bound
			}
			for _, rec := range []*Record{exact, stream} {
				rec.Open(id, r)
				*rec.Of(id) = r
				if r.State != Unfinished {
					rec.Close(id)
				}
			}
		}
		for _, window := range []bool{false, true} {
			all := AttainmentByScale(exact, slo, window)
			compareScales(t, exact, slo, window, all)
			compareScales(t, exact, slo, window, AttainmentByScale(stream, slo, window))
			v := Summarize(exact, slo, nil)
			if window {
				v = SummarizeWindow(exact, slo)
			}
			if all != nil && all[statedScale] != v.Get(Attainment) {
				t.Errorf("at a scale of 1 it is %v, the attainment %v", all[statedScale], v.Get(Attainment))
			}
			for _, key := range []string{TTFTAttainment, TPOTAttainment, E2ELAttainment} {
				if v.Get(key) < v.Get(Attainment) {
					t.Errorf("%s is %v, less than the %v of all bounds", key, v.Get(key), v.Get(Attainment))
				}
			}
		}
	})
}

// compareScales compares shares with counts of the requests of a record.
func compareScales(t *rapid.T, rec *Record, slo Objective, window bool, shares []float64) {
	for k, scale := range Scales {
		met, offered := 0.0, 0.0
		for i := range rec.Requests {
			r := &rec.Requests[i]
			if window && !r.InWindow {
				continue
			}
			offered++
			o := ofClass(rec.Classes, r.Class, slo)
			if r.State == Completed && o.ratio(r) <= scale {
				met++
			}
		}
		if offered == 0 {
			if shares != nil {
				t.Errorf("nothing was offered, and the shares are %v", shares)
			}
			return
		}
		if shares[k] != met/offered {
			t.Errorf("at a scale of %v the share is %v, want %v", scale, shares[k], met/offered)
		}
	}
}

// TestRatioAtTheBound: the neighbours of a bound are on the right side of a scale of 1.
func TestRatioAtTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := math.Exp(rapid.Float64Range(-20, 20).Draw(t, "log bound"))
		for _, x := range []float64{math.Nextafter(bound, 0), bound, math.Nextafter(bound, math.Inf(1))} {
			r := Request{First: units.Seconds(x), Generated: 1}
			if o := (Objective{TTFT: units.Seconds(bound)}); o.Met(&r) != (o.ratio(&r) <= 1) {
				t.Errorf("%v meets a bound of %v: %t, its ratio is %v", x, bound, o.Met(&r), o.ratio(&r))
			}
		}
	})
}

// TestScaledBounds: a bound's share is of all that was offered; without one there is none.
func TestScaledBounds(t *testing.T) {
	rec := &Record{Requests: []Request{
		{First: 1, Last: 2, Generated: 2, State: Completed},
		{First: 1, Last: 4, Generated: 2, State: Completed},
		{First: 3, Last: 3.5, Generated: 2, State: Completed},
		{State: Rejected},
	}}
	v := Summarize(rec, Objective{TTFT: 1, TPOT: 1}, nil)
	for key, want := range map[string]float64{TTFTAttainment: 0.5, TPOTAttainment: 0.5, E2ELAttainment: math.NaN(), Attainment: 0.25} {
		if got := v.Get(key); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	if got := AttainmentByScale(rec, Objective{TTFT: 1, TPOT: 1}, false); got[0] != 0 || got[scaleCount-1] != 0.75 {
		t.Errorf("the shares at the least and the largest scale are %v and %v", got[0], got[scaleCount-1])
	}
	if got := AttainmentByScale(&Record{Requests: rec.Requests}, Objective{}, false); got != nil {
		t.Errorf("without an objective there are shares: %v", got)
	}
}
