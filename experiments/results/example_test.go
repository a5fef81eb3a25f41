package results_test

import (
	"fmt"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// A plan of one strategy at two rates, whose simulations were done elsewhere and
// are found by their keys.
func ExampleAggregate() {
	rates := []results.Value{results.ValueOf(1), results.ValueOf(4)}
	plan := &results.Plan{
		Title:        "Who keeps the objective?",
		Replications: 1,
		Strategies:   []string{"continuous"},
		Sweep:        []results.Axis{{Path: "workload.arrival.rate", Label: "request rate", Unit: "req/s", Values: rates}},
		Points:       []results.PlannedPoint{{Values: rates[:1]}, {Values: rates[1:]}},
		SLO:          results.SLO{TTFTms: 500, Attainment: 0.9},
	}
	plan.Cells = plan.AllCells()
	plan.Cells[0].Key, plan.Cells[1].Key = "slow", "fast"
	outcomes := map[string]*results.Outcome{}
	for key, attained := range map[string]float64{"slow": 1, "fast": 0.8} {
		outcomes[key] = &results.Outcome{Metrics: metrics.Values{metrics.Attainment: attained, metrics.CompletedRequests: 1000}, Why: &metrics.Why{}}
	}

	res := results.Aggregate(plan, results.ByKey(outcomes))
	knee := res.Series[0].Knee
	fmt.Printf("%s %.2f, from %v to %v\n", knee.Kind, knee.Value, *knee.Low, *knee.High)
	// Output: interpolated 3.61, from 1 to 4
}

// What kneepoint run wrote is read back, and judged again.
func ExampleRead() {
	plan, outcomes, err := results.Read("no such folder")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range results.Aggregate(plan, results.ByKey(outcomes)).Series {
		fmt.Println(s.Label, len(s.Points))
	}
	// Output: no such folder/results.json: cannot be read: no such file or directory
}
