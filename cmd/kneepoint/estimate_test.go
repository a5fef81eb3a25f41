package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/estimate"
)

// An estimate agrees with the simulation of a closed loop in which as many
// requests are always in work.
func TestEstimateAgreesWithSimulation(t *testing.T) {
	t.Chdir(t.TempDir())
	const file = `title = "closed loop"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload]
num_requests = 1000
[workload.arrival]
process = "closed"
concurrency = 32
[workload.input]
type = "fixed"
mean = 512
[workload.output]
type = "uniform"
mean = 256
range_ratio = 0.5
[[strategy]]
name = "continuous"
`
	if err := os.WriteFile("closed.toml", []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := command(t, "run", "closed.toml", "-q", "--json", "--out", "out"); code != exitDone {
		t.Fatalf("exit status %d: %s", code, stderr)
	}
	var estimate struct{ Service map[string]any }
	decodeOutput(t, &estimate, "estimate", "--model", "llama-3.1-8b", "--accelerator", "h100-sxm",
		"--prompt", "512", "--output", "256", "--batch", "32", "--json")
	simulated := readResults(t, "out").Runs[0].Metrics
	for metric, key := range map[string]string{"output_throughput": "output_throughput", "mean_tpot_ms": "tpot_ms",
		"mean_e2el_ms": "e2el_ms", "energy_j_per_token": "energy_j_per_token"} {
		want, ok := simulated[metric]
		got, there := estimate.Service[key].(float64)
		if !ok || !there || math.Abs(got/want-1) > 0.06 {
			t.Errorf("%s: estimated %v, simulated %v", metric, estimate.Service[key], simulated[metric])
		}
	}
}

func decodeOutput(t *testing.T, into any, args ...string) {
	t.Helper()
	code, stdout, stderr := command(t, args...)
	if code != exitDone {
		t.Fatalf("%v: exit status %d: %s", args, code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), into); err != nil {
		t.Fatal(err)
	}
}

// No accelerator of the catalog is refused, and none prints what is no number.
func TestEveryAcceleratorIsEstimated(t *testing.T) {
	for _, name := range hardware.Accelerators() {
		code, stdout, stderr := command(t, "estimate", "--model", "llama-3.2-1b", "--accelerator", name, "--max-model-len", "4096")
		if code != exitDone || strings.Contains(stdout, "NaN") || strings.Contains(stdout, "Inf") || !strings.Contains(stdout, "cold start: ") {
			t.Errorf("%s: exit status %d: %s%s", name, code, stdout, stderr)
		}
	}
}

// A device that its cooling slows down says so.
func TestSustainedRateIsShown(t *testing.T) {
	for want, p := range map[string]estimate.Portable{
		"sustained: 12.3 tok/s after 10.0 min at full load\n":                {SustainedTokensPerSecond: 12.34, SustainedLeast: 12.34, SustainedMost: 12.34, SustainedAfterS: 600},
		"sustained: 12.3 tok/s (10.0 to 15.0) after 10.0 min at full load\n": {SustainedTokensPerSecond: 12.34, SustainedLeast: 10, SustainedMost: 15, SustainedAfterS: 600},
	} {
		var text strings.Builder
		if renderPortable(&text, &estimate.Report{Portable: &p}); text.String() != want {
			t.Errorf("got %q, want %q", text.String(), want)
		}
	}
}

// Every command in docs/estimate.md works.
func TestEstimateDocs(t *testing.T) {
	here := sourceFolder
	t.Chdir(t.TempDir())
	text, err := os.ReadFile(filepath.Join(here, "../../docs/estimate.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, line := range strings.Split(string(text), "\n") {
		args, ours := strings.CutPrefix(line, "kneepoint ")
		if !ours {
			continue
		}
		ran++
		args, _, _ = strings.Cut(args, " |")
		if code, _, stderr := command(t, strings.Fields(args)...); code != exitDone {
			t.Errorf("%s: exit status %d: %s", line, code, stderr)
		}
	}
	if ran < 3 {
		t.Errorf("found only %d commands", ran)
	}
}
