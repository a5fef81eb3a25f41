package plots

import (
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// TestKindsAreLegible draws figures that are asked for of random experiments in every size:
// no text lies on another or leaves the page.
func TestKindsAreLegible(t *testing.T) {
	knee := results.Place{Word: results.AtKnee}
	specs := []results.PlotSpec{
		{Kind: results.PlotTradeoff, Metric: metrics.OutputThroughput, X: metrics.MedianTPOT, Per: results.PerAccelerator, File: "per"},
		{Kind: results.PlotTradeoff, Metric: metrics.Attainment, X: "p90_tpot_ms", File: "against"},
		{Kind: results.PlotUtilization, File: "used"},
		{Kind: results.PlotLatencyParts, Metric: "ttft", At: knee, File: "parts"},
		{Kind: results.PlotSLOScale, At: knee, File: "scale"},
	}
	for seed := range effort.Times(t, 60) {
		random := rand.New(rand.NewPCG(uint64(seed), 2))
		res := scaled(used(anyResults(random)))
		parts := metrics.Parts{metrics.FrontEnd: 0.001, metrics.Queue: 3, metrics.Prefill: 0.1}
		parts[metrics.Decode] = 4 * parts[random.IntN(len(parts))]
		for i := range res.Series {
			for k := range res.Series[i].Points {
				p := &res.Series[i].Points[k]
				p.Metrics[metrics.Accelerators] = metrics.Estimate{Mean: float64(1 + random.IntN(8)), N: 3}
				p.Why.TTFT = metrics.Split{"mean": parts, "p90": parts, "p99": parts}
			}
		}
		s := chart.NewStyle(chart.Sizes[seed%len(chart.Sizes)], chart.Themes[0], nil)
		for _, spec := range specs {
			for _, f := range asked(res, spec) {
				legible(t, s, f)
			}
		}
		var sizes []any
		for i := range 2 + random.IntN(14) {
			sizes = append(sizes, 1<<i)
		}
		names := []server{static, {anyName(random), 1, 60, 9}, {anyName(random), 1, 60, 9}}
		for _, f := range asked(twoSwept(sizes, names[:1+random.IntN(3)]...), mapOfAttainment) {
			f.body.(*heatPlot).yTitle = "" // turned by 90°, which an SVG does not say where the text is
			legible(t, s, f)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
