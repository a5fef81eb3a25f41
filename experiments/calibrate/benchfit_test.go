package calibrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// server is a deployment whose engine is not quite vllm-v1.
const server = `like = "vllm-v1"
compute_efficiency = 0.62
memory_efficiency = 0.8
step_cpu = "2.5ms"
step_cpu_per_sequence = "25us"
request_fixed = "11ms"
`

// load is one benchmark of the server.
type load struct {
	rate          float64
	input, output int
}

// loads are short and long prompts and batches of all sizes.
var loads = []load{{1, 128, 64}, {8, 128, 128}, {40, 64, 256}, {1, 2048, 16}, {3, 2048, 64}, {2, 1024, 256}, {8, 512, 256}, {25, 256, 256}, {2, 6000, 400}, {80, 32, 128}}

// benchmark simulates a load on the server and writes its result as vLLM's
// benchmark would: in detail, or as statistics alone.
func benchmark(t *testing.T, folder string, number int, l load, detailed bool) string {
	t.Helper()
	engine := filepath.Join(folder, "server.toml")
	if err := os.WriteFile(engine, []byte(server), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := experiments.FromTree("server", folder, map[string]any{
		"title": "server", "seed": int64(100 + number),
		"model":    map[string]any{"name": "llama-3.1-8b"},
		"hardware": map[string]any{"accelerator": "h100-sxm", "engine": engine},
		"workload": map[string]any{"num_requests": int64(150),
			"arrival": map[string]any{"process": "poisson", "rate": l.rate, "normalize": true},
			"input":   map[string]any{"type": "uniform", "mean": float64(l.input), "range_ratio": 0.3},
			"output":  map[string]any{"type": "uniform", "mean": float64(l.output), "range_ratio": 0.3}},
		"strategy": []map[string]any{{"name": "server"}},
	}).Check()
	if err != nil {
		t.Fatal(err)
	}
	var record *metrics.Record
	res, err := e.Run(t.Context(), experiments.Options{Requests: func(_ *results.Run, r *metrics.Record) error {
		record = r
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	result := map[string]any{"model_id": "meta-llama/Llama-3.1-8B-Instruct", "request_rate": l.rate, "burstiness": 1.0, "max_concurrency": nil,
		"completed": len(record.Requests), "failed": 0}
	m := res.Runs[0].Metrics
	for _, key := range []string{"total_input_tokens", "total_output_tokens", "median_ttft_ms", "median_tpot_ms", "median_e2el_ms"} {
		result[key] = m[key]
	}
	if detailed {
		addDetails(result, record)
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, fmt.Sprintf("bench-%02d.json", number))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func addDetails(result map[string]any, record *metrics.Record) {
	var inputs, outputs []int32
	var ttfts, starts []float64
	var itls [][]float64
	for _, r := range record.Requests {
		inputs, outputs = append(inputs, r.Input), append(outputs, r.Output)
		ttfts, starts = append(ttfts, float64(r.TTFT())), append(starts, 5000+float64(r.Arrival))
		itls = append(itls, []float64{float64(r.Last - r.First)})
	}
	result["input_lens"], result["output_lens"], result["ttfts"], result["itls"], result["start_times"] = inputs, outputs, ttfts, itls, starts
}

func TestFitBenchRecoversTheServer(t *testing.T) {
	effort.Whole(t)
	start, err := hardware.LookupEngine("vllm-v1")
	if err != nil {
		t.Fatal(err)
	}
	want, err := hardware.ParseEngine(server, "server")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		detailed  func(i int) bool
		tolerance float64 // in scales
	}{
		{"every request known", func(int) bool { return true }, 0.1},
		{"one result in five has statistics alone", func(i int) bool { return i%5 != 4 }, 0.4},
	} {
		t.Run(c.name, func(t *testing.T) {
			fit := fitServer(t, c.detailed)
			for _, p := range parameters {
				got, want := p.get(&fit.Engine), p.get(&want)
				t.Logf("%s: %v, want %v (started from %v)", p.key, p.text(got), p.text(want), p.text(p.get(&start)))
				if math.Abs(got-want) > c.tolerance*p.scale {
					t.Errorf("%s: %v, want %v", p.key, p.text(got), p.text(want))
				}
			}
			for _, held := range []bool{false, true} {
				before, after := fit.Errors(held)
				t.Logf("held out %v: %d medians, before %v, after %v", held, after.N, before, after)
				if after.Median > 0.02 || before.Median < 0.1 {
					t.Errorf("held out %v: before %v, after %v", held, before, after)
				}
			}
			if len(fit.Warnings) != 0 {
				t.Errorf("warnings: %q", fit.Warnings)
			}
			checkProfile(t, fit)
		})
	}
}

// fitServer benchmarks the server under all loads and fits every constant.
func fitServer(t *testing.T, detailed func(i int) bool) *BenchFit {
	t.Helper()
	folder := t.TempDir()
	var files []string
	for i, l := range loads {
		files = append(files, benchmark(t, folder, i, l, detailed(i)))
	}
	benches, err := ReadBenches(files)
	if err != nil {
		t.Fatal(err)
	}
	simulations := 0
	fit, err := FitBench(t.Context(), benches, Deployment{Accelerator: "h100-sxm", TP: 1, Engine: "vllm-v1"},
		BenchOptions{Holdout: 0.2, Progress: func(done, total int) {
			if simulations++; done != simulations || total < done {
				t.Errorf("simulation %d is told as %d of %d", simulations, done, total)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d simulations", simulations)
	return fit
}

// Runs of single requests say nothing about the host's time per sequence.
func TestFitBenchTellsWhatDoesNotShow(t *testing.T) {
	folder := t.TempDir()
	var files []string
	for i := range 5 {
		files = append(files, benchmark(t, folder, i, load{0.1, 200 << i, 50}, true))
	}
	benches, err := ReadBenches(files)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := FitBench(t.Context(), benches, Deployment{Accelerator: "h100-sxm", TP: 1, Engine: "vllm-v1"},
		BenchOptions{Parameters: []string{"step_cpu_per_sequence", "request_fixed"}})
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(fit.Warnings, "\n"); !strings.Contains(all, "step_cpu_per_sequence hardly shows") || strings.Contains(all, "request_fixed hardly") {
		t.Errorf("warnings: %s", all)
	}
}

// checkProfile reads the written profile back.
func checkProfile(t *testing.T, fit *BenchFit) {
	t.Helper()
	text, err := fit.Profile("results")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "engine.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	back, err := hardware.LookupEngine(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parameters {
		if p.get(&back) != p.get(&fit.Engine) {
			t.Errorf("%s is read back as %v, was %v", p.key, p.get(&back), p.get(&fit.Engine))
		}
	}
	if !strings.HasPrefix(text, Marker) || !strings.Contains(text, "medians held out") {
		t.Errorf("profile:\n%s", text)
	}
}

// A server that the starting profile describes leaves it as it is.
func TestFitBenchLeavesWhatFits(t *testing.T) {
	folder := t.TempDir()
	var files []string
	for i, l := range loads[:4] {
		files = append(files, benchmark(t, folder, i, l, true))
	}
	benches, err := ReadBenches(files)
	if err != nil {
		t.Fatal(err)
	}
	engine := filepath.Join(folder, "server.toml")
	fit, err := FitBench(t.Context(), benches, Deployment{Accelerator: "h100-sxm", TP: 1, Engine: engine}, BenchOptions{Parameters: []string{"step_cpu", "request_fixed"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range fit.Constants {
		if c.Before != c.After {
			t.Errorf("%s went from %s to %s", c.Key, c.Before, c.After)
		}
	}
	if fit.Engine.MemoryEfficiency != 0.8 {
		t.Errorf("the profile in the file was not the start: %v", fit.Engine.MemoryEfficiency)
	}
}

func TestFitBenchRefuses(t *testing.T) {
	folder := t.TempDir()
	path := benchmark(t, folder, 0, loads[0], true)
	benches, err := ReadBenches([]string{path, path})
	if err != nil || len(benches) != 1 {
		t.Fatalf("a file that is named twice gives %d results, %v", len(benches), err)
	}
	for range 8 {
		benches = append(benches, benches[0])
	}
	other := append([]Bench(nil), benches...)
	other[3].Model = "opt-13b"
	fine := Deployment{Accelerator: "h100-sxm", TP: 1, Engine: "vllm-v1"}
	with := func(change func(d *Deployment)) Deployment {
		d := fine
		change(&d)
		return d
	}
	for want, c := range map[string]struct {
		benches    []Bench
		deployment Deployment
		options    BenchOptions
	}{
		"6 results are too few to fit 5 constants to; allowed: at least 7 results besides those held out, or --fit with 4": {benches[:7], fine, BenchOptions{Holdout: 0.2}},
		"2 results are too few to fit 1 constants to; allowed: at least 3 results besides those held out":                  {benches[:2], fine, BenchOptions{Parameters: []string{"step_cpu"}}},
		`--fit = "step_cpi": not a constant that can be fitted`:                                                            {benches, fine, BenchOptions{Parameters: []string{"step_cpi"}}},
		`--fit = "step_cpu": named twice`:          {benches, fine, BenchOptions{Parameters: []string{"step_cpu", "step_cpu"}}},
		`--holdout = -1: out of range`:             {benches, fine, BenchOptions{Holdout: -1}},
		`model_id = "opt-13b": another model than`: {other, fine, BenchOptions{}},
		`--accelerator = "h100-sxn": unknown`:      {benches, with(func(d *Deployment) { d.Accelerator = "h100-sxn" }), BenchOptions{}},
		`--model = "lama": `:                       {benches, with(func(d *Deployment) { d.Model = "lama" }), BenchOptions{}},
		`engine = "vlm-v1": unknown engine`:        {benches, with(func(d *Deployment) { d.Engine = "vlm-v1" }), BenchOptions{}},
		"--tp = 0: must be":                        {benches, with(func(d *Deployment) { d.TP = 0 }), BenchOptions{}},
		"hardware.tp = 3: ":                        {benches, with(func(d *Deployment) { d.TP = 3 }), BenchOptions{}},
		"hardware.kv_tokns: unknown key":           {benches, with(func(d *Deployment) { d.Set = []string{"hardware.kv_tokns=5"} }), BenchOptions{}},
		"none of its requests can be served":       {benches, with(func(d *Deployment) { d.Set = []string{"hardware.kv_tokens=32"} }), BenchOptions{}},
	} {
		_, err := FitBench(t.Context(), c.benches, c.deployment, c.options)
		var bad *badinput.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestFitBenchStops(t *testing.T) {
	folder := t.TempDir()
	benches, err := ReadBenches([]string{benchmark(t, folder, 0, loads[0], true)})
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		benches = append(benches, benches[0])
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = FitBench(ctx, benches, Deployment{Accelerator: "h100-sxm", TP: 1, Engine: "vllm-v1"}, BenchOptions{Progress: func(done, _ int) {
		if done == 12 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
