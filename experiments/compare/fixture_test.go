package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/experiments/compare"
	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

const (
	latency    = metrics.P99TTFT
	throughput = metrics.OutputThroughput
)

// values are a metric's, by strategy, point and replication; NaN is a run without a value.
type values map[string][][]float64

// sideOf is a folder with one metric of runs at rates 1, 2, …
func sideOf(name, metric string, all values, strategies ...string) *compare.Side {
	axis := results.Axis{Path: "workload.arrival.rate", Label: "request rate", Unit: "req/s"}
	p := &results.Plan{Name: name, Strategies: strategies, Seed: 1, Experiment: map[string]any{"seed": 1}}
	for i := range all[strategies[0]] {
		v := results.ValueOf(i + 1)
		axis.Values, p.Points = append(axis.Values, v), append(p.Points, results.PlannedPoint{Values: []results.Value{v}})
		p.Replications = max(p.Replications, len(all[strategies[0]][i]))
	}
	p.Sweep = []results.Axis{axis}
	p.Cells = p.AllCells()
	outcomes := map[string]*results.Outcome{}
	for i := range p.Cells {
		cell := &p.Cells[i]
		cell.Key = fmt.Sprint(i)
		if of := all[cell.Strategy][cell.Point]; cell.Replication < len(of) {
			o := &results.Outcome{Metrics: metrics.Values{}, Why: &metrics.Why{}}
			o.Metrics.Set(metric, of[cell.Replication])
			outcomes[cell.Key] = o
		}
	}
	return &compare.Side{Name: name, Results: results.Aggregate(p, results.ByKey(outcomes)), Strategies: strategies}
}

// one is a folder of one strategy at one point.
func one(name, metric string, all ...float64) *compare.Side {
	return sideOf(name, metric, values{"s": {all}}, "s")
}

// compared fails the test where there is an error.
func compared(t *testing.T, a, b *compare.Side, o compare.Options) *compare.Comparison {
	t.Helper()
	c, err := compare.Results(a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reseeded is a folder of another seed.
func reseeded(s *compare.Side) *compare.Side {
	s.Results.Experiment["seed"] = 2
	return s
}

// pairsOf are n replications: b is r times a, but for noise of its own, and a varies far more.
func pairsOf(random *rand.Rand, n int, r, noise float64) (a, b []float64) {
	for range n {
		x := 100 * math.Exp(0.3*random.NormFloat64())
		a, b = append(a, x), append(b, x*r*(1+noise*random.NormFloat64()))
	}
	return a, b
}
