package chart

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
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
		if diff := cmp.Diff(tt.want, LinearTicks(tt.lo, tt.hi, tt.n)); diff != "" {
			t.Errorf("LinearTicks(%g, %g, %d): -want +got\n%s", tt.lo, tt.hi, tt.n, diff)
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
		if diff := cmp.Diff(tt.want, LogTicks(tt.lo, tt.hi, tt.n)); diff != "" {
			t.Errorf("LogTicks(%g, %g, %d): -want +got\n%s", tt.lo, tt.hi, tt.n, diff)
		}
	}
}

func TestTicksStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(1e-9, 1e9).Draw(t, "lo")
		hi := lo * rapid.Float64Range(1.001, 1e9).Draw(t, "ratio")
		n := rapid.IntRange(2, 15).Draw(t, "n")
		for kind, ticks := range map[string][]float64{"linear": LinearTicks(lo, hi, n), "log": LogTicks(lo, hi, n)} {
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
	write := func(v float64) string { return fmt.Sprint(v) }
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(1e-6, 1e6), 1, 10).Draw(t, "values")
		for name, scale := range map[string]func(*plot.Axis, []float64, Format){"linear": FromZero, "log": Log} {
			a := plot.New().X
			scale(&a, values, write)
			for _, v := range values {
				if at := a.Norm(v); !(at >= 0 && at <= 1) {
					t.Fatalf("%s axis [%g, %g] has %g at %g", name, a.Min, a.Max, v, at)
				}
			}
			if ticks := a.Tick.Marker.Ticks(a.Min, a.Max); len(ticks) < 2 {
				t.Fatalf("%s axis over %v has the ticks %v", name, values, ticks)
			}
		}
	})
}

// Where a panel is low, the labels that are left along y are as far from each other.
func TestTicksUpAPanelStayEven(t *testing.T) {
	s := NewStyle(Sizes[0], Themes[0], nil)
	for height := vg.Length(10); height < 200; height += 5 {
		p := s.NewPlot()
		Fractions(&p.Y, func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) })
		s.spaceUp(&p.Y, height)
		ticks := p.Y.Tick.Marker.Ticks(0, 1)
		for i := 2; i < len(ticks); i++ {
			if a, b := ticks[i].Value-ticks[i-1].Value, ticks[1].Value-ticks[0].Value; math.Abs(a-b) > 1e-9 {
				t.Errorf("on a panel of %v: %v", height, ticks)
			}
		}
	}
}

// Where a panel is narrow, so are those of a scale along x; of names none is left out that has room.
func TestTicksAlongAPanelStayEven(t *testing.T) {
	s := NewStyle(Sizes[0], Themes[0], nil)
	for width := vg.Length(30); width < 300; width += 5 {
		p := s.NewPlot()
		FromZero(&p.X, []float64{3400}, func(v float64) string { return fmt.Sprintf("%.0f", v) })
		s.space(&p.X, width)
		ticks := p.X.Tick.Marker.Ticks(0, 3400)
		for i := 2; i < len(ticks); i++ {
			if ticks[i].Value-ticks[i-1].Value != ticks[1].Value {
				t.Errorf("on a panel of %v: %v", width, ticks)
			}
		}
	}
	p := s.NewPlot()
	Categories(&p.X, []string{"a", "b", "a name that is so long that it touches", "d", "e"})
	s.space(&p.X, 130)
	if ticks := p.X.Tick.Marker.Ticks(0, 4); len(ticks) < 3 {
		t.Errorf("of five names are left %v", ticks)
	}
}
