package compare_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/compare"
	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// TestIntervalsCover: of 1,000 comparisons the 95 % intervals of difference and ratio hold the truth in 95 %, of pairs and
// of runs of other requests, few and unequally many, precise and not.
func TestIntervalsCover(t *testing.T) {
	for name, c := range map[string]struct {
		n, m   int
		paired bool
	}{"3 pairs": {3, 3, true}, "10 pairs": {10, 10, true}, "4 against 9": {4, 9, false}, "20 against 20": {20, 20, false}} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(c.n)))
			ratios, differences := 0, 0
			const repeats, of, over = 1000, 50.0, 60.0
			for range repeats {
				var x, y []float64
				for i := range max(c.n, c.m) {
					common := random.NormFloat64() // of the requests
					if i < c.n {
						x = append(x, of+4*common+random.NormFloat64())
					}
					if !c.paired {
						common = random.NormFloat64()
					}
					if i < c.m {
						y = append(y, over+5*common+3*random.NormFloat64())
					}
				}
				a, b := one("a", latency, x...), one("b", latency, y...)
				if !c.paired {
					reseeded(b)
				}
				row := compared(t, a, b, compare.Options{}).Rows[0]
				if row.Ratio.Low <= over/of && over/of <= row.Ratio.High {
					ratios++
				}
				if math.Abs(row.Difference.Mean-(over-of)) <= row.Difference.Half {
					differences++
				}
			}
			for what, covered := range map[string]int{"ratio": ratios, "difference": differences} {
				if share := float64(covered) / repeats; math.Abs(share-0.95) > 0.02 { // 3 standard errors
					t.Errorf("%s: the interval holds the truth in %.1f %%", what, 100*share)
				}
			}
		})
	}
}

// TestFewFalseAlarms: where nothing differs, at most 5 of 100 comparisons of twenty points call any different, and fewer
// hold any to be beyond a tolerance of nothing; though each has an interval of its own.
func TestFewFalseAlarms(t *testing.T) {
	effort.Whole(t)
	random := rand.New(rand.NewPCG(3, 4))
	const repeats, points, n = 1000, 20, 5
	called, beyond, apart := 0, 0, 0
	for range repeats {
		x, y := make([][]float64, points), make([][]float64, points)
		for range n {
			seed, other := random.NormFloat64(), random.NormFloat64() // which all points have in common
			for p := range points {
				x[p] = append(x[p], 100+seed+random.NormFloat64())
				y[p] = append(y[p], 100+other+random.NormFloat64())
			}
		}
		c := compared(t, sideOf("a", latency, values{"s": x}, "s"), reseeded(sideOf("b", latency, values{"s": y}, "s")),
			upTo(latency, 0))
		if c.Count(compare.Unclear) < len(c.Rows) {
			called++
		}
		if len(c.Beyond()) > 0 {
			beyond++
		}
		if slices.ContainsFunc(c.Rows, func(r compare.Row) bool { return r.Ratio.Low > 1 || r.Ratio.High < 1 }) {
			apart++
		}
	}
	if called > 65 || beyond > 40 { // 3 standard errors above 5 and 2.5 %, of 45 and 20
		t.Errorf("%d and %d of %d comparisons of equals find a difference", called, beyond, repeats)
	}
	if apart < 100 {
		t.Errorf("only %d of %d comparisons have an interval that excludes 1: the test shows nothing", apart, repeats)
	}
}

// TestAgainstItself: there is no difference, not even one of rounding.
func TestAgainstItself(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		x, _ := pairsOf(random, 4, 1, 0)
		y := slices.Clone(x)
		for i := range y {
			y[i] *= 1 + 1e-14*random.NormFloat64()
		}
		c := compared(t, one("a", latency, x...), one("b", latency, y...), upTo(latency, 0))
		if r := c.Rows[0]; r.Verdict != compare.Equal || r.Difference.Mean != 0 || r.Beyond || !(r.Difference.Half < 1e-5) || !c.Paired {
			t.Fatalf("%+v", r)
		}
	}
}

