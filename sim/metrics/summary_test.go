package metrics

import (
	"math"
	"testing"

	"kneepoint/hardware"
)

// fixture is a run with a request of every kind.
func fixture() *Record {
	rec := &Record{
		Requests: []Request{
			{Arrival: 1, ClientQueue: 0.5, First: 2, Last: 6, Input: 10, Output: 5, Generated: 5, State: Completed, InWindow: true}, // TTFT 1, TPOT 1
			{Arrival: 2, First: 5, Last: 5, Input: 20, Output: 1, Generated: 1, State: Completed},                                   // TTFT 3, no TPOT
			{Arrival: 3, First: 4, Last: 10, Input: 30, Output: 4, Generated: 4, State: Completed, InWindow: true},                  // TTFT 1, TPOT 2
			{Arrival: 4, Input: 999, Output: 9, State: Rejected, InWindow: true},
			{Arrival: 5, First: 6, Input: 40, Output: 9, Generated: 3, State: Unfinished, InWindow: true},
		},
		Started: 1, Ended: 21,
		Pools: []PoolRecord{{Blocks: 100, BlockSize: 16, Replicas: replicasOf(3, Totals{Steps: 7, Busy: 12, Bytes: 1.2e13, FLOPs: 2e15, LinkBytes: 9e11, Energy: 1560, Preemptions: 2,
			RecomputedTokens: 11, InFrontEnd: 20, Waiting: 40, Running: 60, KVBlocks: 1500, KVMax: 0.75})}},
	}
	rec.AddUp()
	rec.ITL.Add(1, 4)
	rec.ITL.Add(2, 3)
	rec.ITLIn.Add(2, 3)
	return rec
}

// fixtureDeployment has two accelerators a replica.
var fixtureDeployment = []Deployment{{
	Capacity:     hardware.Capacity{PeakBandwidth: 6e12, PeakCompute: 2e15, PeakLink: 9e11},
	Accelerators: 2,
	IdleWatts:    100,
	USDPerHour:   3.6,
}}

// onePool is a pool of one replica in which nothing happened.
var onePool = []PoolRecord{{Blocks: 1, BlockSize: 16, Replicas: replicasOf(1, Totals{})}}

// replicasOf are replicas that were there for the whole run, of which one did everything.
func replicasOf(n int, totals Totals) []*ReplicaRecord {
	var p PoolRecord
	for range n {
		p.AddReplica()
	}
	p.Replicas[0].Totals = totals
	return p.Replicas
}

// checkValues compares v with what is wanted; NaN means "no value".
func checkValues(t *testing.T, v Values, want map[string]float64) {
	t.Helper()
	for key, x := range want {
		if _, ok := Lookup(key); !ok {
			t.Errorf("no metric %q", key)
		}
		if got := v.Get(key); !near(got, x) {
			t.Errorf("%s = %v, want %v", key, got, x)
		}
	}
}

