package results

import (
	"math"
	"slices"
	"testing"
)

// publishedAt is a curve of a figure with points at 1, 2, 3 and so on, and what came out.
func publishedAt(strategy string, published, simulated []float64) Reproduced {
	r := Reproduced{PublishedCurve: PublishedCurve{Figure: "F", Strategy: strategy, Metric: "mbu", X: "rate", Within: 0.1}}
	for i := range published {
		r.Points = append(r.Points, PublishedPoint{X: ValueOf(i + 1), Y: published[i]})
		if r.Simulated = append(r.Simulated, nil); !math.IsNaN(simulated[i]) {
			r.Simulated[i] = &simulated[i]
		}
	}
	return r
}

// TestVerdicts are those of figures whose numbers, orders, crossings and trends were counted by
// hand.
func TestVerdicts(t *testing.T) {
	type counts struct {
		inBand                    int
		orders, crossings, trends Kept
		verdict                   ReproductionVerdict
	}
	nan := math.NaN()
	for name, c := range map[string]struct {
		curves []Reproduced
		want   counts
	}{
		"all as published": {[]Reproduced{publishedAt("a", []float64{1, 2}, []float64{1.05, 1.9}), publishedAt("b", []float64{2, 1}, []float64{2, 1})},
			counts{4, Kept{2, 2}, Kept{1, 1}, Kept{2, 2}, WasReproduced}},
		"four of five in the band": {[]Reproduced{publishedAt("a", []float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 4, 9})},
			counts{4, Kept{}, Kept{}, Kept{4, 4}, WasReproduced}},
		"three of four": {[]Reproduced{publishedAt("a", []float64{1, 2, 3, 4}, []float64{1, 2, 3, 9})},
			counts{3, Kept{}, Kept{}, Kept{3, 3}, ShapeOnly}},
		"twice as much": {[]Reproduced{publishedAt("a", []float64{1, 3}, []float64{2, 6}), publishedAt("b", []float64{2, 2}, []float64{4, 4.1})},
			counts{0, Kept{2, 2}, Kept{1, 1}, Kept{1, 1}, ShapeOnly}},
		"in the band, in the wrong order": {[]Reproduced{publishedAt("a", []float64{1, 1}, []float64{1.05, 1}), publishedAt("b", []float64{1.01, 1.1}, []float64{1, 1.1})},
			counts{4, Kept{2, 1}, Kept{}, Kept{1, 1}, WasMissed}},
		"the other way": {[]Reproduced{publishedAt("a", []float64{1, 2}, []float64{2, 1})},
			counts{0, Kept{}, Kept{}, Kept{1, 0}, WasMissed}},
		"no value is missed": {[]Reproduced{publishedAt("a", []float64{1, 2}, []float64{1, nan})},
			counts{1, Kept{}, Kept{}, Kept{1, 0}, WasMissed}},
		"one number": {[]Reproduced{publishedAt("a", []float64{1}, []float64{1.2})}, counts{0, Kept{}, Kept{}, Kept{}, WasMissed}},
	} {
		t.Run(name, func(t *testing.T) {
			r := Results{Reproduced: c.curves}
			got := r.Reproductions()[0]
			if have := (counts{got.InBand, got.Orders, got.Crossings, got.Trends, got.Verdict}); have != c.want {
				t.Errorf("%+v, want %+v", have, c.want)
			}
		})
	}
}

// TestReasonsAreToldOnce: curves of a figure may share one.
func TestReasonsAreToldOnce(t *testing.T) {
	a, b, c := publishedAt("a", nil, nil), publishedAt("b", nil, nil), publishedAt("c", nil, nil)
	a.Why, b.Why, c.Why = "steps", "memory", "steps"
	r := Results{Reproduced: []Reproduced{a, b, c}}
	if why := r.Reproductions()[0].Why; !slices.Equal(why, []string{"steps", "memory"}) {
		t.Errorf("the reasons are %q", why)
	}
}

