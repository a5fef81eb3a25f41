package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// saturated are systems that have all they can do, by accelerator, engine and precision: the numbers of experiments'
// figures that begin so, of some strategies or, where none is named, of all.
var saturated = []struct {
	system, experiments, figure string // experiments are apart by blanks
	strategies                  []string
}{
	{"H100, H200, GH200, TensorRT-LLM, fp8: Llama-2-70B", "mlperf-llama2-70b", "Offline",
		[]string{"two H100", "two H100 (2025)", "H200", "H200 (2025)", "GH200"}},
	{"H200, TensorRT-LLM, fp8: Llama-3.1-405B", "mlperf-llama3-405b", "Offline", []string{"eight H200, Offline"}},
	{"H200, TensorRT-LLM, fp8: Mixtral", "mlperf-mixtral", "Offline", []string{"H200"}},
	{"B200, GB200, TensorRT-LLM, fp4: Llama-2-70B", "mlperf-llama2-70b", "Offline", []string{"B200", "B200 (2025)", "GB200"}},
	{"B200, GB200, GB300, TensorRT-LLM, fp4: Llama-3.1-405B", "mlperf-llama3-405b", "Offline",
		[]string{"four B200, Offline", "four GB200, Offline", "twice two GB300, Offline"}},
	{"B200, GB200, GB300, TensorRT-LLM, fp4: DeepSeek-R1", "mlperf-deepseek-r1", "Offline", nil},
	{"B200, TensorRT-LLM, fp4: Llama-3.1-8B", "mlperf-llama3-8b", "Offline", []string{"B200"}},
	{"RTX PRO 6000, TensorRT-LLM, fp4: Llama-2-70B", "mlperf-llama2-70b", "Offline", []string{"RTX PRO 6000"}},
	{"H100, L40S, vLLM, fp8: Llama-3.1-8B", "mlperf-llama3-8b", "Offline", []string{"H100, Offline", "L40S, Offline"}},
	{"MI300X, vLLM, fp8: Llama-2-70B", "mlperf-llama2-70b", "Offline", []string{"MI300X", "MI300X (2024)"}},
	{"MI325X, vLLM, fp8: Llama-2-70B", "mlperf-llama2-70b", "Offline", []string{"MI325X"}},
	{"MI300X, MI325X, vLLM, fp8: Mixtral", "mlperf-mixtral", "Offline", []string{"MI300X", "MI325X"}},
	{"Arc Pro B60, vLLM, int4: Llama-2-70B", "mlperf-llama2-70b", "Offline", []string{"eight Arc Pro B60"}},
	{"A100, TensorRT-LLM of 2024, fp16", "qserve-a100", "FP16", nil},
	{"the same, weights in 4 bits", "qserve-a100", "W4A16", nil},
	{"the same, int8", "qserve-a100", "W8A8", nil},
	{"A100, QServe, 4 and 8 bits", "qserve-a100", "QServe", nil},
	{"L40S, TensorRT-LLM of 2024, fp16", "qserve-l40s", "FP16", nil},
	{"the same, weights in 4 bits", "qserve-l40s", "W4A16", nil},
	{"the same, int8", "qserve-l40s", "W8A8", nil},
	{"L40S, QServe, 4 and 8 bits", "qserve-l40s", "QServe", nil},
	{"A6000, vLLM of 2024, bf16: Llama-3.1-8B", "kurtic-throughput", "Table 6, 8B, 16 bits", nil},
	{"the same, int8 and int4 over bf16", "kurtic-throughput", "Table 6, 8B, 8 and 4 bits", nil},
	{"four A100, vLLM of 2024, bf16: Llama-3.1-70B", "kurtic-throughput", "Table 6, 70B, 16 bits", nil},
	{"the same, int8 and int4 over bf16", "kurtic-throughput", "Table 6, 70B, 8 and 4 bits", nil},
	{"eight A100, vLLM of 2024, fp16: Llama-2-70B", "nanoflow", "Offline", []string{"vLLM"}},
	{"the same, TensorRT-LLM of 2024", "nanoflow", "Offline", []string{"TensorRT-LLM"}},
	{"the same, NanoFlow", "nanoflow", "Offline", []string{"NanoFlow"}},
	{"the same and requests of traces, vLLM", nanoflowTraces, "Offline", []string{"vLLM"}},
	{"the same, TensorRT-LLM", nanoflowTraces, "Offline", []string{"TensorRT-LLM"}},
	{"the same, NanoFlow", nanoflowTraces, "Offline", []string{"NanoFlow"}},
	{"H100, engines of 2024, bf16: Llama-3-8B", "vllm-engines-2024", "8B", nil},
	{"four H100, the same: Llama-3-70B", "vllm-engines-2024", "70B", nil},
}

