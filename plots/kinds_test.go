package plots

import (
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// TestTitlesOfAlikeFigures: figures of every kind that are drawn twice have titles, and no two the
// same one.
func TestTitlesOfAlikeFigures(t *testing.T) {
	res := explained(used(madeUp(rates, chatSLO, static, continuous)), metrics.Parts{metrics.Decode: 1})
	for _, spec := range []results.PlotSpec{
		{Kind: results.PlotCurve, Metric: metrics.Goodput},
		{Kind: results.PlotTradeoff, Metric: metrics.OutputThroughput, X: metrics.MedianTPOT},
		{Kind: results.PlotWhereTimeGoes},
		{Kind: results.PlotCapacity},
		{Kind: results.PlotUtilization},
	} {
		for _, file := range []string{"first", "second"} {
			spec.File = spec.Kind + "-" + file
			res.Plots = append(res.Plots, spec)
		}
	}
	titles := map[string]bool{}
	figures := Figures(res)
	for _, f := range figures {
		if f.Title == "" || titles[f.Title] {
			t.Errorf("%s has the title %q", f.Name, f.Title)
		}
		titles[f.Title] = true
	}
	if len(figures) != len(res.Plots) {
		t.Errorf("%d of %d figures", len(figures), len(res.Plots))
	}
}
