package calibrate

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

const ownRuns = `
title = "own, runs"
replications = 2
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
tp = 2
[workload]
num_requests = 60
input = { type = "uniform", min = 20, max = 600 }
output = { type = "uniform", min = 2, max = 60 }
[workload.arrival]
process = "gamma"
burstiness = 0.5
max_concurrency = 9
[[strategy]]
name = "continuous"
[[strategy]]
name = '日本/"b"'
max_num_seqs = 4
[sweep]
"workload.arrival.rate" = [2, 12.5]
`

// TestOwnRunsAreRead: runs that are written as benchmarks are read as any of vLLM's, with and
// without their requests.
func TestOwnRunsAreRead(t *testing.T) {
	for name, detailed := range map[string]bool{"aggregated": false, "detailed": true} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "benches")
			res := writeBenches(t, dir, detailed)
			found, err := ReadBenches([]string{dir})
			if err != nil {
				t.Fatal(err)
			}
			if len(found) != len(res.Runs) {
				t.Fatalf("%d benchmarks of %d runs", len(found), len(res.Runs))
			}
			for i := range found {
				compareBench(t, &found[i], &res.Runs[i], detailed)
			}
		})
	}
}

// writeBenches runs ownRuns and writes the runs as benchmarks.
func writeBenches(t *testing.T, dir string, detailed bool) *results.Results {
	t.Helper()
	file, err := experiments.Parse("own.toml", ownRuns)
	if err != nil {
		t.Fatal(err)
	}
	e, err := file.Check()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := results.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	log := folder.NewBenchLog(e.Plan())
	var options experiments.Options
	if detailed {
		options.Requests = log.Add
	}
	res, err := e.Run(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	for i := range res.Runs {
		if !detailed {
			err = errors.Join(err, log.Add(&res.Runs[i], nil))
		}
	}
	if err = errors.Join(err, log.Close()); err == nil {
		_, err = folder.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func compareBench(t *testing.T, b *Bench, run *results.Run, detailed bool) {
	t.Helper()
	rate, _ := run.Point["workload.arrival.rate"].Number()
	if b.Model != "llama-3.1-8b" || b.Rate != rate || b.Burstiness != 0.5 || b.MaxConcurrency != 9 || b.Count != 60 || b.Scheduled != detailed {
		t.Errorf("%s is read as %+v", b.Name, b)
	}
	for _, key := range Metrics {
		if got, want := b.Measured[key], run.Metrics[key]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %s is %v, want %v", b.Name, key, got, want)
		}
	}
	input, output := 0, 0
	for _, r := range b.Requests {
		input, output = input+r.Input, output+r.Output
	}
	if detailed && (float64(input) != run.Metrics[metrics.InputTokens] || float64(output) != run.Metrics[metrics.OutputTokens]) {
		t.Errorf("%s has %d and %d tokens", b.Name, input, output)
	}
}