const nanoflowTraces = "nanoflow-lmsys nanoflow-sharegpt nanoflow-splitwise"

// TestSaturated: the table of saturated servers in docs/accuracy.md is what the experiments give.
func TestSaturated(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a dozen reproductions")
	}
	names := []string{"reproduce", "--json", "--quiet", "--store", publishedStore, "--out", t.TempDir()}
	for _, s := range saturated {
		for _, experiment := range strings.Fields(s.experiments) {
			if !slices.Contains(names, experiment) {
				names = append(names, experiment)
			}
		}
	}
	status, out, stderr := command(t, names...)
	if status != exitDone {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	var done []reproduction
	if err := json.Unmarshal([]byte(out), &done); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	var all, medians []float64
	for _, s := range saturated {
		var errs []float64
		for _, r := range done {
			if slices.Contains(strings.Fields(s.experiments), r.Experiment) {
				errs = append(errs, errorsOf(r.Curves, s.figure, s.strategies)...)
			}
		}
		slices.Sort(errs)
		table.WriteString(saturatedRow(s.system, " `"+strings.Join(strings.Fields(s.experiments), "`, `")+"`", errs))
		all, medians = append(all, errs...), append(medians, middle(sizes(errs)))
	}
	slices.Sort(all)
	table.WriteString(saturatedRow("**all numbers**", "", all))
	slices.Sort(medians)
	fmt.Fprintf(&table, "| **%d systems, the error of each** | | | %d | %.1f %% | | %.0f to %.0f %% |\n",
		len(medians), within(medians), 100*middle(medians), 100*medians[0], 100*medians[len(medians)-1])
	doc, err := os.ReadFile(filepath.Join(sourceFolder, "..", "..", "docs", "accuracy.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), table.String()) {
		t.Errorf("docs/accuracy.md does not have the table that comes out:\n%s", table.String())
	}
}

// errorsOf are simulated over published values, less 1, of what is shown of throughput without a bound on latency.
func errorsOf(curves []results.Reproduced, figure string, strategies []string) (errs []float64) {
	for _, c := range curves {
		if !strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(c.Figure, "v4.1, "), "v5.1, "), figure) {
			continue
		}
		for i, p := range c.Points {
			strategy := c.Strategy
			if strategy == "" {
				strategy = fmt.Sprint(p.X)
			}
			if strategies == nil || slices.Contains(strategies, strategy) {
				errs = append(errs, *c.Simulated[i]/p.Y-1)
			}
		}
	}
	return errs
}

// saturatedRow is a row of the table, of sorted errors.
func saturatedRow(system, experiment string, errs []float64) string {
	return fmt.Sprintf("| %s |%s | %d | %d | %.1f %% | %+.1f %% | %+.0f to %+.0f %% |\n", system, experiment, len(errs), within(sizes(errs)),
		100*middle(sizes(errs)), 100*middle(errs), 100*errs[0], 100*errs[len(errs)-1])
}

// sizes are absolute values, sorted.
func sizes(errs []float64) []float64 {
	abs := make([]float64, len(errs))
	for i, e := range errs {
		abs[i] = math.Abs(e)
	}
	slices.Sort(abs)
	return abs
}

// within counts the sizes that are at most the 10 % that were aimed at.
func within(sizes []float64) (near int) {
	for _, size := range sizes {
		if size <= 0.1 {
			near++
		}
	}
	return near
}

// middle is the median of sorted values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
