package workloads

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Samples must have the moments of the closed forms: the mean within 4 standard
// errors, the standard deviation within 4 % (fourth moments make its standard
// error law-dependent; 200,000 draws leave less than 1 % for all of these).
func TestLengthLawsHaveTheirMoments(t *testing.T) {
	uniformStd := func(low, high float64) float64 { return math.Sqrt(((high-low+1)*(high-low+1) - 1) / 12) }
	m1, s1, m2, s2 := 5.0, 0.3, 6.0, 0.5
	e := func(m, s float64) float64 { return math.Exp(m + s*s/2) }
	mixMean := 0.25*e(m1, s1) + 0.75*e(m2, s2)
	mixSquare := 0.25*math.Exp(2*m1+2*s1*s1) + 0.75*math.Exp(2*m2+2*s2*s2)
	cases := map[string]struct {
		spec      LengthSpec
		mean, std float64
	}{
		"fixed":              {LengthSpec{Type: "fixed", Mean: 512}, 512, 0},
		"fixed, half":        {LengthSpec{Type: "fixed", Mean: 2.5}, 3, 0},
		"uniform, ratio":     {LengthSpec{Type: "uniform", Mean: 1000, RangeRatio: 0.5}, 1000, uniformStd(500, 1500)},
		"uniform, no spread": {LengthSpec{Type: "uniform", Mean: 1000}, 1000, 0},
		"uniform, bounds":    {LengthSpec{Type: "uniform", Min: 4, Max: 9}, 6.5, uniformStd(4, 9)},
		"normal":             {LengthSpec{Type: "normal", Mean: 1000, Std: 100}, 1000, 100},
		"lognormal":          {LengthSpec{Type: "lognormal", Mean: 800, Std: 400}, 800, 400},
		"exponential":        {LengthSpec{Type: "exponential", Mean: 5000}, 5000, 5000},
		"gamma":              {LengthSpec{Type: "gamma", Mean: 1000, Std: 700}, 1000, 700},
		"weibull":            {LengthSpec{Type: "weibull", Mean: 1000, Std: 700}, 1000, 700},
		"weibull, long tail": {LengthSpec{Type: "weibull", Mean: 1000, Std: 1500}, 1000, 1500},
		"mixture":            {LengthSpec{Type: "lognormal_mix", Mix: []LognormalPart{{1, m1, s1}, {3, m2, s2}}}, mixMean, math.Sqrt(mixSquare - mixMean*mixMean)},
		"empirical":          {LengthSpec{Type: "empirical", Quantiles: []float64{100, 300, 700}}, 350, math.Sqrt((100*100+100*300+300*300+300*300+300*700+700*700)/6.0 - 350*350)},
		"empirical, uneven":  {LengthSpec{Type: "empirical", Quantiles: []float64{0, 1000, 2000}, Percentiles: []float64{0, 90, 100}}, 0.9*500 + 0.1*1500, math.Sqrt(0.9*1e6/3 + 0.1*7e6/3 - 600*600)},
	}
	const n = 200_000
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			law, err := c.spec.Law()
			if err != nil {
				t.Fatal(err)
			}
			u, values := Stream(1, 0, name), make([]float64, n)
			for i := range values {
				values[i] = float64(law.Sample(u))
			}
			mean, std := meanAndStd(values)
			slack := 4*c.std/math.Sqrt(n) + 1e-3
			within(t, "mean", mean, c.mean-slack, c.mean+slack)
			about(t, "std", std, c.std, 0.04)
			about(t, "Mean()", law.Mean(), c.mean, 2e-3)
		})
	}
}

