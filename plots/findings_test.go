package plots

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// TestFindingsAreLegible draws the knees, factors and expectations of random outcomes, some of
// them 0 or missing, in every size.
func TestFindingsAreLegible(t *testing.T) {
	for seed := range effort.Times(t, 60) {
		random := rand.New(rand.NewPCG(uint64(seed), 9))
		res := anyFindings(random)
		for _, kind := range []string{results.PlotCapacity, results.PlotFactors, results.PlotPublished} {
			res.Plots = append(res.Plots, results.PlotSpec{Kind: kind, File: kind})
		}
		for _, f := range Figures(res) {
			legible(t, chart.NewStyle(chart.Sizes[seed%len(chart.Sizes)], chart.Themes[0], nil), f)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// foundMetrics are those of which random outcomes have values.
var foundMetrics = []string{metrics.MeanTTFT, metrics.MeanTPOT, metrics.OutputThroughput, metrics.MeanE2EL, metrics.Attainment, metrics.Preemptions}

// anyFindings are of up to 12 strategies, over up to six loads or none, with claims and
// expectations that are met by chance.
func anyFindings(random *rand.Rand) *results.Results {
	plan := &results.Plan{Replications: 1 + random.IntN(4), SLO: results.SLO{TTFTms: 100, Attainment: 0.9}, Points: []results.PlannedPoint{{}}}
	if random.IntN(3) > 0 {
		var rates []any
		plan.Points = nil
		for i := range 1 + random.IntN(6) {
			rates = append(rates, math.Pow(10, float64(i)-3))
			plan.Points = append(plan.Points, results.PlannedPoint{Values: swept(rates[i])})
		}
		plan.Sweep = []results.Axis{{Path: "workload.arrival.rate", Label: "request rate", Unit: "req/s", Values: swept(rates...)}}
	}
	for i := range 1 + random.IntN(12) {
		plan.Strategies = append(plan.Strategies, fmt.Sprint(anyName(random), i))
	}
	addClaims(random, plan)
	addExpected(random, plan)
	plan.Cells = plan.AllCells()
	outcomes := map[string]*results.Outcome{}
	for i := range plan.Cells {
		plan.Cells[i].Key = fmt.Sprint(i)
		values := metrics.Values{metrics.CompletedRequests: 10}
		for _, key := range foundMetrics {
			switch chance := random.IntN(12); {
			case chance == 0:
				values[key] = 0
			case key == metrics.Attainment:
				values[key] = random.Float64()
			case chance > 1:
				values[key] = math.Pow(10, 8*random.Float64()-4)
			}
		}
		outcomes[fmt.Sprint(i)] = &results.Outcome{Why: &metrics.Why{}, Metrics: values}
	}
	return results.Aggregate(plan, results.ByKey(outcomes))
}

func anyOf(random *rand.Rand, names []string) string { return names[random.IntN(len(names))] }

// addClaims adds up to seven claims, at all loads or places of their own.
func addClaims(random *rand.Rand, plan *results.Plan) {
	for range random.IntN(8) {
		low := math.Pow(10, 6*random.Float64()-4)
		c := claim(anyOf(random, plan.Strategies), anyOf(random, plan.Strategies), anyOf(random, foundMetrics[:4]), low, low*(1+3*random.Float64()), results.Loads()...)
		switch {
		case plan.Sweep == nil:
			c.At = []results.Place{{}}
		case random.IntN(2) == 0:
			c.At = []results.Place{{Value: plan.Sweep[0].Values[0]}, {Word: results.Saturation}}
		}
		if c.Strategy != c.Over {
			plan.Claimed = append(plan.Claimed, c)
		}
	}
}

// addExpected adds up to 29 expectations, some of them with one bound.
func addExpected(random *rand.Rand, plan *results.Plan) {
	for range random.IntN(30) {
		low := math.Pow(10, 6*random.Float64()-4)
		x := results.Expected{Metric: anyOf(random, foundMetrics), Strategies: []string{anyOf(random, plan.Strategies)}, Low: low, High: low * (1 + 3*random.Float64())}
		if random.IntN(2) == 0 {
			x.Strategies = append(x.Strategies, anyOf(random, plan.Strategies))
		}
		switch random.IntN(5) {
		case 0:
			x.Low = 0
		case 1:
			x.High = 1e9
		}
		if plan.Sweep != nil {
			x.At = results.Place{Word: anyOf(random, results.Words)}
		}
		plan.Expected = append(plan.Expected, x)
	}
}
