package results

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kneepoint/sim/metrics"
)

// probesOf are probes of a curve whose attainment has the logit slope·ln(knee/load) above
// that of .9, with a noise of the logit that is the replications' own, which are others at each load.
func probesOf(knee, slope, noise float64, loads ...float64) []Probe {
	random := rand.New(rand.NewPCG(3, 4))
	var probes []Probe
	for i, x := range loads {
		p := Probe{Load: x, Counted: 1e9, First: 5 + 100*i}
		for range 12 {
			e := noise * random.NormFloat64()
			p.Attained = append(p.Attained, 1/(1+math.Exp(-math.Log(9)-slope*math.Log(knee/x)-e)))
		}
		probes = append(probes, p)
	}
	return probes
}

// searchedOf is a search that found probes.
func searchedOf(strategy string, probes []Probe) Searched {
	return Searched{Strategy: strategy, Basis: SteadyState, Target: 0.9, Met: 9, Missed: 12, Probes: probes, Runs: 36, Requests: 5000}
}

// TestSearchedKnee: the fit finds the knee of a curve that is what it assumes, and its
// interval is that of the noise over the slope.
func TestSearchedKnee(t *testing.T) {
	s := searchedOf("a", probesOf(10, 8, 0, 9.8, 10.1, 10.4))
	if k := s.Knee(); k.Kind != KneeBracketed || math.Abs(k.Value-math.Sqrt(9*12)) > 1e-9 || *k.Low != 9 || *k.High != 12 {
		t.Errorf("replications that are all alike: %+v, want the bracket", k)
	}
	s = searchedOf("a", probesOf(10, 8, 0.1, 9.8, 10.1, 10.4))
	k := s.Knee()
	if math.Abs(k.Value/10-1) > 0.01 || !(*k.Low < 10 && 10 < *k.High) {
		t.Errorf("knee %v from %v to %v, want 10", k.Value, *k.Low, *k.High)
	}
	// t(.975, 33) · noise / slope / √36 is what half of ln(knee) is about.
	if half, want := k.logHalf(), 2.03*0.1/8/math.Sqrt(36); half < 0.6*want || half > 1.5*want {
		t.Errorf("half the interval is %v of the load, want about %v", half, want)
	}
	for name, probes := range map[string][]Probe{
		"rising": probesOf(10, -8, 0.1, 9.8, 10.4), "far off": probesOf(10, 8, 0.1, 14, 14.5), "one load": probesOf(10, 8, 0.1, 10), "none": nil,
	} {
		s := searchedOf("a", probes)
		if k := s.Knee(); *k.Low != 9 || *k.High != 12 {
			t.Errorf("%s: %v to %v, want the bracket", name, *k.Low, *k.High)
		}
	}
	open := Searched{Basis: Horizon, Target: 0.9, Met: 7}
	if k := open.Knee(); k.Kind != KneeBeyond || *k.Low != 7 || k.High != nil {
		t.Errorf("met wherever it looked: %+v", k)
	}
	if k := (&Searched{Missed: 7}).Knee(); k.Kind != KneeBelow || *k.High != 7 || k.Low != nil {
		t.Errorf("missed wherever it looked: %+v", k)
	}
	if k := (&Searched{}).Knee(); k != nil {
		t.Errorf("looked nowhere: %+v", k)
	}
}

// TestKneesArePaired: what replications have in common does not hide a difference, and
// what they have not does.
func TestKneesArePaired(t *testing.T) {
	base := searchedOf("a", probesOf(10, 8, 0.5, 9.4, 10.6))
	same := searchedOf("b", probesOf(10.2, 8, 0.5, 1.02*9.4, 1.02*10.6))
	apart := same
	apart.Probes = probesOf(10.2, 8, 0.5, 1.02*9.4, 1.02*10.6)
	for i := range apart.Probes {
		apart.Probes[i].First = 5000 // other replications
	}
	for _, c := range []struct {
		name     string
		searched Searched
		paired   int
		apart    bool
	}{{"the same replications", same, 12, true}, {"others", apart, 0, false}} {
		plan := twoByThree()
		plan.Searched = []Searched{base, c.searched}
		res := Aggregate(plan, ByKey(outcomesOf(plan)))
		if len(res.KneeDifferences) != 1 {
			t.Fatalf("%s: %d differences, want one", c.name, len(res.KneeDifferences))
		}
		d := res.KneeDifferences[0]
		if d.Strategy != "b" || d.Baseline != "a" || d.Relative.N != c.paired || d.Distinguishable != c.apart || math.Abs(d.Relative.Mean-0.02) > 0.002 {
			t.Errorf("%s: %+v", c.name, d)
		}
	}
}

