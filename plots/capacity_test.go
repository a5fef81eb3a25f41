package plots

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// capacities is an experiment whose curves have these knees, in the order of the file.
func capacities(knees ...*results.Knee) *results.Results {
	names := []server{{"a", 5, 100, 9}, {"b", 6, 100, 9}, {"c", 7, 100, 9}, {"d", 8, 100, 9}}
	res := madeUp(rates, chatSLO, names[:len(knees)]...)
	for i, k := range knees {
		if k.Kind != results.KneePower {
			k.Target = 0.9
		}
		res.Series[i].Knee = k
	}
	return res
}

func found(kind results.KneeKind, low, value, high float64) *results.Knee {
	k := &results.Knee{Kind: kind, Value: value}
	if low > 0 {
		k.Low = &low
	}
	if high > 0 {
		k.High = &high
	}
	return k
}

// TestCapacity: every kind of knee has its bar, its interval and its words, from the
// largest one down, and the table has the same.
func TestCapacity(t *testing.T) {
	res := capacities(found(results.KneeInterpolated, 4, 5.5, 8), found(results.KneeBelow, 0, 1, 1),
		found(results.KneeSearched, 11.63, 12.04, 12.41), found(results.KneeBeyond, 32, 32, 0))
	f := figureOf(t, res, "capacity")
	panel := f.body.(*barPlot).panels[0]
	if want := "Largest request rate within the SLO (req/s)"; panel.title != want {
		t.Errorf("axis %q, want %q", panel.title, want)
	}
	none, inf := math.NaN(), math.Inf(1)
	want := []row{
		{name: "d", look: 3, value: 32, low: 32, high: inf, label: "≥ 32", bounds: true},
		{name: "c", look: 2, value: 12.04, low: 11.63, high: 12.41, label: "12 (11.6–12.4)"},
		{name: "a", look: 0, value: 5.5, low: 4, high: 8, label: "≈ 5.5 (4–8)", bounds: true},
		{name: "b", look: 1, value: none, low: -inf, high: 1, label: "SLO never met", bounds: true},
	}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for i, r := range panel.rows {
		w := want[i]
		if r.name != w.name || r.look != w.look || !same(r.value, w.value) || r.low != w.low || r.high != w.high || r.label != w.label || r.bounds != w.bounds {
			t.Errorf("row %d is %+v, want %+v", i, r, w)
		}
	}
	table := "curve,knee,unit,low,high,kind,attainment\nd,32,req/s,32,,beyond,0.9\nc,12.04,req/s,11.63,12.41,searched,0.9\n" +
		"a,5.5,req/s,4,8,interpolated,0.9\nb,1,req/s,,1,below,0.9\n"
	if got := string(f.Data.CSV()); got != table {
		t.Errorf("table\n%swant\n%s", got, table)
	}
	for _, note := range []string{"knee: the largest request rate at which 90 % of the requests meet the SLO", "whisker = 95 % CI",
		"dashed with ≈: between the loads that were simulated", "dashed at the ends: beyond the sweep"} {
		if !slices.Contains(f.Notes, note) {
			t.Errorf("no note %q in %q", note, f.Notes)
		}
	}
	if got := bytes.Count(svg(t, f), []byte("stroke-dasharray")); got != 3 {
		t.Errorf("%d dashed lines for three knees that are not searched", got)
	}
}

// TestCapacityRanksWhatIsApart: the title ranks knees that are known to differ, and no others.
func TestCapacityRanksWhatIsApart(t *testing.T) {
	for _, tt := range []struct {
		high float64 // of the smaller knee
		want string
	}{
		{11, "Within the SLO, b serves 1.2× the load of a"},
		{15, "SLO met up to 12 req/s with b, not distinguishable with a"},
	} {
		res := capacities(found(results.KneeSearched, 9, 10, tt.high), found(results.KneeSearched, 11.5, 12, 12.5))
		if got := figureOf(t, res, "capacity").Title; got != tt.want {
			t.Errorf("interval up to %g: %q, want %q", tt.high, got, tt.want)
		}
	}
}

// TestCapacityKeepsTheOrderOfASweep: where curves differ in a second variable, one reads
// along it.
func TestCapacityKeepsTheOrderOfASweep(t *testing.T) {
	res := capacities(found(results.KneeInterpolated, 2, 3, 4), found(results.KneeInterpolated, 8, 9, 16), found(results.KneeInterpolated, 4, 5, 8))
	res.Sweep = append(res.Sweep, results.Axis{Path: "strategy.a.max_num_seqs", Label: "max_num_seqs", Values: swept(8, 16, 32)})
	var names []string
	for _, r := range figureOf(t, res, "capacity").body.(*barPlot).panels[0].rows {
		names = append(names, r.name)
	}
	if !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("order %q", names)
	}
}

// TestCapacityUnasked: there is no default figure of what is the same for all, or of one curve.
func TestCapacityUnasked(t *testing.T) {
	beyond, below := func() *results.Knee { return found(results.KneeBeyond, 32, 32, 0) }, func() *results.Knee { return found(results.KneeBelow, 0, 1, 1) }
	known := func() *results.Knee { return found(results.KneeInterpolated, 4, 5, 8) }
	power := func() *results.Knee { return &results.Knee{Kind: results.KneePower, Value: 8} }
	for name, tt := range map[string]struct {
		knees []*results.Knee
		want  bool
	}{
		"all beyond": {[]*results.Knee{beyond(), beyond()}, false},
		"all below":  {[]*results.Knee{below(), below()}, false},
		"no SLO":     {[]*results.Knee{power(), power()}, false},
		"one curve":  {[]*results.Knee{known()}, false},
		"one known":  {[]*results.Knee{known(), below()}, true},
		"opposite":   {[]*results.Knee{beyond(), below()}, true},
	} {
		if got := Figures(capacities(tt.knees...))[0].Name == "capacity"; got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
	}
}

// TestCapacityWithoutAnObjective: knees of largest throughput / latency are named so.
func TestCapacityWithoutAnObjective(t *testing.T) {
	res := capacities(&results.Knee{Kind: results.KneePower, Value: 8}, &results.Knee{Kind: results.KneePower, Value: 4})
	res.Plots = []results.PlotSpec{{Kind: results.PlotCapacity, File: "knees"}}
	f := figureOf(t, res, "knees")
	if f.Title != "Request rate of largest throughput / latency" || strings.Contains(strings.Join(f.Notes, " "), "meet the SLO") {
		t.Errorf("%q, %q", f.Title, f.Notes)
	}
	res.Sweep[0].Path = "hardware.tp"
	if figures := Figures(res); len(figures) > 0 {
		t.Errorf("%d figures of knees over what is no load", len(figures))
	}
}
