package chart

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
)

// TestCrowdedNamesAreInAKey: names of curves that end at one height move apart as long as each
// still reads as that of its curve; of more of them the key below has the names.
func TestCrowdedNamesAreInAKey(t *testing.T) {
	s := NewStyle(Sizes[0], Themes[0], nil)
	for curves, keyed := range map[int]bool{3: false, 9: true} {
		page := onePanel(s)
		labels := page.Labels[0]
		for i := range curves {
			labels.Names = append(labels.Names, Label{Text: fmt.Sprint("curve ", i), At: plotter.XY{X: 2.1, Y: 1}, Entry: s.CurveSwatch(s.Look(i)), Number: i + 1})
		}
		if got := len(s.Lay(page).key) > 0; got != keyed {
			t.Errorf("%d curves: a key is %t, want %t", curves, got, keyed)
		}
	}
}

// TestNamesThatStandAwayAreLed: a name has a line to its curve's end where others leave it no room there, and only then.
func TestNamesThatStandAwayAreLed(t *testing.T) {
	s := NewStyle(Sizes[0], Themes[0], nil)
	drawn := func(crowd bool) int {
		page := onePanel(s)
		labels := page.Labels[0]
		labels.Names = []Label{{Text: "curve", At: plotter.XY{X: 1.5, Y: 1.5}, Entry: s.CurveSwatch(s.Look(0)), Number: 1}}
		lines := 0
		for i := range 8 {
			if around := 2 * math.Pi * float64(i) / 8; crowd {
				at := plotter.XY{X: 1.5 + 0.04*math.Cos(around), Y: 1.5 + 0.06*math.Sin(around)}
				labels.Discs = append(labels.Discs, Disc{At: at, Radius: s.Em(0.4)})
			}
		}
		recorded := &recorder.Canvas{}
		s.Lay(page).draw(recorded)
		for _, action := range recorded.Actions {
			if _, stroke := action.(*recorder.Stroke); stroke {
				lines++
			}
		}
		return lines
	}
	if free, crowded := drawn(false), drawn(true); crowded != free+1 {
		t.Errorf("%d lines where the name stands at its curve, %d where it stands away", free, crowded)
	}
}

// TestNoLogarithmOfNothing: what has no logarithm has no place on an axis, and is no crash.
func TestNoLogarithmOfNothing(t *testing.T) {
	a := plot.New().X
	Log(&a, []float64{1, 100}, func(float64) string { return "" })
	for _, v := range []float64{0, -1, math.NaN()} {
		if at := a.Norm(v); !math.IsNaN(at) {
			t.Errorf("%g is at %g", v, at)
		}
	}
	if at := a.Norm(10); at < 0.4 || at > 0.6 {
		t.Errorf("10 is at %g", at)
	}
}

// TestLinesToNamesCrossNoOthers: where a name could stand away below another one or beside it, its line does not run through that.
func TestLinesToNamesCrossNoOthers(t *testing.T) {
	s := NewStyle(Sizes[0], Themes[0], nil)
	labels := s.Labels()
	n := placed{Label{Text: "name", Gap: s.Em(0.3)}, vg.Point{X: 500, Y: 500}, vg.Point{X: 60, Y: 12}, 1}
	far := beside(n.at, n.size, s.Em(4), direction{0, -1})
	other := beside(n.at, n.size, s.Em(0.5), direction{0, -1})
	if cost := labels.crossed(n, far, []vg.Rectangle{other}); !(cost > 0) {
		t.Error("a line through another name costs nothing")
	}
	if cost := labels.crossed(n, beside(n.at, n.size, s.Em(4), direction{1, 0}), []vg.Rectangle{other}); cost != 0 {
		t.Errorf("a line beside another name costs %v", cost)
	}
	if cost := labels.crossed(n, beside(n.at, n.size, s.Em(0.4), direction{0, -1}), []vg.Rectangle{other}); cost != 0 {
		t.Errorf("a name without a line costs %v", cost)
	}
}

// TestCrosses: lines through a rectangle, along it, past its corner, and ones that end before it.
func TestCrosses(t *testing.T) {
	r := vg.Rectangle{Min: vg.Point{X: 1, Y: 1}, Max: vg.Point{X: 3, Y: 2}}
	for _, c := range []struct {
		from, to vg.Point
		want     bool
	}{
		{vg.Point{X: 0, Y: 1.5}, vg.Point{X: 4, Y: 1.5}, true},
		{vg.Point{X: 2, Y: 0}, vg.Point{X: 2, Y: 5}, true},
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 4, Y: 3}, true},
		{vg.Point{X: 0, Y: 1}, vg.Point{X: 4, Y: 1}, false},
		{vg.Point{X: 0, Y: 1.5}, vg.Point{X: 1, Y: 3}, false},
		{vg.Point{X: 0, Y: 1.5}, vg.Point{X: 0.9, Y: 1.5}, false},
		{vg.Point{X: 2, Y: 1.5}, vg.Point{X: 2, Y: 1.6}, true},
	} {
		if got := crosses(c.from, c.to, r); got != c.want {
			t.Errorf("from %v to %v: %t", c.from, c.to, got)
		}
	}
}
