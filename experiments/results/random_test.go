package results

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"kneepoint/sim/metrics"
)

// oddNames are names of strategies, classes and files that a CSV must quote, or that others
// have stumbled over.
var oddNames = []string{"a", "b, c", `d "quoted"`, "two\nlines", "静的バッチ", "🚀", " spaced ", "x=1;y|z", "'", "NULL", "naïve\tÉ", strings.Repeat("長い", 150)}

// randomResults are results of up to three strategies over up to two axes, of open and closed
// loops with and without a measuring window, classes, an objective and a searched knee. Outcomes
// and metrics may be missing.
func randomResults(t *rapid.T) *Results {
	names := rapid.Permutation(oddNames).Draw(t, "names")
	p := &Plan{Name: names[0], Title: names[1], Strategies: names[2 : 2+rapid.IntRange(1, 3).Draw(t, "strategies")],
		Replications: rapid.IntRange(1, 4).Draw(t, "replications"), Seed: 7}
	if rapid.Bool().Draw(t, "with an SLO") {
		p.SLO = SLO{TTFTms: 100, Attainment: 0.9}
	}
	p.Sweep = rapid.SampledFrom([][]Axis{
		nil,
		{axisOf("workload.arrival.rate", 1, 2.5, 8)},
		{axisOf("workload.arrival.rate", 4, 8), axisOf("strategy."+p.Strategies[0]+".max_num_seqs", 8, 64)},
		{axisOf("hardware.accelerator", "h100, sxm", `"a"`), axisOf("workload.arrival.rate", 1e8, 2)},
		{axisOf("workload.arrival.rate", 1, "inf")},
	}).Draw(t, "sweep")
	p.Points = productOf(p.Sweep)
	p.Cells = p.AllCells()
	classes, window := rapid.IntRange(0, 2).Draw(t, "classes"), rapid.SampledFrom([]string{"", "closed", "measured"}).Draw(t, "window")
	outcomes := map[string]*Outcome{}
	for i := range p.Cells {
		p.Cells[i].Key = fmt.Sprint(i)
		if rapid.IntRange(0, 9).Draw(t, "missing") > 0 {
			outcomes[p.Cells[i].Key] = randomOutcome(t, classes, window)
		}
	}
	if len(p.Sweep) == 1 && rapid.Bool().Draw(t, "searched") {
		p.Searched = []Searched{searchedOf(p.Strategies[0], probesOf(2, 8, 0.1, 1.8, 2.2))}
	}
	return Aggregate(p, ByKey(outcomes))
}

// productOf are the points of a sweep, the first axis fastest.
func productOf(axes []Axis) []PlannedPoint {
	all := []PlannedPoint{{}}
	for i := len(axes) - 1; i >= 0; i-- {
		var next []PlannedPoint
		for _, point := range all {
			for _, v := range axes[i].Values {
				next = append(next, PlannedPoint{Values: append([]Value{v}, point.Values...)})
			}
		}
		all = next
	}
	return all
}

func randomOutcome(t *rapid.T, classes int, window string) *Outcome {
	values := func(name string) metrics.Values {
		v := metrics.Values{metrics.CompletedRequests: 100, metrics.MeanE2EL: 30}
		for _, key := range rapid.SliceOfN(rapid.SampledFrom(metrics.Keys()), 0, 12).Draw(t, name) {
			v.Set(key, rapid.SampledFrom([]float64{0, 1e-9, 1 / 3.0, 0.97, 1, 41.5, 1e18}).Draw(t, key))
		}
		return v
	}
	o := &Outcome{Metrics: values("metrics"), Why: &metrics.Why{TTFT: metrics.Split{}, E2EL: metrics.Split{}}}
	for _, statistic := range rapid.SliceOfN(rapid.SampledFrom(metrics.SplitStatistics()), 0, 3).Draw(t, "statistics") {
		o.Why.TTFT[statistic] = metrics.Parts{metrics.Queue: 1e-3, metrics.Decode: 1e-3 / 3}
		o.Why.E2EL[statistic] = metrics.Parts{metrics.Prefill: 0.7}
	}
	if rapid.Bool().Draw(t, "by scale") {
		o.ByScale = make([]float64, len(metrics.Scales))
		o.ByScale[3] = 1 / 3.0
	}
	o.Why.Bottleneck = rapid.SampledFrom([]metrics.Bottleneck{metrics.ByLoad, metrics.ByKV, ""}).Draw(t, "bottleneck")
	for class := range classes {
		o.Clients = append(o.Clients, ClientRun{oddNames[class+1], values("class")})
	}
	switch {
	case window == "measured":
		o.Steady = values("steady")
	case window == "closed" && rapid.Bool().Draw(t, "long enough"):
		o.Steady, o.SteadyState = values("steady"), &metrics.SteadyState{First: 5, End: 90, Settled: true}
	}
	return o
}
