package experiments

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

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
