package plots

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// anyPlan is an answer of 2 to 30 candidates with names of up to 60 letters on up to 5 accelerators.
func anyPlan(random *rand.Rand) Plan {
	a := &results.Answer{Name: "plan", Title: "Which of them?", Version: "0.1.0", Least: "cost", Target: 0.9,
		SLO: results.SLO{TTFTms: 500, TPOTms: 40}}
	for i := range 2 + random.IntN(29) {
		around := func(middle float64) metrics.Estimate {
			return metrics.Estimate{Mean: middle * (0.2 + random.Float64()), N: 5}
		}
		fleet := &results.PlannedFleet{Metrics: map[string]metrics.Estimate{
			metrics.PricePerHour: around(50), metrics.P99TTFT: around(400), metrics.P99TPOT: around(30),
			metrics.MedianTPOT: around(25), metrics.OutputThroughput: around(9000), metrics.Accelerators: around(8),
		}}
		unit := results.Unit{Accelerator: fmt.Sprintf("accelerator-%d", random.IntN(5))}
		a.Options = append(a.Options, results.Option{Name: fmt.Sprint(anyName(random), i), Unit: unit, Fleet: fleet})
	}
	a.FindFronts()
	return Plan{a}
}

// TestPlansAreLegible draws the figures of random plans in every size: no text lies on
// another or leaves the page, and what no other option dominates is on the line.
func TestPlansAreLegible(t *testing.T) {
	for seed := range effort.Times(t, 40) {
		p := anyPlan(rand.New(rand.NewPCG(uint64(seed), 3)))
		figures := p.Figures()
		if len(figures) != 3 {
			t.Fatalf("seed %d: %d figures", seed, len(figures))
		}
		for i, f := range figures {
			legible(t, chart.NewStyle(chart.Sizes[seed%len(chart.Sizes)], chart.Themes[0], nil), f)
			best := 0
			for _, point := range p.Fronts[i].Points {
				if point.Dominated == "" {
					best++
				}
			}
			if line := f.body.(*frontPlot).front.XYs; len(line) != best || !slices.IsSortedFunc(line, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) }) {
				t.Errorf("%s: a line through %v, and %d options are on the front", f.Name, line, best)
			}
			if len(f.Data.Rows) != len(p.Fronts[i].Points) {
				t.Errorf("%s: a table of %d rows", f.Name, len(f.Data.Rows))
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestTornadosAreLegible draws what random factors do in every size, over units and, where these stay, over attainment.
func TestTornadosAreLegible(t *testing.T) {
	for seed := range effort.Times(t, 20) {
		random := rand.New(rand.NewPCG(uint64(seed), 4))
		p := anyPlan(random)
		p.Options[0].Units, p.Options[0].Judged = 12, &results.Judgement{Attainment: 0.93}
		p.Uncertainty = &results.Uncertainty{Draws: 100, Options: []results.UncertainOption{{Low: 11, High: 15}}}
		for range 1 + random.IntN(9) {
			end := func(value float64) results.TornadoEnd {
				e := results.TornadoEnd{Value: value, Units: 12, Attainment: 0.8 + 0.2*random.Float64()}
				if seed%3 > 0 {
					e.Units = random.IntN(30) // 0 is none within reach
				}
				return e
			}
			p.Uncertainty.Tornado = append(p.Uncertainty.Tornado, results.TornadoBar{Factor: anyName(random), Low: end(0.7), High: end(1.4)})
		}
		f, ok := p.tornado()
		if most := f.body.(*tornadoPlot).most; strings.Contains(f.Title, "SLO with") != (most == 1) {
			t.Errorf("seed %d: %q up to %v", seed, f.Title, most)
		}
		if !ok || len(f.Data.Rows) != len(p.Uncertainty.Tornado) || strings.Contains(f.Title, ": units of") != (seed%3 > 0) {
			t.Errorf("seed %d: %q with %d rows", seed, f.Title, len(f.Data.Rows))
		}
		legible(t, chart.NewStyle(chart.Sizes[seed%len(chart.Sizes)], chart.Themes[0], nil), f)
	}
	if _, ok := (Plan{&results.Answer{}}).tornado(); ok {
		t.Error("a figure of nothing")
	}
}

// TestTornadoOfChance: where no factor changes the number of units, and the share that meets the objective by no more than the half of its
// interval, there is nothing to see.
func TestTornadoOfChance(t *testing.T) {
	for _, c := range []struct {
		low, high float64 // attainment
		units     int     // at the high end; 1 at the low one, as planned
		drawn     bool
	}{{1, 0.997, 1, false}, {0.995, 1, 1, true}, {1, 0.995, 1, true}, {0.995, 0.995, 1, false}, {1, 1, 2, true}} {
		p := Plan{&results.Answer{Options: []results.Option{{Units: 1, Judged: &results.Judgement{Attainment: 1, Half: 0.004}}},
			Uncertainty: &results.Uncertainty{Draws: 40, Options: []results.UncertainOption{{Low: 1, High: 1}},
				Tornado: []results.TornadoBar{{Factor: "demand", Low: results.TornadoEnd{Value: 0.5, Units: 1, Attainment: c.low},
					High: results.TornadoEnd{Value: 2, Units: c.units, Attainment: c.high}}}}}}
		if _, drawn := p.tornado(); drawn != c.drawn {
			t.Errorf("%+v: drawn %t", c, drawn)
		}
	}
}

// TestTicksOfNearlyAll: shares that are all nearly 100 % are told apart.
func TestTicksOfNearlyAll(t *testing.T) {
	p := plot.New()
	shareAxis(&p.X, 0.99915, 1, nil)
	seen := map[string]bool{}
	for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if seen[tick.Label] {
			t.Errorf("two ticks at %s", tick.Label)
		}
		seen[tick.Label] = true
	}
	if len(seen) < 3 {
		t.Errorf("%d ticks", len(seen))
	}
}

// TestFrontsThatSayNothing: options of one price are no figure over the price, and a
// bound far from all latencies is not drawn.
func TestFrontsThatSayNothing(t *testing.T) {
	p := anyPlan(rand.New(rand.NewPCG(1, 3)))
	for i := range p.Fronts[0].Points {
		p.Fronts[0].Points[i].X = 3
	}
	p.SLO.TPOTms = 1e6
	figures := p.Figures()
	if len(figures) != 2 || figures[0].Name != "cost-vs-tpot" {
		t.Fatalf("%d figures", len(figures))
	}
	if targets := figures[0].body.(*frontPlot).targets; targets != nil {
		t.Errorf("bounds %+v", targets)
	}
}

// TestPlansInOtherLetters: a name that no font has stands in the SVG, and a number in the PNG.
func TestPlansInOtherLetters(t *testing.T) {
	p := anyPlan(rand.New(rand.NewPCG(2, 3)))
	first := p.Fronts[0].Points[0].Option
	p.Options[0].Name = "候補"
	for i := range p.Fronts {
		for k := range p.Fronts[i].Points {
			if p.Fronts[i].Points[k].Option == first {
				p.Fronts[i].Points[k].Option = p.Options[0].Name
			}
		}
	}
	images, err := p.Images(Options{})
	if err != nil {
		t.Fatal(err)
	}
	shown, meanings := p.written(func(name string) bool { return name != "候補" })
	if got := shown.Fronts[0].Points[0].Option; got != "candidate 1" || p.Fronts[0].Points[0].Option != "候補" {
		t.Errorf("written as %q", got)
	}
	if want := []string{"candidate 1 is 候補"}; !slices.Equal(meanings, want) {
		t.Errorf("said %q, want %q", meanings, want)
	}
	for _, image := range images {
		if strings.HasSuffix(image.Name, ".csv") && !strings.Contains(string(image.Bytes), "候補") {
			t.Errorf("%s without the name", image.Name)
		}
	}
}

// TestAxisOfDots: linear axes begin near dots that are all in their upper half, and at zero under others.
func TestAxisOfDots(t *testing.T) {
	m := measure{kind: rangeAxis, format: exact}
	for _, c := range []struct {
		values   []float64
		min, max float64
	}{{[]float64{30, 40}, 27.5, 42.5}, {[]float64{10, 40}, 0, 46}, {[]float64{100, 100}, 96.25, 103.75}} {
		a := plot.New().X
		m.axisOfDots(c.values)(&a)
		if math.Abs(a.Min-c.min) > 1e-9 || math.Abs(a.Max-c.max) > 1e-9 {
			t.Errorf("%v: from %v to %v, want %v to %v", c.values, a.Min, a.Max, c.min, c.max)
		}
	}
}
