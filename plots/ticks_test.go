package plots

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLinearTicks(t *testing.T) {
	tests := []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{0, 32, 7, []float64{0, 5, 10, 15, 20, 25, 30}},
		{0, 1, 6, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{0, 3300, 7, []float64{0, 500, 1000, 1500, 2000, 2500, 3000}},
		{0, 0.7, 5, []float64{0, 0.2, 0.4, 0.6}},
		{-1, 1, 5, []float64{-1, -0.5, 0, 0.5, 1}},
		{13, 17, 5, []float64{13, 14, 15, 16, 17}},
		{5, 5, 5, nil},
		{0, math.Inf(1), 5, nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, linearTicks(tt.lo, tt.hi, tt.n)); diff != "" {
			t.Errorf("linearTicks(%g, %g, %d): -want +got\n%s", tt.lo, tt.hi, tt.n, diff)
		}
	}
}

func TestLogTicks(t *testing.T) {
	tests := []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{50, 1000, 8, []float64{50, 100, 200, 500, 1000}},
		{0.9, 11, 8, []float64{1, 2, 5, 10}},
		{1, 1e4, 7, []float64{1, 10, 100, 1000, 10000}},
		{1, 1e8, 5, []float64{1, 100, 1e4, 1e6, 1e8}},
		{0.001, 1000, 4, []float64{0.01, 1, 100}},
		{0, 10, 8, nil},
		{-1, 10, 8, nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, logTicks(tt.lo, tt.hi, tt.n)); diff != "" {
			t.Errorf("logTicks(%g, %g, %d): -want +got\n%s", tt.lo, tt.hi, tt.n, diff)
		}
	}
}

func TestTicksStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(1e-9, 1e9).Draw(t, "lo")
		hi := lo * rapid.Float64Range(1.001, 1e9).Draw(t, "ratio")
		n := rapid.IntRange(2, 15).Draw(t, "n")
		for kind, ticks := range map[string][]float64{"linear": linearTicks(lo, hi, n), "log": logTicks(lo, hi, n)} {
			if len(ticks) > n {
				t.Fatalf("%s: %d ticks of at most %d", kind, len(ticks), n)
			}
			for i, v := range ticks {
				if v < lo*(1-1e-6) || v > hi*(1+1e-6) || i > 0 && v <= ticks[i-1] {
					t.Fatalf("%s: %v are not increasing ticks in [%g, %g]", kind, ticks, lo, hi)
				}
			}
		}
	})
}

func TestAxesCoverTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(1e-6, 1e6), 1, 10).Draw(t, "values")
		for kind, a := range map[string]axis{"linear": fromZero(values, exact), "log": logarithmic(values, exact)} {
			for _, v := range values {
				if at := a.at(v); !(at >= 0 && at <= 1) {
					t.Fatalf("%s axis [%g, %g] has %g at %g", kind, a.min, a.max, v, at)
				}
			}
			if len(a.ticks) < 2 {
				t.Fatalf("%s axis over %v has the ticks %v", kind, values, a.ticks)
			}
		}
	})
}

func TestScaleHasNoPlaceForWhatIsNotAValue(t *testing.T) {
	logScale := scale{log: true, min: 1, max: 100}
	for _, v := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if at := logScale.at(v); !math.IsNaN(at) {
			t.Errorf("log scale has %g at %g", v, at)
		}
	}
	if got := logScale.value(logScale.at(30)); math.Abs(got-30) > 1e-9 {
		t.Errorf("value(at(30)) = %g", got)
	}
}
