package estimate

import (
	"testing"

	"kneepoint/hardware"
)

// vLLM's measurements of its sleep mode on A100 with vLLM 0.11 (vLLM blog,
// 2025-10-26): seconds until a server is up, without its first prompt, and until
// one with its weights in the host's memory is awake again. The two large models
// take turns on the same machine, so that the page cache has their weights.
//
// The parts that depend on no model rest on the small model's start; what several
// accelerators add, on the 235B model's. The 30B model's is a prediction, and so
// is the wake-up of the 235B model, whose accelerators share their PCIe switches.
func TestSleepMode(t *testing.T) {
	for _, c := range []struct {
		model        string
		weights      hardware.Precision
		tp           int
		load         string
		cold, wakeUp float64
	}{
		{"qwen3-0.6b", "bf16", 1, "nvme", 37.6, 0.26},
		{"qwen3-30b-a3b", "bf16", 1, "host-memory", 47.45, 2.87},
		{"qwen3-235b-a22b", "fp8", 4, "host-memory", 97.65, 5.47},
	} {
		d := deployment(t, "a100-sxm-80", "vllm-v1", c.model, c.tp)
		d.Weights, d.MaxModelLen = c.weights, 8192
		load, err := hardware.ParseStorage(c.load)
		if err != nil {
			t.Fatal(err)
		}
		got := report(t, d, Question{Prompt: 100, Output: 100, Batch: 1, Load: load}).ColdStart
		near(t, c.model+" cold start", (got.TimeMS-got.FirstRequestMS)/1e3, c.cold, 0.05)
		near(t, c.model+" wake-up", got.WakeUpMS/1e3, c.wakeUp, 0.1)
		bare := got.WakeUpBytes / 32e9 * float64(min(c.tp, 2))
		if c.wakeUp > 1 && (c.wakeUp < bare || c.wakeUp > 2*bare) {
			t.Errorf("%s: %.3g s over PCIe alone, awake after %.3g s: not within a factor of two", c.model, bare, c.wakeUp)
		}
	}
}

// Most of a small model's cold start is not its weights: 36.7 of 37.6 s for
// Qwen3-0.6B.
func TestSmallModelsStartSlowly(t *testing.T) {
	got := report(t, deployment(t, "a100-sxm-80", "vllm-v1", "qwen3-0.6b", 1), Question{Prompt: 1, Output: 1, Batch: 1}).ColdStart
	if share := got.WeightsMS / got.TimeMS; share > 0.025 {
		t.Errorf("the weights take %.3g of the start", share)
	}
}
