package metrics

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"kneepoint/units"
)

// near reports whether a and b agree to nine digits; NaN agrees with NaN.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
}

// TestQuantile compares with numpy.quantile.
func TestQuantile(t *testing.T) {
	tenth := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	doubling := []float64{0.1, 0.2, 0.4, 0.8, 1.6}
	for _, c := range []struct {
		sorted  []float64
		p, want float64
	}{
		{nil, 0.5, math.NaN()},
		{[]float64{7}, 0, 7}, {[]float64{7}, 0.99, 7}, {[]float64{7}, 1, 7},
		{[]float64{1, 3}, 0.25, 1.5},
		{[]float64{1, 2, 3, 4}, 0.5, 2.5},
		{tenth, 0, 1}, {tenth, 0.5, 5.5}, {tenth, 0.9, 9.1}, {tenth, 0.99, 9.91}, {tenth, 1, 10},
		{doubling, 0.5, 0.4}, {doubling, 0.95, 1.44}, {doubling, 0.99, 1.568},
	} {
		if got := Quantile(c.sorted, c.p); !near(got, c.want) {
			t.Errorf("Quantile(%v, %v) = %v, want %v", c.sorted, c.p, got, c.want)
		}
	}
}

// TestHistogramQuantile: quantiles are those of the closest rank, within the
// resolution; mean and standard deviation are exact.
func TestHistogramQuantile(t *testing.T) {
	logarithm := rapid.Float64Range(math.Log(2e-7), math.Log(1e5))
	rapid.Check(t, func(t *rapid.T) {
		var h Histogram
		var all []float64
		for range rapid.IntRange(1, 30).Draw(t, "durations") {
			d := math.Exp(logarithm.Draw(t, "log duration"))
			n := rapid.IntRange(1, 4).Draw(t, "times")
			h.Add(units.Seconds(d), int64(n))
			all = append(all, slices.Repeat([]float64{d}, n)...)
		}
		slices.Sort(all)
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		want := all[int(math.Round(p*float64(len(all)-1)))]
		if got := h.Quantile(p); math.Abs(got/want-1) > HistogramResolution {
			t.Fatalf("quantile %v of %v: %v, want %v: off by %v", p, all, got, want, got/want-1)
		}
		mean, std := stat.PopMeanStdDev(all, nil)
		if h.Count() != int64(len(all)) || !near(h.Mean(), mean) || math.Abs(h.Std()-std) > 1e-6*mean {
			t.Fatalf("%d durations of %v ± %v, want %d of %v ± %v", h.Count(), h.Mean(), h.Std(), len(all), mean, std)
		}
	})
}

// TestHistogramResolution looks at durations close to each other, so that every
// part of a bin is met.
func TestHistogramResolution(t *testing.T) {
	for i := range 20000 {
		d := 0.01 * (1 + 1e-6*float64(i))
		var h Histogram
		h.Add(units.Seconds(d), 1)
		if got := h.Quantile(0.5); math.Abs(got/d-1) > HistogramResolution {
			t.Fatalf("%v becomes %v: off by %v", d, got, got/d-1)
		}
	}
}

func TestHistogramEdges(t *testing.T) {
	var h Histogram
	for _, x := range []float64{h.Mean(), h.Std(), h.Quantile(0.5)} {
		if !math.IsNaN(x) {
			t.Errorf("an empty histogram has the value %v", x)
		}
	}
	h.Add(1, 0)
	h.Add(1, -3)
	if h.Count() != 0 {
		t.Errorf("counted %d of nothing", h.Count())
	}
	h.Add(0, 3)
	h.Add(5e-8, 1)
	h.Add(2, 1)
	if got := h.Quantile(0.5); got != 0 {
		t.Errorf("median of mostly zeros: %v", got)
	}
	if got := h.Quantile(1); math.Abs(got/2-1) > HistogramResolution {
		t.Errorf("largest: %v, want 2", got)
	}
}

func TestEstimate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values     []float64
		mean, half float64
		n          int
	}{
		{nil, nan, nan, 0},
		{[]float64{nan}, nan, nan, 0},
		{[]float64{5}, 5, nan, 1},
		{[]float64{1, 3}, 2, nan, 2},
		{[]float64{1, 2, 3}, 2, 4.302652729911275 / math.Sqrt(3), 3}, // t(0.975, 2) = 4.303
		{[]float64{1, nan, 2, 3}, 2, 4.302652729911275 / math.Sqrt(3), 3},
		{[]float64{2, 4, 4, 4, 6}, 4, 2.7764451051977987 * math.Sqrt(2) / math.Sqrt(5), 5}, // t(0.975, 4) = 2.776
	} {
		e := NewEstimate(c.values)
		if !near(e.Mean, c.mean) || !near(e.Half, c.half) || e.N != c.n {
			t.Errorf("%v: %+v, want %v ± %v of %d", c.values, e, c.mean, c.half, c.n)
		}
		if !near(e.Low(), c.mean-c.half) || !near(e.High(), c.mean+c.half) {
			t.Errorf("%v: from %v to %v", c.values, e.Low(), e.High())
		}
	}
}

// TestEstimateCovers: 95 % of the intervals hold the true mean.
func TestEstimateCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const experiments = 4000
	covered := 0
	for range experiments {
		var values []float64
		for range 4 {
			values = append(values, 10+random.NormFloat64())
		}
		if e := NewEstimate(values); e.Low() <= 10 && 10 <= e.High() {
			covered++
		}
	}
	// The standard error of the share is 0.34 %.
	if share := float64(covered) / experiments; math.Abs(share-0.95) > 0.0138 {
		t.Errorf("%.1f %% of the intervals hold the mean", 100*share)
	}
}

// TestSeriesOfDurations: a series has the count, the mean and the deviation of its durations
// one by one, as often as it is weighted, whichever way it runs.
func TestSeriesOfDurations(t *testing.T) {
	for _, c := range []struct {
		first, slope units.Seconds
		n            int
		weight       int64
	}{{0.01, 0, 7, 3}, {0.01, 1e-4, 50, 2}, {0.02, -1e-4, 50, 2}, {3, 0.5, 1, 4}, {0, 1e-3, 10, 1}} {
		var together, single Histogram
		together.AddSeries(c.first, c.slope, c.n, c.weight)
		for k := range c.n {
			single.Add(c.first+units.Seconds(k)*c.slope, c.weight)
		}
		if together.Count() != single.Count() || !near(together.Mean(), single.Mean()) || math.Abs(together.Std()-single.Std()) > 1e-7 {
			t.Errorf("%+v: %d of %v ± %v together, %d of %v ± %v one by one", c, together.Count(), together.Mean(), together.Std(),
				single.Count(), single.Mean(), single.Std())
		}
	}
}

// TestEachOfSomeDurations: some durations together are those one by one, to the last bit, in whatever order, and none of each are
// nothing.
func TestEachOfSomeDurations(t *testing.T) {
	durations := []units.Seconds{0.0125, 0.012500001, 0.0126, 0.0125, -1, 0, 3, 3, 2.9}
	for _, n := range []int64{0, 1, 7} {
		for k := range len(durations) + 1 {
			var together, single Histogram
			together.AddEach(durations[:k], n)
			for _, d := range durations[:k] {
				single.Add(d, n)
			}
			if !reflect.DeepEqual(together, single) {
				t.Errorf("%d times each of %v: %v together, %v one by one", n, durations[:k], together, single)
			}
		}
	}
}
