package plots

import (
	"fmt"
	"math"

	"kneepoint/experiments"
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
	chatSLO    = experiments.SLO{TTFTms: 500, TPOTms: 50, Attainment: 0.9}
)

// results is an experiment over the arrival rate with three seeds.
func results(values []any, slo experiments.SLO, servers ...server) *experiments.Results {
	res := &experiments.Results{
		Tool:    "kneepoint",
		Version: "0.1.0",
		Experiment: map[string]any{
			"title":    "Which strategy for a chat service on one H100?",
			"model":    map[string]any{"name": "llama-3.1-8b", "weights": "bf16"},
			"hardware": map[string]any{"accelerator": "h100-sxm", "tp": 1, "replicas": 1},
			"workload": map[string]any{"name": "azure-conv-2023"},
		},
		Sweep: []experiments.Axis{{Path: "workload.arrival.rate", Label: "request rate", Unit: "req/s", Values: values}},
		SLO:   slo,
	}
	for _, s := range servers {
		series := experiments.Series{Strategy: s.name, Label: s.name}
		for i, v := range values {
			rate, ok := numeric(v)
			if !ok {
				rate = float64(i + 1)
			}
			series.Points = append(series.Points, s.at(v, rate))
		}
		series.Knee = s.knee(values)
		res.Series = append(res.Series, series)
	}
	return res
}

// comparison is an experiment without a sweep, at one rate.
func comparison(rate float64, slo experiments.SLO, servers ...server) *experiments.Results {
	res := results([]any{rate}, slo, servers...)
	res.Sweep = nil
	for i := range res.Series {
		res.Series[i].Points[0].Value, res.Series[i].Knee = nil, nil
	}
	return res
}

func (s server) at(value any, rate float64) experiments.Point {
	load := rate / s.capacity
	queue := 1 / (1 - math.Min(load, 0.97))
	if load > 1 {
		queue *= 1 + 4*(load-1)
	}
	served := math.Min(rate, s.capacity)
	attained := 1 / (1 + math.Exp(12*(load-1.02)))
	values := map[string]float64{
		"p99_ttft_ms": s.ttft * queue, "p99_tpot_ms": s.tpot * (1.3 + 2.4*math.Min(load, 1.1)),
		"median_tpot_ms": s.tpot * (1 + 2*math.Min(load, 1.05)), "output_throughput": 220 * served,
		"request_goodput": served * attained, "slo_attainment": attained,
	}
	p := experiments.Point{Value: value, Saturated: load > 1, Metrics: map[string]metrics.Estimate{}}
	for key, v := range values {
		p.Metrics[key] = metrics.Estimate{Mean: v, Half: v * 0.06 * math.Min(queue, 6), N: 3}
	}
	return p
}

// knee is where the drawn line of the attainment crosses nine in ten.
func (s server) knee(values []any) *experiments.Knee {
	last, lastShare := 0.0, 0.0
	for i, v := range values {
		rate, _ := numeric(v)
		share := s.at(v, rate).Metrics["slo_attainment"].Mean
		switch {
		case share < 0.9 && i == 0:
			return &experiments.Knee{Kind: experiments.KneeBelow, Value: rate}
		case share < 0.9:
			way := (lastShare - 0.9) / (lastShare - share)
			return &experiments.Knee{Kind: experiments.KneeInterpolated, Value: last * math.Pow(rate/last, way)}
		}
		last, lastShare = rate, share
	}
	return &experiments.Knee{Kind: experiments.KneeBeyond, Value: last}
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
