package experiments

import (
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/hardware"
)

// TestObjectiveOfAPlot: there is one where the file, or a class of clients, has a bound, or where
// a bound of either is swept.
func TestObjectiveOfAPlot(t *testing.T) {
	for path, want := range map[string]bool{
		"": false, "slo.ttft_ms": true, "workload.client.a.slo.tpot_ms": true, "slo.attainment": false, "workload.arrival.rate": false,
		"workload.slow_ms": false,
	} {
		e := &Experiment{Axes: []results.Axis{{Path: path}}}
		if got := e.hasObjective(); got != want {
			t.Errorf("swept %q: %t, want %t", path, got, want)
		}
	}
	e := &Experiment{}
	e.Spec.SLO.E2ELms = 5
	if !e.hasObjective() {
		t.Error("a bound of the file is none")
	}
}

// TestKindsWithCurves: a heatmap is over two variables, so that it takes one beside its x, as
// figures of curves do.
func TestKindsWithCurves(t *testing.T) {
	words := (*PlotSpec)(nil).Words("by")
	for kind, want := range map[string]bool{results.PlotHeatmap: true, results.PlotCurve: true, results.PlotTimeline: false} {
		if got := slices.Contains(words, kind); got != want {
			t.Errorf("%s takes by: %t, want %t", kind, got, want)
		}
	}
}

// TestUnitsOfAPlot: figures per dollar and per watt need an accelerator that has a price, or a
// power, in some simulation.
func TestUnitsOfAPlot(t *testing.T) {
	for per, change := range map[string]func(a *hardware.Accelerator, v float64){
		results.PerDollar: func(a *hardware.Accelerator, v float64) { a.USDPerHour = v },
		results.PerWatt:   func(a *hardware.Accelerator, v float64) { a.TDPWatts = v },
	} {
		e := experiment(t, swept)
		e.Spec.Plots = []PlotSpec{{Kind: results.PlotCurve, Per: per}}
		for i := range e.cells {
			change(&e.cells[i].scenario.Pools[0].Deployment.Roofline.Accelerator, 0)
		}
		if err := e.checkPlotUnits(); err == nil {
			t.Errorf("per %s: accepted where no accelerator has one", per)
		}
		change(&e.cells[len(e.cells)-1].scenario.Pools[0].Deployment.Roofline.Accelerator, 1)
		if err := e.checkPlotUnits(); err != nil {
			t.Errorf("per %s: %v", per, err)
		}
	}
}

// TestScalesOfGaps: a file that asks for scaled objectives is refused where some requests have a bound of their gaps
// between tokens, at some point.
func TestScalesOfGaps(t *testing.T) {
	scaled := swept + "[[plot]]\nkind = 'slo-scale'\n"
	for text, wrong := range map[string]bool{
		scaled: false,
		strings.Replace(scaled, "ttft_ms", "itl_p99_ms", 1):                                      true,
		strings.Replace(scaled, "[slo]", clients+"slo.itl_p99_ms = 9\n[slo]", 1):                 true,
		strings.Replace(scaled, "[sweep]", "[sweep]\n'slo.itl_p99_ms' = [0, 9]\n", 1):            true,
		strings.Replace(scaled, "[slo]", clients+"slo.itl_p99_ms = 0\n[slo]\nitl_p99_ms = 9", 1): false,
	} {
		f, err := Parse("scaled.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		const want = `plot[0].kind = "slo-scale": needs to know how far each request is from its bounds`
		if _, err := f.Check(); wrong != (err != nil) || wrong && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
