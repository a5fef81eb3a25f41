package experiments

import (
	"fmt"
	"strings"
	"testing"
)

// sweepOf is an experiment of two strategies at a number of rates, each with 30
// replications.
func sweepOf(rates int) string {
	values := make([]string, rates)
	for i := range values {
		values[i] = fmt.Sprint(0.1 * float64(i+1))
	}
	return `
title = "many runs"
replications = 30
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload]
name = "sharegpt-8k"
num_requests = 1000
[workload.arrival]
process = "poisson"
rate = 1
[slo]
ttft_ms = 500
[[strategy]]
name = "continuous"
[[strategy]]
name = "static"
batching = "static"
max_num_seqs = 32
[sweep]
"workload.arrival.rate" = [` + strings.Join(values, ", ") + "]\n"
}

// BenchmarkStart is what happens before the first of 6,000 simulations: reading
// and checking an experiment, and ordering its runs.
func BenchmarkStart(b *testing.B) {
	text := sweepOf(100)
	for b.Loop() {
		f, err := Parse("many.toml", text)
		if err != nil {
			b.Fatal(err)
		}
		e, err := f.Check()
		if err != nil {
			b.Fatal(err)
		}
		for range e.scenarios(e.simulationOrder(false), Options{}) {
			break
		}
	}
}

// BenchmarkKey is the key of a scenario, which every run has one of.
func BenchmarkKey(b *testing.B) {
	f, err := Parse("many.toml", sweepOf(1))
	if err != nil {
		b.Fatal(err)
	}
	e, err := f.Check()
	if err != nil {
		b.Fatal(err)
	}
	s := e.Scenario(0)
	for b.Loop() {
		s.Key()
	}
}
