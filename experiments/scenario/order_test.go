package scenario

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// TestPredictedOutput: predictions are right on average, err by the coefficient of
// variation, and depend on the request alone. The standard errors of 100,000
// draws are 0.0016 of the mean and about 0.004 of the deviation.
func TestPredictedOutput(t *testing.T) {
	predict := predictedOutput(7, 2)
	var ratios []float64
	for id := range 100_000 {
		r := workloads.Request{ID: id, Output: 1 + id%500}
		ratios = append(ratios, predict(r)/float64(r.Output))
	}
	mean, std := stat.MeanStdDev(ratios, nil)
	if math.Abs(mean-1) > 0.007 || math.Abs(std-predictionCV) > 0.016 {
		t.Errorf("predictions are %v ± %v of the true length, want 1 ± %v", mean, std, predictionCV)
	}
	r := workloads.Request{ID: 99_999, Output: 77}
	if again := predictedOutput(7, 2)(r); again != predict(r) {
		t.Errorf("a second prediction of the same request is %v, the first %v", again, predict(r))
	}
	if other := predictedOutput(7, 3)(r); other == predict(r) {
		t.Error("another replication predicts the same")
	}
}

// TestRanksOfClients: a lower priority and an earlier deadline come first, and of lifo the later arrival.
func TestRanksOfClients(t *testing.T) {
	s := Scenario{Traffic: workloads.Spec{Client: []workloads.ClientSpec{{Priority: 7}, {Priority: -1}}},
		Objectives: Objectives{All: metrics.Objective{TTFT: 5}, Classes: []metrics.Objective{{TTFT: 1}, {TTFT: 0.25}}}}
	for order, want := range map[string][]float64{"priority": {7, -1}, "deadline": {3, 2.25}, "lifo": {-2, -2}} {
		t.Run(order, func(t *testing.T) {
			s.Order = order
			rank, err := s.rank(s.Order, "strategy.order")
			if err != nil {
				t.Fatal(err)
			}
			for class := range want {
				if got := rank(workloads.Request{Arrival: 2, Class: class}); got != want[class] {
					t.Errorf("class %d has rank %v, want %v", class, got, want[class])
				}
			}
		})
	}
}
