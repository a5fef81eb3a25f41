package roofline

import (
	"math"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// steady is a replica of n accelerators that keeps a batch of chats going, as measured: joules
// per output token and W per accelerator, which give the tokens per second.
type steady struct {
	accelerator, model string
	precision          hardware.Precision
	n, batch           int
	joules, watts      float64
	output             float64 // mean tokens of an answer
}

// chatPrompt is the prompts' length that the fit assumes; the benchmark does not give it.
const chatPrompt = 200

// chats are the ML.ENERGY benchmark's lm-arena-chat, ml-energy/leaderboard@0cd52da, under vLLM.
var chats = []steady{
	{"h100-sxm", "llama-3.1-8b", "bf16", 1, 8, .455, 486, 400}, {"h100-sxm", "llama-3.1-8b", "bf16", 1, 32, .165, 560, 390},
	{"h100-sxm", "llama-3.1-8b", "bf16", 1, 128, .095, 669, 405}, {"b200-sxm", "llama-3.1-8b", "bf16", 1, 8, .391, 639, 400},
	{"b200-sxm", "llama-3.1-8b", "bf16", 1, 1021, .055, 600, 400},
	{"h100-sxm", "qwen3-14b", "bf16", 1, 8, .706, 443, 620}, {"h100-sxm", "qwen3-14b", "bf16", 1, 253, .112, 645, 625},
	{"h100-sxm", "qwen3-32b", "bf16", 2, 8, 1.63, 425, 620}, {"h100-sxm", "qwen3-32b", "bf16", 2, 256, .229, 589, 620},
	{"h100-sxm", "llama-3.1-70b", "bf16", 4, 8, 3.76, 441, 400}, {"h100-sxm", "llama-3.1-70b", "bf16", 4, 64, .797, 500, 400},
	{"h100-sxm", "llama-3.1-70b", "bf16", 4, 511, .421, 623, 400}, {"b200-sxm", "llama-3.1-70b", "bf16", 2, 8, 3.57, 849, 400},
	{"b200-sxm", "llama-3.1-70b", "bf16", 2, 2042, .189, 954, 400},
	{"h100-sxm", "llama-3.1-405b", "fp8", 8, 8, 13.97, 408, 400}, {"h100-sxm", "llama-3.1-405b", "fp8", 8, 255, 2.06, 609, 400},
	{"h100-sxm", "qwen3-235b-a22b", "fp8", 8, 8, 11.4, 450, 870}, {"h100-sxm", "qwen3-235b-a22b", "fp8", 8, 511, .742, 495, 870},
	{"b200-sxm", "deepseek-v3", "fp8", 8, 8, 8.57, 482, 800}, {"b200-sxm", "deepseek-v3", "fp8", 8, 2042, .63, 733, 800},
}

// deployed is the measured replica. What fits depends on how it shared its memory.
func (s *steady) deployed(t *testing.T) Deployment {
	d := deployment(t, s.accelerator, "vllm-v1", s.model, s.n)
	if d.Weights, d.Activations = s.precision, s.precision; s.precision == hardware.FP4 {
		d.KV = hardware.FP8
	}
	d.KVTokens, d.MaxNumBatchedTokens, d.MaxNumSeqs, d.Accelerator.Memory = 1<<20, 2048, 64, 1<<50
	return d
}

// watts is what a replica draws that keeps a batch going at a rate of output tokens per second.
// Prompts join the steps of the others, so that they bring no bytes.
func watts(t *testing.T, d Deployment, batch, prompt int, output, rate float64) float64 {
	m := build(t, d)
	answers := m.Step(decode(batch, prompt+int(output/2)))
	cost := answers.Plus(m.Step(prefill(1, prompt)), float64(batch)/output)
	cost.Bytes, cost.Time = answers.Bytes, units.Seconds(float64(batch)/rate)
	return float64(d.TP)*d.Accelerator.IdleWatts + m.Energy(&cost, &hardware.Work{})/float64(cost.Time)
}

// predictedJoules is the energy of an output token at the measured tokens per second.
func (s *steady) predictedJoules(t *testing.T) float64 {
	rate := s.watts * float64(s.n) / s.joules
	return watts(t, s.deployed(t), s.batch, chatPrompt, s.output, rate) / rate
}

// TestMeasuredJoules: given the measured tokens per second, the energy of a token is right
// within 10 % for half of the chats, and within 22 % for nine in ten.
func TestMeasuredJoules(t *testing.T) {
	var errors []float64
	for _, s := range chats {
		got := s.predictedJoules(t)
		t.Logf("%-9s %-16s batch %4d: %7.3f J per token, measured %6.3f (%+.1f %%)", s.accelerator, s.model, s.batch, got, s.joules, 100*(got/s.joules-1))
		errors = append(errors, math.Abs(got/s.joules-1))
	}
	slices.Sort(errors)
	median, p90 := (errors[9]+errors[10])/2, errors[18]
	t.Logf("median %.1f %%, 90th percentile %.1f %%, largest %.1f %%", 100*median, 100*p90, 100*errors[19])
	if median > 0.10 || p90 > 0.22 {
		t.Errorf("off by %.3f in the median, %.3f at the 90th percentile", median, p90)
	}
}

// serverWatts is what a server draws beside its accelerators, for each of them: 250 to 300 W in
// the wall power of such servers.
const serverWatts = 275

// TestMeasuredWallPower: of servers with eight accelerators, from the meters of MLPerf Inference
// (mlcommons/inference_results_v4.1 198fc467, NVIDIA's MaxQ with H200 capped at 500 W;
// v5.1 965182b0, Lenovo's B200), at the measured rates, within 15 %. The lengths are about those of
// the benchmarks' data sets, batches are guesses (405B's in the server scenario is small enough for
// its bound of 175 ms on TPOT).
func TestMeasuredWallPower(t *testing.T) {
	for _, c := range []struct {
		name, accelerator, model string
		precision                hardware.Precision
		n, batch, prompt         int
		output, cap, rate, watts float64
	}{
		{"Llama-2-70B, offline", "h200-sxm", "llama-2-70b", "fp8", 1, 512, 294, 294, 500, 25262, 6153},
		{"Llama-2-70B, server", "h200-sxm", "llama-2-70b", "fp8", 1, 512, 294, 294, 500, 23113, 6280},
		{"Llama-2-70B, offline", "b200-sxm", "llama-2-70b", "fp4", 1, 1024, 294, 294, 0, 10401 / .101, 10401},
		{"Llama-2-70B, server", "b200-sxm", "llama-2-70b", "fp4", 1, 1024, 294, 294, 0, 10442 / .105, 10442},
		{"Llama-3.1-405B, offline", "b200-sxm", "llama-3.1-405b", "fp4", 4, 128, 9400, 685, 0, 9892 / 6.04, 9892},
		{"Llama-3.1-405B, server", "b200-sxm", "llama-3.1-405b", "fp4", 4, 64, 9400, 685, 0, 9566 / 7.66, 9566},
		{"Llama-3.1-8B, offline", "b200-sxm", "llama-3.1-8b", "fp4", 1, 1024, 778, 73, 0, 9436 / .064, 9436},
		{"Llama-3.1-8B, server", "b200-sxm", "llama-3.1-8b", "fp4", 1, 1024, 778, 73, 0, 9011 / .070, 9011},
	} {
		s := steady{accelerator: c.accelerator, model: c.model, precision: c.precision, n: c.n}
		d := s.deployed(t)
		if c.cap > 0 {
			d.Accelerator.TDPWatts = c.cap
		}
		replicas := float64(8 / c.n)
		got := 8*serverWatts + replicas*watts(t, d, c.batch, c.prompt, c.output, c.rate/replicas)
		near(t, c.name+", "+c.accelerator, got, c.watts, 0.15)
	}
}