func TestSummarize(t *testing.T) {
	nan := math.NaN()
	v := Summarize(fixture(), Objective{TTFT: 2, TPOT: 1.5}, fixtureDeployment)
	checkValues(t, v, map[string]float64{
		"duration": 9, "completed": 3, "rejected": 1, "unfinished": 1,
		"total_input_tokens": 60, "total_output_tokens": 10,
		"request_throughput": 3.0 / 9, "output_throughput": 10.0 / 9, "total_token_throughput": 70.0 / 9,
		// Only the first request meets both bounds: the second is late, the third slow.
		"request_goodput": 1.0 / 9, "slo_attainment": 1.0 / 5,
		"mean_ttft_ms": 5e3 / 3, "median_ttft_ms": 1e3, "p99_ttft_ms": 2960, "std_ttft_ms": 1e3 * math.Sqrt(8.0/9),
		"mean_tpot_ms": 1.5e3, "p90_tpot_ms": 1.9e3, // of two requests: the second has none
		"mean_e2el_ms": 5e3, "p95_e2el_ms": 6.8e3,
		"mean_client_queue_time_ms": 500.0 / 3,
		"offered_rate":              4 / 4.5,                                                    // the first was to be sent half a second before it arrived
		"truncated":                 0, "mean_normalized_latency_ms": 1e3 * (1 + 3 + 7.0/4) / 3, // of a token
		"mean_itl_ms": 10e3 / 7,
		"saturated":   nan, // of five requests
		"steps":       7, "preemptions": 2, "recomputed_tokens": 11,
		"frontend_mean": 1, "waiting_mean": 2, "running_mean": 3, "busy_fraction": 12.0 / 60,
		"kv_utilization_mean": 0.25, "kv_utilization_max": 0.75,
		"mbu": 2.0 / 12, "mfu": 1.0 / 12,
		// Six accelerators idle at 100 W for 9 s, and the steps; over 10 tokens.
		"energy_j_per_token": (6*100*9 + 1560) / 10,
		// 6 · $3.6/h for 9 s is 5.4 cents.
		"usd_per_million_output_tokens":            0.054 / 10 * 1e6,
		"usd_per_million_output_tokens_at_goodput": 0.054 / 5 * 1e6,
		"prefix_hit_rate":                          nan, "acceptance_rate": nan,
	})
}

func TestSummarizeWindow(t *testing.T) {
	nan := math.NaN()
	v := SummarizeWindow(fixture(), Objective{TTFT: 2})
	checkValues(t, v, map[string]float64{
		"completed": 2, "rejected": 1, "unfinished": 1, "duration": 9, "total_output_tokens": 9,
		"mean_ttft_ms": 1e3, "mean_tpot_ms": 1.5e3, "mean_itl_ms": 2e3, "std_itl_ms": 0,
		"slo_attainment": 0.5, "request_goodput": 2.0 / 9,
		"steps": nan, "mbu": nan, "kv_utilization_mean": nan, "energy_j_per_token": nan, "saturated": nan,
	})
}

// TestSummarizeClasses: each request is held against the objective of its class,
// also in the run's metrics, and what classes add up to is the run's.
func TestSummarizeClasses(t *testing.T) {
	nan := math.NaN()
	rec := fixture()
	rec.Classes = []Objective{{TTFT: 2}, {E2EL: 6}, {}}
	for id, class := range []int16{0, 0, 1, 2, 1} {
		rec.Requests[id].Class = class
	}
	// Of the first class one request is late; that of the second takes 7 s.
	run := Summarize(rec, Objective{TPOT: 1e-9}, fixtureDeployment)
	checkValues(t, run, map[string]float64{"duration": 9, "request_goodput": 1.0 / 9, "slo_attainment": 1.0 / 5})
	checkValues(t, SummarizeWindow(rec, Objective{}), map[string]float64{"slo_attainment": 1.0 / 4})
	classes := SummarizeClasses(rec, nil)
	checkValues(t, classes[0], map[string]float64{"completed": 2, "request_goodput": 1.0 / 9, "slo_attainment": 0.5,
		"mean_ttft_ms": 2e3, "total_output_tokens": 6, "duration": 9, "steps": nan, "mean_itl_ms": nan})
	checkValues(t, classes[1], map[string]float64{"completed": 1, "unfinished": 1, "request_goodput": 0, "slo_attainment": 0, "mean_ttft_ms": 1e3})
	checkValues(t, classes[2], map[string]float64{"completed": 0, "rejected": 1, "request_throughput": 0, "request_goodput": nan, "slo_attainment": nan})
	for _, key := range []string{"completed", "rejected", "unfinished", "total_input_tokens", "request_throughput", "output_throughput"} {
		sum := 0.0
		for _, v := range classes {
			sum += v.Get(key)
		}
		if !near(sum, run.Get(key)) {
			t.Errorf("%s: the classes add up to %v, the run has %v", key, sum, run.Get(key))
		}
	}
}

