package results

import (
	"math"
	"testing"

	"kneepoint/sim/metrics"
)

// TestDifferences: a strategy is compared with the first one in each replication, and
// only then is the mean taken. Shares are of the first one's value: doubling is +1,
// halving -1/2. What is nothing under the first strategy has no share.
func TestDifferences(t *testing.T) {
	const key, none, absent = metrics.OutputThroughput, metrics.MeanE2EL, metrics.Goodput
	values := [][]metrics.Values{ // by strategy and replication
		{{key: 10, none: 0, absent: 1}, {key: 40, none: 5}, {key: 100, none: 0}},
		{{key: 20, none: 2}, {key: 20, none: 10}, {key: 100, none: 4}},
	}
	plan := &Plan{Strategies: []string{"first", "second"}, Replications: 3, Points: []PlannedPoint{{}}}
	plan.Cells = plan.AllCells()
	outcomes := map[string]*Outcome{}
	for i := range plan.Cells {
		cell := &plan.Cells[i]
		cell.Key = string(rune('A' + i))
		of := 0
		if cell.Strategy == "second" {
			of = 1
		}
		outcomes[cell.Key] = &Outcome{Metrics: values[of][cell.Replication], Why: &metrics.Why{}}
	}
	all := Aggregate(plan, ByKey(outcomes)).Differences
	if len(all) != 1 || all[0].Strategy != "second" || all[0].Baseline != "first" {
		t.Fatalf("the differences are %+v", all)
	}
	d := all[0]
	relative, absolute := metrics.NewEstimate([]float64{1, -0.5, 0}), metrics.NewEstimate([]float64{10, -20, 0})
	for name, c := range map[string]struct{ got, want metrics.Estimate }{
		"relative":                {d.Relative[key], relative},
		"absolute":                {d.Absolute[key], absolute},
		"relative to nothing":     {d.Relative[none], metrics.NewEstimate([]float64{1})},
		"absolute beside nothing": {d.Absolute[none], metrics.NewEstimate([]float64{2, 5, 4})},
	} {
		t.Run(name, func(t *testing.T) {
			if math.Abs(c.got.Mean-c.want.Mean) > 1e-12 || c.got.N != c.want.N ||
				math.Abs(c.got.Half-c.want.Half) > 1e-9 || math.IsNaN(c.got.Half) != math.IsNaN(c.want.Half) {
				t.Errorf("%+v, want %+v", c.got, c.want)
			}
		})
	}
	if _, found := d.Relative[absent]; found {
		t.Error("a metric without values under both strategies has a difference")
	}

	// Replications that replay the same traffic are one sample; where one strategy draws
	// something besides, their differences differ by that.
	for name, c := range map[string]struct {
		first, second *Replay
		interval      bool
	}{
		"both replay":         {&Replay{}, &Replay{}, false},
		"the second draws":    {&Replay{}, &Replay{Draws: []string{"guesses"}}, true},
		"the first draws":     {&Replay{Draws: []string{"guesses"}}, &Replay{}, true},
		"both draw":           {&Replay{Draws: []string{"guesses"}}, &Replay{Draws: []string{"guesses"}}, true},
		"neither replays":     {nil, nil, true},
		"one of them replays": {&Replay{}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range plan.Cells {
				outcomes[plan.Cells[i].Key].Replay = map[string]*Replay{"first": c.first, "second": c.second}[plan.Cells[i].Strategy]
			}
			got := Aggregate(plan, ByKey(outcomes)).Differences[0].Relative[key]
			if got.Mean != relative.Mean || math.IsNaN(got.Half) == c.interval {
				t.Errorf("%+v, want the mean %v, and an interval: %t", got, relative.Mean, c.interval)
			}
		})
	}
}

// TestDifferencesAtEachPoint: of three strategies at two points each but the first is
// compared with the first of its own point, and what was not run is left out.
func TestDifferencesAtEachPoint(t *testing.T) {
	plan := twoByThree()
	plan.Strategies, plan.Replications, plan.Cells = []string{"a", "b", "c"}, 1, nil
	plan.Cells = plan.AllCells()
	outcomes := map[string]*Outcome{}
	for i := range plan.Cells {
		cell := &plan.Cells[i]
		cell.Key = string(rune('A' + i))
		// 100, 110, 120 at the first point, 200, 220, 240 at the second, and so on.
		ratio := map[string]float64{"a": 1, "b": 1.1, "c": 1.2}[cell.Strategy]
		outcomes[cell.Key] = &Outcome{Metrics: metrics.Values{metrics.Goodput: 100 * float64(cell.Point+1) * ratio}, Why: &metrics.Why{}}
		if cell.Point == 1 && cell.Strategy == "b" || cell.Point == 2 && cell.Strategy == "a" {
			delete(outcomes, cell.Key)
		}
	}
	want := []struct {
		strategy string
		point    Value
		share    float64
	}{{"b", plan.Points[0].Values[0], 0.1}, {"c", plan.Points[0].Values[0], 0.2}, {"c", plan.Points[1].Values[0], 0.2}}
	all := Aggregate(plan, ByKey(outcomes)).Differences
	if len(all) != len(want) {
		t.Fatalf("%d differences, want %d: %+v", len(all), len(want), all)
	}
	for i, w := range want {
		d := all[i]
		if got := d.Relative[metrics.Goodput].Mean; d.Strategy != w.strategy || d.Baseline != "a" ||
			!d.Point["workload.arrival.rate"].Same(w.point) || math.Abs(got-w.share) > 1e-12 {
			t.Errorf("difference %d: %s over %s at %v is %v, want %s at %v: %v", i, d.Strategy, d.Baseline, d.Point, got, w.strategy, w.point, w.share)
		}
	}
}