// TestSweptKneesDiffer: knees between swept points are told apart by their brackets.
func TestSweptKneesDiffer(t *testing.T) {
	knee := func(low, high float64) *Series {
		k := &Knee{Kind: KneeInterpolated, Value: low, Low: &low, High: &high}
		if math.IsInf(high, 1) {
			k.Kind, k.High = KneeBeyond, nil
		}
		return &Series{Knee: k}
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		a, b  *Series
		apart bool
	}{
		{knee(16, 20), knee(16, 20), false}, {knee(16, 20), knee(20, 24), true}, {knee(20, 24), knee(16, 20), true},
		{knee(16, 20), knee(32, inf), true}, {knee(32, inf), knee(32, inf), false}, {knee(16, 20), knee(18, 24), false},
	} {
		if _, apart := (&Plan{}).CompareKnees(c.a, c.b); apart != c.apart {
			t.Errorf("[%v, %v] and [%v, %v]: apart %v", *c.a.Knee.Low, c.a.Knee.High, *c.b.Knee.Low, c.b.Knee.High, apart)
		}
	}
}

// TestSearchedReadsBack: what a search found is in the folder, and its knee is that again.
func TestSearchedReadsBack(t *testing.T) {
	plan := twoByThree()
	plan.Searched = []Searched{searchedOf("a", probesOf(10, 8, 0.1, 9.8, 10.1, 10.4)), {Strategy: "b", Basis: Horizon, Target: 0.9, Met: 1}}
	res := Aggregate(plan, ByKey(outcomesOf(plan)))
	if k := res.Series[0].Knee; k.Kind != KneeSearched || k.Runs != 36 || k.Requests != 5000 {
		t.Errorf("the search's knee is not the curve's: %+v", k)
	}
	if text := written(t, res); !strings.Contains(text, `"basis": "steady_state"`) {
		t.Error("results do not say what the knee is one of")
	}
	readsBack(t, folderOf(t, res), res)
}

// TestSkewedIntervals: of values that are skewed, as rare misses are, an interval lies about as often on either side of the mean.
func TestSkewedIntervals(t *testing.T) {
	const intervals = 20_000
	random := rand.New(rand.NewPCG(5, 6))
	below, above := 0.0, 0.0
	for range intervals {
		groups := make([][]float64, 2)
		for i := range groups {
			for range 12 {
				groups[i] = append(groups[i], -random.ExpFloat64())
			}
		}
		switch _, low, high := unskewedInterval(groups); {
		case high < -1:
			below += 1. / intervals
		case low > -1:
			above += 1. / intervals
		}
	}
	t.Logf("%.4f of the intervals lie below the mean, %.4f above it", below, above)
	if below > 0.04 || above > 0.04 || below < 0.015 || above < 0.015 { // Student's alone: .007 and .068
		t.Errorf("%.4f of the intervals lie below the mean, %.4f above it, want .025 each", below, above)
	}
}

// TestGroupsThatDifferInSpread: of two groups of eight of which one's values are all the same the other one's seven degrees of freedom
// are all there are, and of two that are alike there are fourteen; Student's quantiles are those of published tables.
func TestGroupsThatDifferInSpread(t *testing.T) {
	wide, none := []float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{5, 5, 5, 5, 5, 5, 5, 5} // a variance of 6, and of 0
	for _, c := range []struct {
		groups [][]float64
		want   float64
	}{
		{[][]float64{wide, none}, 2.3646 * math.Sqrt(6./8) / 2},
		{[][]float64{wide, wide}, 2.1448 * math.Sqrt(6./16)},
		{[][]float64{none, none}, 0},
	} {
		if _, half := meanInterval(c.groups); math.Abs(half-c.want) > 1e-4 {
			t.Errorf("half the interval is %.5f, want %.5f", half, c.want)
		}
	}
}

// TestLineThroughLogits: as far above one half as the other is below it, two probes have the knee in their middle.
func TestLineThroughLogits(t *testing.T) {
	s := Searched{Target: 0.5, Probes: []Probe{{Load: 1, Counted: 100, Attained: []float64{0.9}}, {Load: 4, Counted: 100, Attained: []float64{0.1}}}}
	if root, ok := s.root(-1, -1); !ok || math.Abs(root-math.Log(2)) > 1e-9 {
		t.Errorf("the knee is at %v, want 2", math.Exp(root))
	}
}

// TestMetricsAtASearchedKnee: between two loads they are interpolated; where the knee lies outside, they are those of the nearest.
// Which are swept does not matter where the search tells what was near it.
func TestMetricsAtASearchedKnee(t *testing.T) {
	point := func(load, ms float64) Point {
		return Point{Value: Value{load}, Metrics: map[string]metrics.Estimate{metrics.P99TTFT: {Mean: ms}}}
	}
	p := Plan{Sweep: []Axis{{}}}
	for knee, want := range map[float64]float64{9.9: 100, 10.5: 150, 11.1: 200} {
		s := &Series{Knee: &Knee{Kind: KneeSearched, Value: knee, Target: 0.9}, Points: []Point{point(10, 100), point(11, 200)}}
		if got := p.MetricAtKnee(s, metrics.P99TTFT); math.Abs(got-want) > 1e-9 {
			t.Errorf("p99 TTFT at the knee %v is %v, want %v", knee, got, want)
		}
		near := Plan{Sweep: p.Sweep, Searched: []Searched{{Near: s.Points}}}
		s.Points = []Point{point(1, 1), point(100, 1e6)}
		if got := near.MetricAtKnee(s, metrics.P99TTFT); math.Abs(got-want) > 1e-9 {
			t.Errorf("p99 TTFT at the knee %v is %v beside swept points, want %v", knee, got, want)
		}
	}
}