// TestThreePercent: what is 3 % worse is found in a noise of 30 % that both share, and said to be beyond 2 %, not 4 %; a
// tolerance that the interval holds is neither met nor missed. Where requests are others, it is lost in the noise.
func TestThreePercent(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	x, y := pairsOf(random, 5, 1.03, 0.001)
	for metric, worse := range map[string]compare.Verdict{latency: compare.Worse, throughput: compare.Better} {
		t.Run(metric, func(t *testing.T) {
			row := compared(t, one("a", metric, x...), one("b", metric, y...), compare.Options{}).Rows[0]
			if row.Verdict != worse || math.Abs(row.Ratio.Value-1.03) > 0.002 || row.Tolerance != nil {
				t.Errorf("%+v", row)
			}
		})
	}
	for name, c := range map[string]struct {
		metric            string
		share             float64
		beyond, undecided bool
	}{
		"latency 2 %": {latency, 0.02, true, false}, "latency 4 %": {latency, 0.04, false, false}, "latency 3 %": {latency, 0.03, false, true},
		"more throughput": {throughput, 0, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			row := compared(t, one("a", c.metric, x...), one("b", c.metric, y...), upTo(c.metric, c.share)).Rows[0]
			if row.Beyond != c.beyond || row.Undecided() != c.undecided {
				t.Errorf("%+v", row)
			}
		})
	}
	less := compared(t, one("a", throughput, y...), one("b", throughput, x...), upTo(throughput, 0.02))
	if !less.Rows[0].Beyond {
		t.Errorf("less throughput is not worse: %+v", less.Rows[0])
	}
	other := compared(t, one("a", latency, x...), reseeded(one("b", latency, y...)), compare.Options{})
	if other.Rows[0].Verdict != compare.Unclear || other.Paired || !strings.Contains(other.Unpaired, "seed is 1 in the one, 2 in the other") {
		t.Errorf("%+v: %s", other.Rows[0], other.Unpaired)
	}
}

// TestReversed: the other way round the difference is the negative, and the ratio the inverse, of pairs and of others.
func TestReversed(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*math.Abs(y) }
	for _, paired := range []bool{true, false} {
		x, y := pairsOf(random, 4, 1.5, 0.1)
		a, b := one("a", latency, x...), one("b", latency, y...)
		if !paired {
			reseeded(b)
		}
		r, s := compared(t, a, b, compare.Options{}).Rows[0], compared(t, b, a, compare.Options{}).Rows[0]
		if r.Difference.Mean != -s.Difference.Mean || !near(r.Difference.Half, s.Difference.Half) || !near(*r.Chance, *s.Chance) ||
			!near(r.Ratio.Value, 1/s.Ratio.Value) {
			t.Errorf("paired %t: %+v, and reversed %+v", paired, r, s)
		}
		if low, high := 1/s.Ratio.High, 1/s.Ratio.Low; paired && (!near(r.Ratio.Low, low) || !near(r.Ratio.High, high)) {
			t.Errorf("%+v, and reversed %v to %v", r.Ratio, low, high)
		}
	}
}

// TestWithoutIntervals: of fewer than three pairs nothing is known but the values, which a tolerance is held against; of
// other requests not even that is worth anything.
func TestWithoutIntervals(t *testing.T) {
	a, b := one("a", latency, 100, 200), one("b", latency, 103, 206)
	within := upTo(latency, 0.02)
	row := compared(t, a, b, within).Rows[0]
	if row.Verdict != compare.Unknown || row.Chance != nil || !row.Beyond || math.Abs(row.Ratio.Value-1.03) > 1e-12 {
		t.Errorf("%+v", row)
	}
	if _, err := compare.Results(a, reseeded(b), within); !isBad(err, "too few runs to tell") {
		t.Errorf("says %v", err)
	}
	// Replays of one trace are one sample, however many there are.
	a, b = one("a", latency, 100, 100, 100, 100), one("b", latency, 101, 101, 101, 101)
	for _, s := range []*compare.Side{a, b} {
		for i := range s.Results.Runs {
			s.Results.Runs[i].Replay = &results.Replay{}
		}
	}
	if row := compared(t, a, b, within).Rows[0]; row.Verdict != compare.Unknown || row.Beyond || row.Differing != nil {
		t.Errorf("of a trace: %+v", row)
	}
}

