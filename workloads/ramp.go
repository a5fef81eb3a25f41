package workloads

import (
	"math"

	"kneepoint/units/badinput"
)

// RampSpec is [workload.arrival.ramp], the ramp of vLLM's benchmark (get_request of
// vllm/benchmarks/serve.py, --ramp-up-strategy): the gap before request i of n, counted from 0, is
// one at the rate
//
//	linear       start + (end - start)·i/(n-1)
//	exponential  start·(end/start)^(i/(n-1))
//
// The rate follows the number of requests and not the time: over the time a linear ramp grows
// exponentially.
type RampSpec struct {
	Strategy string  `toml:"strategy" required:"true" oneof:"linear exponential"`
	StartRPS float64 `toml:"start_rps" check:"positive" required:"true"` // requests per second
	EndRPS   float64 `toml:"end_rps" check:"positive" required:"true"`
}

// Validate reports a rate that cannot be drawn.
func (r *RampSpec) Validate() error {
	for _, at := range []struct {
		key  string
		rate float64
	}{{"start_rps", r.StartRPS}, {"end_rps", r.EndRPS}} {
		if !(at.rate >= slowest && at.rate <= fastest) {
			return &badinput.Error{Key: at.key, Value: at.rate, Problem: "out of range", Allowed: someRate}
		}
	}
	return nil
}

// at is the rate of request i of n.
func (r *RampSpec) at(i, n int) float64 {
	progress := float64(i) / float64(max(n-1, 1))
	if r.Strategy == "exponential" {
		return r.StartRPS * math.Pow(r.EndRPS/r.StartRPS, progress)
	}
	return r.StartRPS + (r.EndRPS-r.StartRPS)*progress
}

// gaps makes those of n requests in seconds of gaps at rate 1.
func (r *RampSpec) gaps(unit func() float64, n int) func() float64 {
	i := -1
	return func() float64 {
		i++
		return unit() / r.at(i, n)
	}
}

// mean is the number of requests over the time that they take to arrive, of many requests: the
// inverse of the mean of 1/rate, which is the logarithmic mean of both rates, or of an exponential
// ramp their product over it.
func (r *RampSpec) mean() float64 {
	if r.StartRPS == r.EndRPS {
		return r.StartRPS
	}
	logarithmic := (r.EndRPS - r.StartRPS) / math.Log(r.EndRPS/r.StartRPS)
	if r.Strategy == "exponential" {
		return r.StartRPS * r.EndRPS / logarithmic
	}
	return logarithmic
}
