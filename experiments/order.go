package experiments

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// predictionCV is the coefficient of variation of the error with which sjf knows
// output lengths: predicted over true length.
const predictionCV = 0.5

// rank is what the queues are ordered by, nil for order of arrival.
func (j *job) rank() (func(workloads.Request) float64, error) {
	return ranks[j.spec.Strategies[0].Order](j)
}

// ranks makes the rank of each entry of policies.Orders.
var ranks = map[string]func(*job) (func(workloads.Request) float64, error){
	"fcfs": func(*job) (func(workloads.Request) float64, error) { return nil, nil },
	"sjf": func(j *job) (func(workloads.Request) float64, error) {
		return predictedOutput(j.spec.Seed, j.replication), nil
	},
	"priority": func(j *job) (func(workloads.Request) float64, error) { return byPriority(j.spec.Workload.Client) },
	"deadline": func(j *job) (func(workloads.Request) float64, error) { return j.spec.byDeadline() },
}

// byPriority ranks requests by the priority of their class.
func byPriority(clients []workloads.ClientSpec) (func(workloads.Request) float64, error) {
	if len(clients) == 0 {
		return nil, &badinput.Error{Key: "strategy.order", Value: "priority", Problem: "there are no clients, which have priorities", Allowed: "fcfs, sjf, deadline, or [[workload.client]] tables"}
	}
	return func(r workloads.Request) float64 { return float64(clients[r.Class].Priority) }, nil
}

// checkPriorities refuses priorities by which no strategy orders.
func (e *Experiment) checkPriorities() error {
	for _, s := range e.Spec.Strategies {
		if entry(policies.Orders, s.Order).Priorities {
			return nil
		}
	}
	for _, axis := range e.Axes {
		if strings.HasSuffix(axis.Path, ".order") {
			return nil
		}
	}
	for i, c := range e.Spec.Workload.Client {
		if c.Priority != 0 {
			return &badinput.Error{Key: fmt.Sprintf("workload.client[%d].priority", i), Value: c.Priority,
				Problem: "has no effect: no strategy orders by it", Allowed: `only beside a strategy with order = "priority"`}
		}
	}
	return nil
}

// byDeadline ranks requests by their arrival and the TTFT that they are promised.
func (s *Spec) byDeadline() (func(workloads.Request) float64, error) {
	const missing = "missing: strategy.order is deadline, which is the arrival and this"
	classes, key := s.objectives(), "workload.client[%d].slo.ttft_ms"
	if len(classes) == 0 {
		classes, key = []metrics.Objective{s.SLO.Objective()}, "slo.ttft_ms"
	}
	for i, objective := range classes {
		if objective.TTFT == 0 {
			return nil, &badinput.Error{Key: strings.Replace(key, "%d", strconv.Itoa(i), 1), Problem: missing}
		}
	}
	return func(r workloads.Request) float64 { return float64(r.Arrival + classes[r.Class].TTFT) }, nil
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
