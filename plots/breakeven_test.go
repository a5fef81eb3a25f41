package plots

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// crossed is a search for the rates at which two made-up strategies have as much TTFT, or one as much as a bound.
func crossed(all ...results.BreakEven) *results.Results {
	res := madeUp(rates, chatSLO, static, continuous)
	for i := range all {
		b := &all[i]
		b.Metric, b.Key, b.Unit, b.Min, b.Max = metrics.P99TTFT, "workload.arrival.rate", "req/s", 1, 32
	}
	res.BreakEvens = all
	return res
}

// TestBreakEvens: the figure of a search for break-evens is that of what was compared, with every crossing on its curve, its interval, and
// what is on either side of it, or that there is none.
func TestBreakEvens(t *testing.T) {
	at := func(value float64) results.Crossing {
		return results.Crossing{Value: value, Low: 0.9 * value, High: 1.1 * value, Below: "static", Above: "continuous"}
	}
	for name, c := range map[string]struct {
		b           results.BreakEven
		title, note string
	}{
		"one": {results.BreakEven{Strategy: "continuous", Over: "static", Crossings: []results.Crossing{at(2.5)}},
			"continuous and static: p99 TTFT alike at 2.5 req/s",
			"continuous and static: alike at 2.5 req/s (2.25 to 2.75, 95 % CI), below it static is less, above it continuous"},
		"two": {results.BreakEven{Strategy: "continuous", Over: "static", Crossings: []results.Crossing{at(1.5), at(12)}}, "", "alike at 12 req/s (10.8 to 13.2"},
		"a bound": {results.BreakEven{Strategy: "continuous", Bound: 500, Crossings: []results.Crossing{{Value: 9, Low: 8, High: 10, Below: "continuous", Above: results.ByBound}}},
			"continuous: p99 TTFT is 500 ms at 9 req/s", "continuous and the bound: alike at 9 req/s (8 to 10, 95 % CI), below it continuous is less, above it the bound"},
		"none":    {results.BreakEven{Strategy: "continuous", Over: "static", Less: "continuous", From: 2, To: 32}, "", "continuous and static: continuous is less from 2 to 32 req/s, and no crossing was found"},
		"unclear": {results.BreakEven{Strategy: "continuous", Over: "static"}, "", "continuous and static: not distinguishable"},
	} {
		t.Run(name, func(t *testing.T) {
			figures := Figures(crossed(c.b))
			if len(figures) != 1 || figures[0].Name != "break-even" {
				t.Fatalf("%d figures", len(figures))
			}
			f := figures[0]
			if c.title != "" && f.Title != c.title {
				t.Errorf("title %q, want %q", f.Title, c.title)
			}
			if !slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, c.note) }) {
				t.Errorf("notes %q, want %q", f.Notes, c.note)
			}
			var marked []float64
			for _, cv := range f.body.(*curvePlot).curves {
				if cv.knee != nil {
					marked = append(marked, (cv.knee.low+cv.knee.high)/2)
				}
			}
			if len(marked) != len(c.b.Crossings) {
				t.Errorf("%v marked of %v", marked, c.b.Crossings)
			}
			if bound := f.body.(*curvePlot).targets; (len(bound) == 1) != (c.b.Bound > 0) {
				t.Errorf("targets %v", bound)
			}
			for _, size := range chart.Sizes {
				legible(t, chart.NewStyle(size, chart.Themes[0], nil), f)
			}
		})
	}
}

// TestBreakEvensOfAQuantity: values with a unit are numbers on the axis.
func TestBreakEvensOfAQuantity(t *testing.T) {
	res := crossed(results.BreakEven{Strategy: "continuous", Over: "static"})
	res.BreakEvens[0].Unit = "GB/s"
	for i := range res.Series {
		for k := range res.Series[i].Points {
			p := &res.Series[i].Points[k]
			p.Value = results.ValueOf(p.Value.String() + "GB/s")
		}
	}
	figures := Figures(res)
	if len(figures) != 1 {
		t.Fatalf("%d figures", len(figures))
	}
	body := figures[0].body.(*curvePlot)
	if last := body.curves[0].dots[len(rates)-1]; last.x != 32 || body.xTitle != "Request rate (GB/s)" {
		t.Errorf("the last dot is at %v of %q, want 32", last.x, body.xTitle)
	}
}

// TestBreakEvensOfCombinations: each combination of other swept variables has a figure of its own curves, and names that cannot be written
// are replaced.
func TestBreakEvensOfCombinations(t *testing.T) {
	res := crossed(results.BreakEven{Strategy: "continuous", Over: "static"}, results.BreakEven{Strategy: "continuous", Over: "static"})
	both := res.Series
	res.Series = nil
	res.Sweep = append(res.Sweep, results.Axis{Path: "workload.input.mean", Label: "length"})
	for i, length := range []int{100, 200} {
		fixed := results.Setting{"workload.input.mean": results.ValueOf(length)}
		res.BreakEvens[i].Fixed = fixed
		for _, s := range both {
			s.Fixed = fixed
			res.Series = append(res.Series, s)
		}
	}
	figures := Figures(res)
	if len(figures) != 2 || figures[0].Name != "break-even-1" || figures[1].Name != "break-even-2" {
		t.Fatalf("%d figures", len(figures))
	}
	for i, want := range []string{"length 100", "length 200"} {
		if f := figures[i]; !strings.Contains(f.Subtitle, want) || len(f.body.(*curvePlot).curves) != 2 {
			t.Errorf("%q with %d curves, want two at %s", f.Subtitle, len(f.body.(*curvePlot).curves), want)
		}
	}
	other := crossed(results.BreakEven{Strategy: "continuous", Over: "static"})
	shown, _ := written(other, func(text string) bool { return text != "static" })
	if f := Figures(shown)[0]; !slices.ContainsFunc(f.Notes, func(n string) bool { return n == "continuous and curve 1: not distinguishable" }) {
		t.Errorf("notes %q", f.Notes)
	}
}
