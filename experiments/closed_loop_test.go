package experiments

import (
	"context"
	"math"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// thinkers is a mixture of experts on eight A100 of 40 GB, and 100 people who each think
// for a time between a response and their next question. lengths vary as in a chat.
const thinkers = `
title = "A hundred people"
seed = 1
replications = 3
[model]
name = "mixtral-8x7b"
[hardware]
accelerator = "a100-sxm-40"
tp = 8
[workload]
num_requests = 3000
[workload.arrival]
process = "closed"
concurrency = 100
[workload.input]
type = "lognormal"
mean = 2000
std = 2000
max = 16000
[workload.output]
type = "lognormal"
mean = 250
std = 250
max = 2000
[slo]
ttft_ms = 1000
[[strategy]]
name = "continuous"
`

// TestPeopleWhoThink: a closed loop of many people who think by a law is what Poisson
// arrivals of the same rate are, in its tail too: each adds little to the queue.
func TestPeopleWhoThink(t *testing.T) {
	loop := simulated(t, thinkers, `workload.arrival.think_time={ type = "exponential", mean = 20 }`)
	at := loop.Series[0].Points[0]
	rate := at.Metrics[metrics.OfferedRate].Mean
	open := simulated(t, thinkers, `workload.arrival={ process = "poisson", rate = 4 }`, "workload.arrival.rate="+results.ValueOf(rate).String())
	p99, want := at.Metrics[metrics.P99TTFT], open.Series[0].Points[0].Metrics[metrics.P99TTFT]
	t.Logf("%.2f req/s: p99 TTFT %.0f ± %.0f ms, Poisson %.0f ± %.0f ms", rate, p99.Mean, p99.Half, want.Mean, want.Half)
	if math.Abs(p99.Mean/want.Mean-1) > 0.25 {
		t.Errorf("p99 TTFT is %.0f ms, with Poisson arrivals %.0f ms", p99.Mean, want.Mean)
	}
	if steady := loop.Runs[0].SteadyState; steady == nil || steady.End != 2900 || !steady.Settled {
		t.Errorf("the steady state is %+v", steady)
	}
}

// TestStartOfALoopIsNotShown: where all start at once, the whole run has the burst, and
// what is shown has not.
func TestStartOfALoopIsNotShown(t *testing.T) {
	res := simulated(t, thinkers, `workload.arrival.think_time={ type = "exponential", mean = 20 }`, "workload.arrival.start=at_once", "replications=1")
	shown, whole := res.Series[0].Points[0].Metrics[metrics.P99TTFT].Mean, res.Runs[0].Metrics[metrics.P99TTFT]
	if shown > 2000 || whole < 3*shown {
		t.Errorf("p99 TTFT of %.0f ms is shown, of %.0f ms in the whole run", shown, whole)
	}
	if got := res.Series[0].Points[0].Metrics[metrics.P99ITL].Mean; got != res.Runs[0].Steady[metrics.P99ITL] || got == res.Runs[0].Metrics[metrics.P99ITL] {
		t.Errorf("p99 ITL of %v ms is shown", got)
	}
}

// simulated are the results of an experiment.
func simulated(t *testing.T, text string, set ...string) *results.Results {
	t.Helper()
	e := experiment(t, text, set...)
	res, err := e.Run(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return res
}