// TestSingleTokens: without a second token there is no TPOT, and an objective
// for it is met.
func TestSingleTokens(t *testing.T) {
	rec := &Record{Requests: []Request{{First: 1, Last: 1, Input: 1, Output: 1, Generated: 1, State: Completed}}, Ended: 1, Pools: onePool}
	v := Summarize(rec, Objective{TPOT: 1e-9}, []Deployment{{}})
	checkValues(t, v, map[string]float64{"mean_tpot_ms": math.NaN(), "p99_tpot_ms": math.NaN(), "mean_itl_ms": math.NaN(),
		"slo_attainment": 1, "request_goodput": 1, "mean_ttft_ms": 1e3, "energy_j_per_token": math.NaN(), "mbu": math.NaN()})
}

// TestNothingCompleted: what would divide by nothing has no value.
func TestNothingCompleted(t *testing.T) {
	rec := &Record{Requests: []Request{{Arrival: 1, State: Rejected}, {Arrival: 2}}, Started: 1, Ended: 2, Pools: onePool}
	v := Summarize(rec, Objective{TTFT: 1}, fixtureDeployment)
	nan := math.NaN()
	checkValues(t, v, map[string]float64{"duration": nan, "completed": 0, "request_throughput": nan, "request_goodput": nan,
		"slo_attainment": 0, "mean_ttft_ms": nan, "energy_j_per_token": nan, "usd_per_million_output_tokens": nan})
	for key := range Summarize(&Record{}, Objective{}, []Deployment{{}}) {
		if x := v.Get(key); math.IsNaN(x) {
			t.Errorf("an empty run has a value of %s", key)
		}
	}
}

// TestTruncated counts requests that were cut to fit, whatever became of them.
func TestTruncated(t *testing.T) {
	rec := fixture()
	rec.Requests[0].Truncated, rec.Requests[4].Truncated = true, true
	checkValues(t, Summarize(rec, Objective{}, []Deployment{{}}), map[string]float64{"truncated": 2})
}

// TestDurationFromARejectedRequest: the clock of throughput starts with the first
// request that a client sent, whatever became of it, and ends with the last completion.
func TestDurationFromARejectedRequest(t *testing.T) {
	for _, first := range []State{Rejected, QueueFull, Unfinished, Completed} {
		rec := &Record{Requests: []Request{
			{Arrival: 1, First: 2, Last: 3, Output: 1, Generated: 1, State: first},
			{Arrival: 5, First: 6, Last: 9, Input: 4, Output: 2, Generated: 2, State: Completed},
			{Arrival: 20, State: Rejected},
		}, Pools: onePool}
		checkValues(t, Summarize(rec, Objective{}, []Deployment{{}}), map[string]float64{"duration": 8})
	}
}

// TestWithoutObjective: no bound, no goodput.
func TestWithoutObjective(t *testing.T) {
	v := Summarize(fixture(), Objective{}, []Deployment{{}})
	nan := math.NaN()
	checkValues(t, v, map[string]float64{"request_goodput": nan, "slo_attainment": nan, "completed": 3,
		"usd_per_million_output_tokens": nan, "energy_j_per_token": nan})
}

func TestObjective(t *testing.T) {
	r := &Request{Arrival: 1, First: 2, Last: 6, Generated: 5, State: Completed} // TTFT 1, TPOT 1, E2EL 5
	for _, c := range []struct {
		o    Objective
		want bool
	}{
		{Objective{}, true},
		{Objective{TTFT: 1, TPOT: 1, E2EL: 5}, true}, // a bound may be touched
		{Objective{TTFT: 0.999}, false},
		{Objective{TPOT: 0.999}, false},
		{Objective{E2EL: 4.999}, false},
		{Objective{TTFT: 100, TPOT: 0.5, E2EL: 100}, false},
	} {
		if got := c.o.Met(r); got != c.want {
			t.Errorf("%+v: %t, want %t", c.o, got, c.want)
		}
		if got := c.o.Set(); got != (c.o != Objective{}) {
			t.Errorf("%+v: set is %t", c.o, got)
		}
	}
}