// TestNoValue: what B has none of, where A has one, is no difference that a test of CI may overlook.
func TestNoValue(t *testing.T) {
	none := math.NaN()
	c := compared(t, one("a", latency, 1, 2, 3), one("b", latency, none, none, none), upTo(latency, 0.5))
	if row := c.Rows[0]; row.Verdict != compare.Missing || !row.Beyond {
		t.Errorf("%+v", row)
	}
	// Of nothing there is no ratio, and any more of what is bad is beyond every share of it.
	zero := compared(t, one("a", metrics.Preemptions, 0, 0, 0), one("b", metrics.Preemptions, 4, 5, 6),
		compare.Options{Metrics: []string{metrics.Preemptions}, Tolerance: map[string]float64{metrics.Preemptions: 9}})
	if row := zero.Rows[0]; row.Verdict != compare.Worse || !row.Beyond || row.Difference.Mean != 5 {
		t.Errorf("%+v", row)
	}
	text, err := json.Marshal(zero)
	if err != nil || !strings.Contains(string(text), `"ratio":{"value":null,"low":null,"high":null}`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestPoints: those that both have are compared, whole numbers as others; the others are named, and refused where a tolerance
// is to hold at all points of A.
func TestPoints(t *testing.T) {
	three := values{"s": {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}
	two := values{"s": {{1, 2, 3}, {4, 5, 6}}}
	a, b := sideOf("a", latency, three, "s"), sideOf("b", latency, two, "s")
	b.Results.Points[1].Values[0] = results.ValueOf(2.0)
	c := compared(t, a, b, compare.Options{})
	if len(c.Rows) != 2 || !slices.Equal(c.OnlyA, []string{"s, request rate 3"}) || len(c.OnlyB) != 0 || len(c.Differs) != 0 {
		t.Errorf("%d rows, %v and %v alone, %v", len(c.Rows), c.OnlyA, c.OnlyB, c.Differs)
	}
	if _, err := compare.Results(a, b, upTo(latency, 1)); !isBad(err, "b lacks points of a: s, request rate 3") {
		t.Errorf("says %v", err)
	}
	if c := compared(t, b, a, upTo(latency, 1)); len(c.OnlyB) != 1 || len(c.Beyond()) != 0 {
		t.Errorf("%+v", c)
	}
	b.Results.Sweep[0].Path = "hardware.tp"
	if _, err := compare.Results(a, b, compare.Options{}); !isBad(err, "workload.arrival.rate is swept in the one, hardware.tp") {
		t.Errorf("says %v", err)
	}
	if _, err := compare.Results(a, a, compare.Options{Metrics: []string{metrics.MBU}}); !isBad(err, "--metric = \"mbu\": has no value") {
		t.Errorf("says %v", err)
	}
	if _, err := compare.Results(a, sideOf("c", latency, values{"s": {{}, {}}}, "s"), compare.Options{}); !isBad(err, "nothing in common") {
		t.Errorf("says %v", err)
	}
}

// TestInterrupted: a comparison says which side lacks runs.
func TestInterrupted(t *testing.T) {
	whole := func() *compare.Side { return sideOf("whole", latency, values{"s": {{1, 2, 3}, {4, 5, 6}}}, "s") }
	part := func() *compare.Side { return sideOf("part", latency, values{"s": {{1, 2, 3}, {4}}}, "s") }
	for _, c := range []struct {
		a, b *compare.Side
		want []string
	}{{whole(), whole(), nil}, {part(), whole(), []string{"A"}}, {whole(), part(), []string{"B"}}, {part(), part(), []string{"A", "B"}}} {
		if got := compared(t, c.a, c.b, compare.Options{}).Interrupted; !slices.Equal(got, c.want) {
			t.Errorf("%s and %s: %q were interrupted, want %q", c.a.Name, c.b.Name, got, c.want)
		}
	}
}

// TestRare: how many paired replications differ is told, and what that leaves unseen: of n equal ones, 1 in 20 has nothing of what
// a share p shows where (1-p)^n = 0.05.
func TestRare(t *testing.T) {
	for name, c := range map[string]struct {
		b         []float64
		differing int
		rare      bool
		unseen    float64
	}{
		"none":        {[]float64{1, 2, 3, 4}, 0, false, 1 - math.Pow(0.05, 0.25)},
		"one":         {[]float64{1, 2, 3, 9}, 1, true, 0},
		"half":        {[]float64{1, 2, 8, 9}, 2, false, 0},
		"all":         {[]float64{6, 7, 8, 9}, 4, false, 0},
		"by rounding": {[]float64{1, 2 * (1 + 1e-14), 3, 4}, 0, false, 1 - math.Pow(0.05, 0.25)},
	} {
		t.Run(name, func(t *testing.T) {
			row := compared(t, one("a", latency, 1, 2, 3, 4), one("b", latency, c.b...), compare.Options{}).Rows[0]
			if row.Differing == nil || *row.Differing != c.differing || row.Rare() != c.rare || math.Abs(row.Unseen()-c.unseen) > 1e-12 {
				t.Errorf("%v differ, rare %t, unseen %v, want %+v", row.Differing, row.Rare(), row.Unseen(), c)
			}
		})
	}
	row := compared(t, one("a", latency, 1, 2, 3), reseeded(one("b", latency, 1, 2, 3)), compare.Options{}).Rows[0]
	if row.Differing != nil || row.Rare() || row.Unseen() != 0 {
		t.Errorf("not paired: %+v", row)
	}
}

// upTo are the options of a tolerance.
func upTo(metric string, share float64) compare.Options {
	return compare.Options{Tolerance: map[string]float64{metric: share}}
}

// isBad tells whether an error is one of wrong input that says something.
func isBad(err error, says string) bool {
	var bad *badinput.Error
	return errors.As(err, &bad) && strings.Contains(err.Error(), says)
}
