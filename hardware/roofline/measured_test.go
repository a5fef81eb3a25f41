package roofline

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kneepoint/hardware"
)

// servingRun is a row of the measured serving runs that names a dense model of
// the catalog on an accelerator of the catalog under vLLM.
type servingRun struct {
	id                     string
	deployment             Deployment
	kvTokens               int // 0: not logged
	rate                   float64
	input, output          float64
	tpotMS, concurrency    float64
	promptsAreCached, full bool
}

func servingRuns(t *testing.T) []servingRun {
	t.Helper()
	file, err := os.Open("../../../shared/measured/e2e/experiments.csv")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("needs ../shared/measured/e2e/experiments.csv")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var runs []servingRun
	for _, row := range rows[1:] {
		if run, ok := parseRun(t, rows[0], row); ok {
			runs = append(runs, run)
		}
	}
	return runs
}

func parseRun(t *testing.T, header, row []string) (servingRun, bool) {
	text := func(column string) string { return row[slices.Index(header, column)] }
	number := func(column string) float64 {
		v, _ := strconv.ParseFloat(text(column), 64)
		return v
	}
	gpus := map[string]string{"H100-SXM5-80GB": "h100-sxm", "A100-SXM4-80GB": "a100-sxm-80"}
	gpu, known := gpus[text("gpu")]
	if !known || strings.Contains(text("model"), "Mixtral") {
		return servingRun{}, false
	}
	d := deployment(t, gpu, "vllm-v1", text("model"), int(number("tp")))
	d.MaxNumBatchedTokens, d.MaxNumSeqs = int(number("max_num_batched_tokens")), int(number("max_num_seqs"))
	d.GPUMemoryUtilization = number("gpu_memory_utilization")
	return servingRun{id: text("id"), deployment: d, kvTokens: int(number("kv_tokens_gpu")),
		rate: number("request_rate_rps"), input: number("prompt_tokens_mean"), output: number("output_tokens_mean"),
		tpotMS: number("tpot_mean_ms"), concurrency: number("mean_concurrency"),
		promptsAreCached: number("distinct_prompts") > 0, full: number("mean_concurrency") > 120}, true
}

func TestKVCapacityMatchesLoggedBlocks(t *testing.T) {
	compared := 0
	for _, run := range servingRuns(t) {
		if run.kvTokens == 0 {
			continue
		}
		got := build(t, run.deployment).Capacity().KVTokens
		deviation := 100 * (float64(got)/float64(run.kvTokens) - 1)
		t.Logf("%-50s %7d tokens, logged %7d (%+.1f %%)", run.id, got, run.kvTokens, deviation)
		if math.Abs(deviation) > 10 {
			t.Errorf("%s: %d tokens, logged %d", run.id, got, run.kvTokens)
		}
		compared++
	}
	if compared < 10 {
		t.Errorf("compared only %d rows", compared)
	}
}

// Time per output token at the measured concurrency, without a queue: decode
// steps take the share of the time that prompts leave them.
func TestTPOTOfServingRuns(t *testing.T) {
	var deviations []float64
	for _, run := range servingRuns(t) {
		if run.full || run.concurrency == 0 || !(run.promptsAreCached || strings.HasPrefix(run.id, "res-")) {
			continue
		}
		got := 1e3 * tpot(build(t, run.deployment), run)
		deviations = append(deviations, math.Abs(got/run.tpotMS-1))
		t.Logf("%-50s %6.2f ms, measured %6.2f (%+.1f %%)", run.id, got, run.tpotMS, 100*(got/run.tpotMS-1))
		if math.Abs(got/run.tpotMS-1) > 0.15 {
			t.Errorf("%s: %.2f ms, measured %.2f", run.id, got, run.tpotMS)
		}
	}
	slices.Sort(deviations)
	if n := len(deviations); n < 30 || deviations[n/2] > 0.06 {
		t.Errorf("%d rows, median deviation %.3f", n, deviations[n/2])
	}
}

func tpot(m *Model, run servingRun) float64 {
	batch := int(math.Round(run.concurrency))
	work := decode(batch, int(run.input+run.output/2))
	step := float64(m.Step(work).Time)
	chunk := hardware.Chunk{Tokens: int(run.input)}
	if run.promptsAreCached {
		chunk = hardware.Chunk{Context: int(run.input) - 16, Tokens: 16}
	}
	work.Prefill, work.LogitRows = []hardware.Chunk{chunk}, batch+1
	prompt := float64(m.Step(work).Time) - step
	return step / (1 - run.rate*prompt)
}
