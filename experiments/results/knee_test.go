package results

import (
	"math"
	"testing"
)

// TestAttainmentKnee: the knee of swept points lies between two of them, where the logit
// of the attainment reaches the target.
func TestAttainmentKnee(t *testing.T) {
	at := func(value, attainment float64) load { return load{value: value, attainment: attainment, requests: 1e9} }
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	way := (logit(0.99) - logit(0.9)) / (logit(0.99) - logit(0.4))
	overloaded := at(20, 1)
	overloaded.saturated = true
	for name, c := range map[string]struct {
		points    []load
		geometric bool
		kind      KneeKind
		value     float64
		low, high float64 // 0: nothing bounds it
	}{
		"between":                   {[]load{at(16, 0.99), at(20, 0.4)}, false, KneeInterpolated, 16 + 4*way, 16, 20},
		"on a logarithmic axis":     {[]load{at(2, 0.99), at(8, 0.4)}, true, KneeInterpolated, 2 * math.Pow(4, way), 2, 8},
		"the last that meets it":    {[]load{at(1, 0.8), at(2, 0.99), at(3, 0.4)}, false, KneeInterpolated, 2 + way, 2, 3},
		"at every load":             {[]load{at(1, 1), at(2, 0.9)}, false, KneeBeyond, 2, 2, 0},
		"at no load":                {[]load{at(1, 0.89), at(2, 0.5)}, false, KneeBelow, 1, 0, 1},
		"an overloaded one is none": {[]load{at(10, 1), overloaded}, false, KneeInterpolated, 15, 10, 20},
	} {
		got := attainmentKnee(c.points, 0.9, c.geometric)
		bound := func(x *float64) float64 {
			if x == nil {
				return 0
			}
			return *x
		}
		if got.Kind != c.kind || math.Abs(got.Value-c.value) > 1e-6 || bound(got.Low) != c.low || bound(got.High) != c.high {
			t.Errorf("%s: %s %v from %v to %v, want %+v", name, got.Kind, got.Value, bound(got.Low), bound(got.High), c)
		}
	}
}

// TestAttainmentOfAll: a cliff from all to none, of few requests, does not hide in a corner.
func TestAttainmentOfAll(t *testing.T) {
	points := []load{{value: 10, attainment: 1, requests: 99}, {value: 20, attainment: 0, requests: 99}}
	logit := math.Log(199) // (99+½)/100
	want := 10 + 10*(logit-math.Log(9))/(2*logit)
	if got := attainmentKnee(points, 0.9, false); math.Abs(got.Value-want) > 1e-9 {
		t.Errorf("knee %v, want %v", got.Value, want)
	}
}

// TestPowerKneeOfNothing: runs that ended before a request completed have no load of largest
// throughput / latency.
func TestPowerKneeOfNothing(t *testing.T) {
	if knee := powerKnee([]load{{value: 2, power: math.NaN()}, {value: 8, power: math.NaN()}}); knee != nil {
		t.Errorf("knee %+v of runs without a request", knee)
	}
	if knee := powerKnee([]load{{value: 2, power: 3}, {value: 8, power: math.NaN()}}); knee == nil || knee.Kind != KneePower || knee.Value != 2 {
		t.Errorf("knee %+v, want 2", knee)
	}
}
