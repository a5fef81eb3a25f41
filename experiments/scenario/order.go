package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kneepoint/policies"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// predictionCV is the coefficient of variation of the error with which sjf knows
// output lengths: predicted over true length.
const predictionCV = 0.5

// rank is what a queue of this order is ordered by, lowest first; nil for order of arrival.
// Policies do not know requests, so that ranks are made here. The order is that of a key.
func (s *Scenario) rank(order, key string) (func(workloads.Request) float64, error) {
	rank, known := ranks[order]
	if !known {
		return nil, unknown(key, order)
	}
	return rank(s, key)
}

// ranks makes the rank of each entry of policies.Orders.
var ranks = map[string]func(s *Scenario, key string) (func(workloads.Request) float64, error){
	"fcfs": func(*Scenario, string) (func(workloads.Request) float64, error) { return nil, nil },
	"lifo": func(*Scenario, string) (func(workloads.Request) float64, error) {
		return func(r workloads.Request) float64 { return -float64(r.Arrival) }, nil
	},
	"sjf": func(s *Scenario, _ string) (func(workloads.Request) float64, error) {
		return predictedOutput(s.Seed, s.Replication), nil
	},
	"priority": func(s *Scenario, key string) (func(workloads.Request) float64, error) {
		return byPriority(s.Traffic.Client, key)
	},
	"deadline": func(s *Scenario, key string) (func(workloads.Request) float64, error) {
		return s.Objectives.byDeadline(key)
	},
	"vtc":        byService,
	"vtc-oracle": byService,
}

// byService has no ranks: see servedOrder.
func byService(s *Scenario, key string) (func(workloads.Request) float64, error) {
	if len(s.Traffic.Client) < 2 {
		return nil, &badinput.Error{Key: key, Value: s.Order, Problem: "there are no clients to share service among",
			Allowed: "fcfs, lifo, sjf, or two [[workload.client]] tables"}
	}
	return nil, nil
}

// servedOrder is the order by what clients were served; nil where the queue has another one.
func (s *Scenario) servedOrder() *sim.ServedOrder {
	order, _ := policies.Find(policies.Orders, s.Order)
	if !order.ByClient {
		return nil
	}
	return &sim.ServedOrder{Weight: servedWeight, Foreseen: order.Foreseen}
}

// servedWeight is what a generated token counts of service, over one of a prompt.
//
// Source: Sheng et al. 2024, arXiv 2401.00588, section 5.1.
const servedWeight = 2

// byPriority ranks requests by the priority of their class.
func byPriority(clients []workloads.ClientSpec, key string) (func(workloads.Request) float64, error) {
	if len(clients) == 0 {
		return nil, &badinput.Error{
			Key:     key,
			Value:   "priority",
			Problem: "there are no clients, which have priorities",
			Allowed: "fcfs, lifo, sjf, deadline, or [[workload.client]] tables",
		}
	}
	return func(r workloads.Request) float64 { return float64(clients[r.Class].Priority) }, nil
}

// byDeadline ranks requests by their arrival and the TTFT that they are promised.
func (o *Objectives) byDeadline(key string) (func(workloads.Request) float64, error) {
	classes, bound := o.Classes, "workload.client[%d].slo.ttft_ms"
	if len(classes) == 0 {
		classes, bound = []metrics.Objective{o.All}, "slo.ttft_ms"
	}
	for i, objective := range classes {
		if objective.TTFT == 0 {
			return nil, &badinput.Error{Key: strings.Replace(bound, "%d", strconv.Itoa(i), 1),
				Problem: fmt.Sprintf("missing: %s is deadline, which is the arrival and this", key)}
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
