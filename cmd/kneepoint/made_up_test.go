package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// madeUp is what a made-up experiment is like.
type madeUp struct {
	strategies   []string
	loads        int  // swept; 0: nothing is swept
	config       bool // what is swept is no load
	closed       bool
	slo          results.SLO
	replications int
	unfinished   int // cells without an outcome
	clients      bool
	pools        int // of replicas
	expected     int // of which every other one is missed
	claimed      bool
	notes        []results.Warning
}

// results are those of curves whose latencies rise where the load nears a capacity of each
// strategy.
func (m madeUp) results() *results.Results {
	p := &results.Plan{Version: "0", Title: "A made-up experiment", Experiment: map[string]any{}, Seed: 1,
		Replications: m.replications, Strategies: m.strategies, SLO: m.slo, Foreseen: m.notes, Points: []results.PlannedPoint{{}}}
	if m.loads > 0 {
		axis := results.Axis{Path: "workload.arrival.rate", Label: "request rate", Unit: "req/s"}
		switch {
		case m.config:
			axis = results.Axis{Path: "hardware.tp", Label: "tensor parallelism"}
		case m.closed:
			axis = results.Axis{Path: "workload.arrival.concurrency", Label: "clients"}
		}
		p.Points = nil
		for i := range m.loads {
			v := results.ValueOf(int64(1) << i)
			axis.Values = append(axis.Values, v)
			p.Points = append(p.Points, results.PlannedPoint{Values: []results.Value{v}})
		}
		p.Sweep = []results.Axis{axis}
	}
	at := results.Place{}
	if m.loads > 0 {
		at.Word = results.Highest
	}
	for i := range m.expected {
		p.Expected = append(p.Expected, results.Expected{Metric: metrics.P99TTFT, Strategies: m.strategies[:1], At: at,
			Low: 0, High: 1e12 * float64(i%2), Source: "a paper with a long title, which somebody wrote"})
	}
	if m.claimed && len(m.strategies) > 1 {
		places := results.Loads()
		if m.loads == 0 || m.config {
			places = []results.Place{at}
		}
		for _, s := range m.strategies[1:] {
			p.Claimed = append(p.Claimed, results.Claimed{Strategy: s, Over: m.strategies[0], Metric: metrics.MeanTPOT, Low: 0.4, High: 0.9, At: places})
		}
	}
	p.Cells = p.AllCells()
	outcomes := map[string]*results.Outcome{}
	for i := range p.Cells {
		p.Cells[i].Key = fmt.Sprint(i)
		if i < len(p.Cells)-m.unfinished {
			outcomes[p.Cells[i].Key] = m.outcome(&p.Cells[i])
		}
	}
	res := results.Aggregate(p, results.ByKey(outcomes))
	return res
}

// outcome is that of one run. A strategy of number s saturates at 8·1.5^s.
func (m madeUp) outcome(c *results.Cell) *results.Outcome {
	strategy := 0
	for m.strategies[strategy] != c.Strategy {
		strategy++
	}
	random := rand.New(rand.NewPCG(uint64(c.Point), uint64(c.Replication)))
	load := float64(uint64(1)<<c.Point) * (1 + 0.02*random.Float64())
	busy := load / (8 * math.Pow(1.5, float64(strategy%6)))
	ttft, tpot := 30*(1+busy+min(math.Pow(busy, 8), 1e4)), 7*(1+busy)
	attained := 1 / (1 + math.Pow(busy, 6))
	v := metrics.Values{metrics.CompletedRequests: 1000, metrics.RejectedRequests: 0, metrics.UnfinishedRequests: 0,
		metrics.OfferedRate: load, metrics.RequestThroughput: load, metrics.OutputThroughput: 200 * min(load, 8),
		metrics.Goodput: load * attained, metrics.Attainment: attained, metrics.CostPerMillionTokens: 20 / load,
		metrics.Saturated: math.Round(min(1, busy/2)), metrics.MeanE2EL: ttft + 200*tpot}
	if m.slo == (results.SLO{}) {
		delete(v, metrics.Goodput)
		delete(v, metrics.Attainment)
	} else {
		v[metrics.TTFTAttainment], v[metrics.TPOTAttainment] = attained, (1+attained)/2
	}
	for name, x := range map[string]float64{"ttft": ttft, "tpot": tpot} {
		for k, key := range []string{"mean_", "median_", "p90_", "p95_", "p99_"} {
			v[key+name+"_ms"] = x * (1 + 0.3*float64(k))
		}
	}
	parts := metrics.Parts{metrics.Queue: 0.4, metrics.Prefill: 0.1, metrics.Decode: 0.5}
	split := metrics.Split{"mean": parts, "p99": parts}
	o := &results.Outcome{Metrics: v, Why: &metrics.Why{Bottleneck: metrics.ByLoad, TTFT: split, E2EL: split}}
	for i := range m.pools {
		busy := metrics.Values{metrics.BusyFraction: 1 / float64(i+2), metrics.Replicas: float64(i + 1), metrics.GenerationThroughput: 100 * load}
		o.Pools = append(o.Pools, results.PoolRun{Name: fmt.Sprint("pool ", i), Metrics: busy})
	}
	if m.clients {
		o.Clients = []results.ClientRun{{Name: "chat", Metrics: v}, {Name: "batch", Metrics: v}}
	}
	return o
}

// namesOf are n names.
func namesOf(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("strategy %c", 'a'+i))
	}
	return names
}

var (
	ordinary = results.SLO{TTFTms: 200, TPOTms: 50, Attainment: 0.9}
	rests    = results.Warning{Kind: results.Estimated, Text: "gemm kernels (int8) of h100-sxm: as measured on h200-sxm"}
	madeUps  = map[string]madeUp{
		"small":       {strategies: namesOf(2), loads: 6, slo: ordinary, replications: 3},
		"large":       {strategies: namesOf(12), loads: 12, slo: ordinary, replications: 3, expected: 4, claimed: true, notes: []results.Warning{rests}},
		"no-slo":      {strategies: namesOf(3), loads: 5, replications: 3},
		"no-sweep":    {strategies: namesOf(3), slo: ordinary, replications: 3, clients: true},
		"pools":       {strategies: namesOf(2), slo: ordinary, replications: 3, pools: 2},
		"interrupted": {strategies: namesOf(2), loads: 6, slo: ordinary, replications: 3, unfinished: 14},
		"closed":      {strategies: namesOf(2), loads: 5, closed: true, slo: ordinary, replications: 3},
		"config":      {strategies: namesOf(2), loads: 4, config: true, slo: ordinary, replications: 1, expected: 1},
	}
)