func TestLengthsStayWithinBounds(t *testing.T) {
	types := []string{"fixed", "uniform", "normal", "lognormal", "exponential", "gamma", "weibull"}
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.IntRange(0, 5000).Draw(t, "min")
		high := rapid.IntRange(max(low, 1), 1e6).Draw(t, "max")
		spec := LengthSpec{
			Type: rapid.SampledFrom(types).Draw(t, "type"),
			Mean: rapid.Float64Range(float64(max(low, 1)), float64(high)).Draw(t, "mean"),
			Min:  low,
			Max:  high,
		}
		spec.Std = spec.Mean * rapid.Float64Range(2e-3, 99).Draw(t, "cv")
		law, err := spec.Law()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []float64{0, 1e-300, rapid.Float64Range(0, 1).Draw(t, "p"), math.Nextafter(1, 0)} {
			if n := law.At(min(p, math.Nextafter(1, 0))); n < max(low, 1) || n > spec.Max {
				t.Fatalf("length at %g is %d, outside %d to %d", p, n, low, spec.Max)
			}
		}
	})
}

// All laws but the mixture are inverse distribution functions, so they rise.
func TestLengthRisesWithProbability(t *testing.T) {
	for _, spec := range []LengthSpec{
		{Type: "uniform", Mean: 100, RangeRatio: 1},
		{Type: "normal", Mean: 100, Std: 90},
		{Type: "gamma", Mean: 100, Std: 300},
		{Type: "weibull", Mean: 100, Std: 30},
		{Type: "empirical", Quantiles: []float64{1, 1, 5, 5, 100}},
		{Type: "empirical", Quantiles: []float64{1, 1, 5, 5, 100}, Percentiles: []float64{0, 1, 50, 99, 100}},
	} {
		law, err := spec.Law()
		if err != nil {
			t.Fatal(err)
		}
		for p, before := 0.0, 0; p < 1; p += 1e-3 {
			if n := law.At(p); n < before {
				t.Fatalf("%s: %d tokens at %.3f after %d", spec.Type, n, p, before)
			} else {
				before = n
			}
		}
	}
}

func TestEmpiricalHitsItsQuantiles(t *testing.T) {
	percentiles := []float64{0, 10, 50, 99, 100}
	spec := LengthSpec{Type: "empirical", Quantiles: []float64{3, 20, 100, 4000, 9000}, Percentiles: percentiles}
	law, err := spec.Law()
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range spec.Quantiles[:4] {
		about(t, "quantile", float64(law.At(percentiles[i]/100)), q, 1e-12)
	}
	about(t, "middle of the first step", float64(law.At(0.05)), 12, 1e-12) // 11.5, rounded away from zero
}

// With standard deviation equal to the mean a gamma law is exponential.
func TestTabulatedQuantiles(t *testing.T) {
	law := gamma(1, 1)
	for p := 1e-6; p < 1; p += 1e-4 {
		if got, want := law(p), -math.Log1p(-p); math.Abs(got-want) > 1.3e-4 {
			t.Fatalf("quantile at %g is %g, want %g", p, got, want)
		}
	}
}

// TestZipf: of 1, 2, 3 and 4 the shares are 12, 6, 4 and 3 of 25 with an exponent of 1, and the mean is 48/25; from another
// least length on it is the same law without what is below.
func TestZipf(t *testing.T) {
	for _, c := range []struct {
		exponent       float64
		low, high      int
		weights, shown []float64
	}{
		{1, 1, 4, []float64{12, 6, 4, 3}, []float64{1, 2, 3, 4}},
		{2, 3, 4, []float64{16, 9}, []float64{3, 4}},
		{1e9, 2, 1000, []float64{1}, []float64{2}},
	} {
		law, err := (&LengthSpec{Type: "zipf", Exponent: c.exponent, Min: c.low, Max: c.high}).Law()
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, w := range c.weights {
			sum += w
		}
		below := 0.0
		for i, w := range c.weights {
			if first, last := law.At(below/sum+1e-9), law.At((below+w)/sum-1e-9); first != int(c.shown[i]) || last != first {
				t.Errorf("%+v: %d to %d instead of %g", c, first, last, c.shown[i])
			}
			below += w
		}
	}
	law, _ := (&LengthSpec{Type: "zipf", Exponent: 1, Min: 1, Max: 4}).Law()
	about(t, "mean", law.Mean(), 48.0/25, 1e-3)
}
