package plots

import (
	"fmt"
	"math"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// server is a made-up strategy: its latencies rise like those of an M/M/1 queue
// up to its capacity in requests per second, and far above beyond it.
type server struct {
	name     string
	capacity float64
	ttft     float64 // unloaded, ms
	tpot     float64
}

var (
	static     = server{"static", 5.5, 160, 9}
	continuous = server{"continuous", 15, 60, 8}
	rates      = []any{1, 2, 4, 8, 16, 32}
	chatSLO    = results.SLO{TTFTms: 500, TPOTms: 50, Attainment: 0.9}
)

// madeUp is an experiment over the arrival rate with three seeds.
func madeUp(values []any, slo results.SLO, servers ...server) *results.Results {
	res := &results.Results{
		Tool: "kneepoint",
		Plan: results.Plan{
			Version: "0.1.0",
			Title:   "Which strategy for a chat service on one H100?",
			Facts: results.Facts{
				Deployment: results.Deployment{Model: "llama-3.1-8b", Weights: "bf16", Accelerator: "h100-sxm", TP: 1, PP: 1, Replicas: 1},
				Traffic:    results.Traffic{Workload: "azure-conv-2023"},
			},
			Sweep: []results.Axis{{Path: "workload.arrival.rate", Label: "request rate", Unit: "req/s", Values: swept(values...)}},
			SLO:   slo,
		},
	}
	for _, s := range servers {
		series := results.Series{Strategy: s.name, Label: s.name}
		for i, v := range values {
			rate, ok := numeric(results.ValueOf(v))
			if !ok {
				rate = float64(i + 1)
			}
			series.Points = append(series.Points, s.at(results.ValueOf(v), rate))
		}
		series.Knee = s.knee(values)
		res.Series = append(res.Series, series)
	}
	return res
}

// swept are values of a swept variable.
func swept(values ...any) []results.Value {
	var all []results.Value
	for _, v := range values {
		all = append(all, results.ValueOf(v))
	}
	return all
}

// atOnePoint is an experiment without a sweep, at one rate.
func atOnePoint(rate float64, slo results.SLO, servers ...server) *results.Results {
	res := madeUp([]any{rate}, slo, servers...)
	res.Sweep = nil
	for i := range res.Series {
		res.Series[i].Points[0].Value, res.Series[i].Knee = results.Value{}, nil
	}
	return res
}

func (s server) at(value results.Value, rate float64) results.Point {
	load := rate / s.capacity
	queue := 1 / (1 - math.Min(load, 0.97))
	if load > 1 {
		queue *= 1 + 4*(load-1)
	}
	served := math.Min(rate, s.capacity)
	attained := 1 / (1 + math.Exp(12*(load-1.02)))
	values := map[string]float64{
		"p90_ttft_ms": s.ttft * queue, "p99_ttft_ms": 1.5 * s.ttft * queue, "p90_tpot_ms": s.tpot * (1.3 + 2.4*math.Min(load, 1.1)), "p99_tpot_ms": s.tpot * (1.3 + 2.4*math.Min(load, 1.1)),
		"offered_rate": rate, "median_tpot_ms": s.tpot * (1 + 2*math.Min(load, 1.05)), "output_throughput": 220 * served,
		"request_goodput": served * attained, "slo_attainment": attained,
	}
	p := results.Point{Value: value, Saturated: results.No, Metrics: map[string]metrics.Estimate{}}
	if load > 1 {
		p.Saturated = results.Yes
	}
	for key, v := range values {
		p.Metrics[key] = metrics.Estimate{Mean: v, Half: v * 0.06 * math.Min(queue, 6), N: 3}
	}
	return p
}

// knee is where the drawn line of the attainment crosses nine in ten.
func (s server) knee(values []any) *results.Knee {
	last, lastShare := 0.0, 0.0
	for i, v := range values {
		rate, _ := numeric(results.ValueOf(v))
		share := s.at(results.ValueOf(v), rate).Metrics["slo_attainment"].Mean
		switch {
		case share < 0.9 && i == 0:
			return &results.Knee{Kind: results.KneeBelow, Value: rate, High: &rate, Target: 0.9}
		case share < 0.9:
			way := (lastShare - 0.9) / (lastShare - share)
			return &results.Knee{Kind: results.KneeInterpolated, Value: last * math.Pow(rate/last, way), Low: &last, High: &rate, Target: 0.9}
		}
		last, lastShare = rate, share
	}
	return &results.Knee{Kind: results.KneeBeyond, Value: last, Low: &last, Target: 0.9}
}

// eight is a field of eight strategies of similar kind.
func eight() []server {
	var all []server
	for i := range 8 {
		all = append(all, server{fmt.Sprintf("strategy-%d", i+1), 4 + 3*float64(i), 120 - 8*float64(i), 8 + float64(i%3)})
	}
	return all
}

// linearRates are the rates from 1 to n.
func linearRates(n int) []any {
	values := make([]any, n)
	for i := range values {
		values[i] = float64(i + 1)
	}
	return values
}