// TestCrossingsMayBeOnePlaceOff: where published curves change places between two points, the
// simulated ones may between the next two, and no further away.
func TestCrossingsMayBeOnePlaceOff(t *testing.T) {
	flat := []float64{1, 1, 1, 1, 1}
	for _, c := range []struct {
		simulated []float64
		kept      int
	}{
		{[]float64{0.5, 2, 2, 2, 2}, 1}, {[]float64{0.5, 0.5, 2, 2, 2}, 1}, {[]float64{0.5, 0.5, 0.5, 2, 2}, 0}, {[]float64{2, 2, 0.5, 0.5, 0.5}, 0},
	} {
		r := Results{Reproduced: []Reproduced{publishedAt("a", flat, flat), publishedAt("b", []float64{0.9, 1.1, 1.1, 1.1, 1.1}, c.simulated)}}
		if got := r.Reproductions()[0].Crossings; got != (Kept{1, c.kept}) {
			t.Errorf("%v: %+v of the crossings are kept, want %d of 1", c.simulated, got, c.kept)
		}
	}
}

// TestCrossingsAreAsWideAsReadingsLeaveThem: curves that may be equal at some places cross somewhere between those
// at which they are not, and the simulated ones may anywhere there, or at the next known place.
func TestCrossingsAreAsWideAsReadingsLeaveThem(t *testing.T) {
	flat := []float64{1, 1, 1, 1, 1, 1, 1}
	published := []float64{0.9, 0.9, 0.99, 1.01, 1.1, 1.1, 1.1}
	for _, c := range []struct {
		crosses int // before this place
		kept    int
	}{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 0}} {
		simulated := slices.Repeat([]float64{0.5}, c.crosses)
		simulated = append(simulated, slices.Repeat([]float64{2}, len(flat)-c.crosses)...)
		a, b := publishedAt("a", flat, flat), publishedAt("b", published, simulated)
		a.Reading, b.Reading = 0.02, 0.02
		r := Results{Reproduced: []Reproduced{a, b}}
		if got := r.Reproductions()[0].Crossings; got != (Kept{1, c.kept}) {
			t.Errorf("crossing before place %d: %+v are kept, want %d of 1", c.crosses, got, c.kept)
		}
	}
}

// TestCrossingsBefore: one that comes two places before the published one is another one.
func TestCrossingsBefore(t *testing.T) {
	flat := []float64{1, 1, 1, 1}
	r := Results{Reproduced: []Reproduced{publishedAt("a", flat, flat), publishedAt("b", []float64{0.9, 0.9, 0.9, 1.1}, []float64{0.5, 2, 2, 2})}}
	if got := r.Reproductions()[0].Crossings; got != (Kept{1, 0}) {
		t.Errorf("%+v of the crossings are kept, want none of 1", got)
	}
}

// TestOrdersOfStrategies: values by strategy have an order for every pair that differs, and no trend.
func TestOrdersOfStrategies(t *testing.T) {
	c := publishedAt("", []float64{1, 2, 2, 3}, []float64{1, 4, 2, 3})
	c.X = ByStrategy
	r := Results{Reproduced: []Reproduced{c}}
	if got := r.Reproductions()[0]; got.Orders != (Kept{5, 4}) || got.Trends != (Kept{}) {
		t.Errorf("orders %+v, want 4 of 5; trends %+v, want none", got.Orders, got.Trends)
	}
}

// TestOnePlaceHasNoTrend: two values that one curve has at one place are of one simulated value, which neither rises nor
// is in an order.
func TestOnePlaceHasNoTrend(t *testing.T) {
	c := publishedAt("a", []float64{1, 2, 3}, []float64{2, 2, 3})
	c.Points[1].X = c.Points[0].X
	r := Results{Reproduced: []Reproduced{c}}
	if got := r.Reproductions()[0]; got.Trends != (Kept{1, 1}) {
		t.Errorf("%+v of the trends are kept, want that to the third value", got.Trends)
	}
	c.X = ByStrategy
	r = Results{Reproduced: []Reproduced{c}}
	if got := r.Reproductions()[0]; got.Orders != (Kept{2, 2}) {
		t.Errorf("%+v of the orders are kept, want both against the third value", got.Orders)
	}
}

// TestReadingsThatMayBeEqual have no order: what was read off a drawing is known to a share.
func TestReadingsThatMayBeEqual(t *testing.T) {
	a, b := publishedAt("a", []float64{1, 1}, []float64{2, 2}), publishedAt("b", []float64{1.03, 1.05}, []float64{1, 1})
	a.Reading, b.Reading = 0.02, 0.02
	r := Results{Reproduced: []Reproduced{a, b}}
	if got := r.Reproductions()[0].Orders; got != (Kept{1, 0}) {
		t.Errorf("%+v of the orders are kept, want none of the one at 1.05", got)
	}
}

