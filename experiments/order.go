package experiments

import (
	"math"

	"kneepoint/internal/badinput"
	"kneepoint/workloads"
)

// predictionCV is the coefficient of variation of the error with which sjf knows
// output lengths: predicted over true length.
const predictionCV = 0.5

// rank is what the queues are ordered by, nil for order of arrival.
func (j *job) rank() (func(workloads.Request) float64, error) {
	switch j.spec.Strategies[0].Order {
	case "sjf":
		return predictedOutput(j.spec.Seed, j.replication), nil
	case "deadline":
		if j.spec.SLO.TTFTms == 0 {
			return nil, &badinput.Error{Key: "slo.ttft_ms", Problem: "missing: strategy.order is deadline, which is the arrival and this"}
		}
		ttft := float64(j.spec.SLO.Objective().TTFT)
		return func(r workloads.Request) float64 { return float64(r.Arrival) + ttft }, nil
	}
	return nil, nil
}

// predictedOutput is a guess at the output length that is right on average: the
// true one times a log-normal factor of mean 1 and coefficient of variation
// predictionCV, which each request draws from a stream of its own.
func predictedOutput(seed uint64, replication int) func(workloads.Request) float64 {
	variance := math.Log(1 + predictionCV*predictionCV) // of the factor's logarithm
	return func(r workloads.Request) float64 {
		z := workloads.StreamOf(seed, replication, workloads.StreamPredictions, r.ID).NormFloat64()
		return float64(r.Output) * math.Exp(math.Sqrt(variance)*z-variance/2)
	}
}
