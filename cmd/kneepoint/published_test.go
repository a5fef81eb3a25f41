package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/internal/svgtext"
	"kneepoint/plots"
	"kneepoint/sim/metrics"
)

// publishedStore keeps what repeats published figures, which two tests look at.
var publishedStore = filepath.Join(os.TempDir(), fmt.Sprintf("kneepoint-published-%d", os.Getpid()))

// resultsOf runs an experiment and returns its results.
func resultsOf(t *testing.T, text string, args ...string) *results.Results {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("test.toml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	code, res := runNamed(t, "test.toml", args...)
	if code != exitDone {
		t.Fatalf("exit status %d", code)
	}
	return res
}

// runNamed runs an experiment and returns the exit status and the results.
func runNamed(t *testing.T, name string, args ...string) (code int, res *results.Results) {
	t.Helper()
	out := t.TempDir()
	code, _, stderr := command(t, append([]string{"run", name, "--json", "-q", "--out", out}, args...)...)
	if code == exitBadInput || code == exitInterrupted {
		t.Fatalf("%s: exit status %d: %s", name, code, stderr)
	}
	return code, readResults(t, out)
}

// readResults reads a folder of results.
func readResults(t *testing.T, dir string) *results.Results {
	t.Helper()
	plan, outcomes, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return results.Aggregate(plan, results.ByKey(outcomes))
}

// only returns the only run of a strategy.
func only(t *testing.T, res *results.Results, strategy string) results.Run {
	t.Helper()
	for _, run := range res.Runs {
		if run.Strategy == strategy {
			return run
		}
	}
	t.Fatalf("no run of %q", strategy)
	return results.Run{}
}

// Every row of a published trace is accounted for, with its tokens, and on one
// H100 continuous batching serves it better than static batches of 32.
func TestAzureConversationTrace(t *testing.T) {
	trace, err := filepath.Abs("../../../shared/traces/azure-2023/AzureLLMInferenceTrace_conv.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(trace); err != nil {
		t.Skip("the replay of the Azure trace needs ../shared")
	}
	res := resultsOf(t, `
title = "Azure conversations of 2023"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload.trace]
path = `+"'"+trace+"'"+`
format = "azure"
[slo]
ttft_ms = 500
tpot_ms = 50
[[strategy]]
name = "static"
batching = "static"
max_num_seqs = 32
[[strategy]]
name = "continuous"
`)
	for _, run := range res.Runs {
		m := run.Metrics
		if got := m["completed"] + m["unfinished"] + m["rejected"]; got != 19366 {
			t.Errorf("%s: %v requests are accounted for, want 19366", run.Strategy, got)
		}
		if in, out := m["total_input_tokens"], m["total_output_tokens"]; in != 22361870 || out != 4088665 {
			t.Errorf("%s: %v prompt and %v output tokens, want 22361870 and 4088665", run.Strategy, in, out)
		}
	}
	static, continuous := only(t, res, "static").Metrics, only(t, res, "continuous").Metrics
	if continuous["p99_ttft_ms"] >= static["p99_ttft_ms"] || continuous["request_goodput"] <= static["request_goodput"] {
		t.Errorf("continuous: p99 TTFT %v ms, goodput %v; static: %v ms, %v", continuous["p99_ttft_ms"],
			continuous["request_goodput"], static["p99_ttft_ms"], static["request_goodput"])
	}
}

// TestPublishedExperiments runs the experiments that repeat published
// measurements: what they expect comes out, within the bounds in their files.
// With -short only those that take no second, and once where one replication keeps to
// the bounds. With twice the default effort knees are searched, too; else those of the
// sweep have to keep to the bounds.
func TestPublishedExperiments(t *testing.T) {
	for name, numbers := range map[string]int{"arc-pro-b60": 0, "autoscale-spike": 9, "chunked-prefill": 14, "claims-70b": 3, "cold-start": 5, "cold-start-laptop": 2, "cold-start-published": 8, "databricks-static": 2, "disaggregation": 3, "distserve": 12, "fp8-kv-cache": 0, "gallery": 2, "gpt-fast": 0, "heatmap": 0, "heterogeneous": 3, "kv-offload-long-context": 12, "mooncake-routers": 6, "node-loss": 10, "node-loss-disaggregated": 12, "routers": 5, "speculation-crossover": 7,
		"speculation-ngram": 5, "splitwise": 3, "splitwise-steps": 0, "static-vs-continuous": 5, "strategies": 8, "tradeoff-matrix": 6, "vllm-paper": 12} {
		t.Run(name, func(t *testing.T) {
			args := []string{"--store", publishedStore}
			if testing.Short() {
				if slices.Contains([]string{"autoscale-spike", "chunked-prefill", "disaggregation", "distserve", "heterogeneous", "mooncake-routers", "node-loss", "node-loss-disaggregated", "routers", "speculation-crossover", "splitwise", "strategies", "tradeoff-matrix", "vllm-paper"}, name) {
					t.Skip("long")
				}
				args = append(args, "--set", "replications=1")
			}
			if effort.Times(t, 1) < 2 {
				args = append(args, "--no-search")
			}
			code, res := runNamed(t, name, args...)
			if len(res.Expectations) != numbers || code != exitDone {
				t.Errorf("exit status %d, %d expectations, want %d", code, len(res.Expectations), numbers)
			}
			for _, x := range res.Expectations {
				t.Logf("%s: %.2f (%s)", x.What, *x.Value, x.Source)
			}
			legible(t, res)
		})
	}
}

// legible draws the figures of results in every size: no text lies on another, or leaves the
// page.
func legible(t *testing.T, res *results.Results) {
	t.Helper()
	for _, size := range results.PlotSizes {
		images, _, err := plots.Images(res, plots.Options{Size: size, Formats: []string{"svg"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, image := range images {
			if filepath.Ext(image.Name) != ".svg" {
				continue
			}
			faults, err := svgtext.Faults(string(image.Bytes))
			if err != nil || len(faults) > 0 {
				t.Errorf("%s as %s: %v %q", image.Name, size, err, faults)
			}
		}
	}
}

// TestSpeculationFadesWithLoad: what a draft model gains falls with every step of
// the load, as published, and guessing only as long as it pays is nowhere worse
// than the better of always and never by more than 5 %.
func TestSpeculationFadesWithLoad(t *testing.T) {
	text, _ := experiments.Source("speculation-crossover")
	var args []string
	if testing.Short() {
		args = append(args, "--set", "replications=1")
	}
	res := resultsOf(t, text, args...)
	latency := map[string][]results.Point{}
	for _, s := range res.Series {
		latency[s.Strategy] = s.Points
	}
	last := math.Inf(1)
	for i, p := range latency["none"] {
		never, always, adaptive := p.Metrics["mean_e2el_ms"].Mean, latency["draft"][i].Metrics["mean_e2el_ms"].Mean, latency["adaptive"][i].Metrics["mean_e2el_ms"].Mean
		t.Logf("%v requests per second: %.2f times as fast with guesses, %.2f where they pay", p.Value, never/always, never/adaptive)
		if never/always >= last {
			t.Errorf("%v requests per second: %v times as fast with guesses, %v at the load before", p.Value, never/always, last)
		}
		if adaptive > 1.05*min(never, always) {
			t.Errorf("%v requests per second: %v ms where guesses pay, %v ms without, %v ms with all", p.Value, adaptive, never, always)
		}
		last = never / always
	}
}

// TestPromptsWaitForMemory: without offloading TTFT grows faster than the prompt
// once prompts do not fit, nine tenths of it in the queue, and the longer the run
// under an overload of 5 %, the more layer-wise offloading gains, as LayerKV has it.
func TestPromptsWaitForMemory(t *testing.T) {
	last := 0.0
	for _, requests := range []int{100, 200, 400} {
		_, res := runNamed(t, "kv-offload-long-context", "--set", "expect=[]", "--set", "claim=[]", "--set", "replications=1", "--set", fmt.Sprintf("workload.num_requests=%d", requests),
			"--set", `sweep={mode="zip", "workload.input.mean"=[1024, 2048, 4096, 8192, 16384], "workload.arrival.rate"=[1.12, 0.64, 0.34, 0.166, 0.082]}`)
		paged, layerwise := res.Series[0].Points, res.Series[1].Points
		shortest, longest := paged[0], paged[len(paged)-1]
		ttft := func(p results.Point) float64 { return p.Metrics["mean_ttft_ms"].Mean }
		if growth := ttft(longest) / ttft(shortest); growth < 16 {
			t.Errorf("%d requests: of prompts 16 times as long TTFT is %v times as long", requests, growth)
		}
		parts := longest.Why.TTFT["mean"]
		if waits := float64((parts[metrics.Queue] + parts[metrics.KVWait]) / parts.Sum()); waits < 0.9 {
			t.Errorf("%d requests: %v of TTFT is spent in the queue", requests, waits)
		}
		gain := ttft(longest) / ttft(layerwise[len(layerwise)-1])
		t.Logf("%d requests: %.1f times sooner first tokens", requests, gain)
		if gain <= last {
			t.Errorf("%d requests: %v times sooner first tokens, %v with fewer requests", requests, gain, last)
		}
		last = gain
	}
}

// TestCapsOnOutputLengths: the four data sets of Anyscale's comparison, whose
// output lengths are exponential with mean 128 and drawn again above a cap. The
// shorter the cap, the less is lost by waiting for the longest: the advantage of
// paging grows with it, from at most 1.4 at 32 tokens.
func TestCapsOnOutputLengths(t *testing.T) {
	last := 1.0
	for _, c := range []struct{ tokens, batch, memory int }{{32, 16, 8700}, {128, 12, 7500}, {512, 8, 8100}, {1536, 4, 8100}} {
		_, res := runNamed(t, "static-vs-continuous", "--set", "replications=1", "--set", "expect=[]",
			"--set", "workload.output="+cappedExponential(128, float64(c.tokens)),
			"--set", fmt.Sprintf("strategy.static.max_num_seqs=%d", c.batch),
			"--set", fmt.Sprintf("strategy.continuous.model.max_model_len=%d", 512+c.tokens),
			"--set", fmt.Sprintf("strategy.continuous.hardware.kv_tokens=%d", c.memory))
		throughput := func(strategy string) float64 { return only(t, res, strategy).Metrics["total_token_throughput"] }
		static, continuous, paged := throughput("static"), throughput("continuous"), throughput("paged")
		ratio := paged / static
		t.Logf("at most %d tokens: static %.0f tokens/s, continuous %.0f, paged %.0f", c.tokens, static, continuous, paged)
		if ratio <= last || c.tokens == 32 && ratio > 1.4 || static > continuous || continuous > paged {
			t.Errorf("at most %d tokens: static %v tokens/s, continuous %v, paged %v", c.tokens, static, continuous, paged)
		}
		last = ratio
	}
}

// cappedExponential is the table of an exponential law without its part above a
// cap, by quantiles, which lie closer where the law is thin.
func cappedExponential(mean, limit float64) string {
	var percentiles, quantiles []string
	for i := range 101 {
		p := 1 - math.Pow(1-float64(i)/100, 3)
		q := -mean * math.Log(1-p*(1-math.Exp(-limit/mean)))
		percentiles = append(percentiles, fmt.Sprint(100*p))
		quantiles = append(quantiles, fmt.Sprint(math.Max(1, q)))
	}
	return fmt.Sprintf(`{type = "empirical", percentiles = [%s], quantiles = [%s]}`, strings.Join(percentiles, ", "), strings.Join(quantiles, ", "))
}