// TestNoiseThatMayBeAll: two values that repeated measurements do not tell apart have no order.
func TestNoiseThatMayBeAll(t *testing.T) {
	a, b := publishedAt("a", []float64{1, 1}, []float64{2, 2}), publishedAt("b", []float64{1.03, 1.03}, []float64{1, 1})
	a.Points[0].Noise, b.Points[0].Noise = 0.02, 0.01
	r := Results{Reproduced: []Reproduced{a, b}}
	if got := r.Reproductions()[0].Orders; got != (Kept{1, 0}) {
		t.Errorf("%+v of the orders are kept, want none of the second one", got)
	}
}

// TestRepeatsHaveNoOrder: what several published values say of one strategy at one place is held against one
// simulated value. Those at another place have one.
func TestRepeatsHaveNoOrder(t *testing.T) {
	a, again := publishedAt("a", []float64{1}, []float64{1}), publishedAt("a", []float64{2}, []float64{1})
	elsewhere := publishedAt("a", []float64{3}, []float64{3})
	elsewhere.Where = Setting{"y": ValueOf(1)}
	r := Results{Reproduced: []Reproduced{a, again, elsewhere}}
	if got := r.Reproductions()[0].Orders; got != (Kept{2, 2}) {
		t.Errorf("%+v of the orders are kept, want both against the third", got)
	}
}

// TestRepeatsOnBothSides: what was published several times of one quantity has an order with another
// one where all its values do.
func TestRepeatsOnBothSides(t *testing.T) {
	a, again := publishedAt("a", []float64{1, 1, 1}, []float64{1, 1, 1}), publishedAt("a", []float64{3, 3}, []float64{1, 1})
	b := publishedAt("b", []float64{2, 4, 2}, []float64{0, 0, 0})
	for name, curves := range map[string][]Reproduced{"once": {a, again, b}, "the other first": {b, a, again}} {
		t.Run(name, func(t *testing.T) {
			r := Results{Reproduced: curves}
			if got := r.Reproductions()[0].Orders; got != (Kept{3, 0}) {
				t.Errorf("%+v of the orders are kept, want none of two at 2 and one at 3, where the other has a single value", got)
			}
		})
	}
}

// TestFiguresAreJudgedApart: curves of different figures or metrics have no order.
func TestFiguresAreJudgedApart(t *testing.T) {
	a, b, c := publishedAt("a", []float64{1}, []float64{1}), publishedAt("b", []float64{2}, []float64{2}), publishedAt("c", []float64{3}, []float64{3})
	b.Figure, c.Metric = "G", "mfu"
	r := Results{Reproduced: []Reproduced{a, b, c}}
	all := r.Reproductions()
	if len(all) != 2 || all[0].Numbers != 2 || all[1].Figure != "G" || all[0].Orders.Of+all[1].Orders.Of != 0 {
		t.Errorf("%+v", all)
	}
}

// TestErrorsOfAFigure are the median and the largest, without sign.
func TestErrorsOfAFigure(t *testing.T) {
	r := Results{Reproduced: []Reproduced{publishedAt("a", []float64{1, 1, 1}, []float64{1.5, 0.9, 1.01})}}
	got := r.Reproductions()[0]
	if math.Abs(*got.Median-0.1) > 1e-12 || math.Abs(*got.Worst-0.5) > 1e-12 {
		t.Errorf("median %v, worst %v", *got.Median, *got.Worst)
	}
}

// Where all numbers are in their bands and an order is not, the words say what is lost.
func TestCounted(t *testing.T) {
	for _, c := range []struct {
		orders Kept
		want   string
	}{
		{Kept{Of: 4, Kept: 4}, "36 of 36 numbers within their bands"},
		{Kept{}, "36 of 36 numbers within their bands"},
		{Kept{Of: 4, Kept: 3}, "36 of 36 numbers within their bands, 1 of 4 orders lost"},
	} {
		r := Reproduction{Numbers: 36, InBand: 36, Orders: c.orders}
		if got := r.Counted(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
