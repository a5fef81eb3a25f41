package roofline

import (
	"testing"

	"kneepoint/units"
)

// Llama-3.1-70B in bf16 does not fit on an H100; with 75 GiB of its weights in the
// host's memory it does, and decodes at the pace of the link: 80.5 GB at 72 % of
// 64 GB/s are 1.75 s a step, behind which the accelerator's own work hides.
func TestWeightOffload(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 1)
	if _, err := New(d); err == nil {
		t.Fatal("70B fits on one accelerator")
	}
	d.CPUOffload = 75 << 30
	m := build(t, d)
	link := float64(d.CPUOffload) / (0.72 * 64e9)
	about(t, "the link", float64(m.weightsFromHost), link, 1e-12)
	step := m.Step(decode(1, 500)).Time
	if step < m.weightsFromHost || step > m.weightsFromHost*1.02 {
		t.Errorf("a step takes %v, the link %v", step, m.weightsFromHost)
	}
	about(t, "breakdown", float64(Total(m.Breakdown(decode(1, 500)))), float64(step), 1e-12)
	// A batch shares what comes over the link, until its own time is longer.
	if large := m.Step(prefill(1, 8192)).Time; large > 2*step {
		t.Errorf("a prompt of 8192 tokens takes %v, a token %v", large, step)
	}
}

// An unlimited link is like memory for all weights.
func TestWeightOffloadOverUnlimitedLink(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	want := build(t, d).Step(decode(8, 500)).Time
	d.CPUOffload = 10 << 30
	d.Accelerator.HostLink.Bandwidth = units.BytesPerSecond(1e30)
	about(t, "a step", float64(build(t, d).Step(decode(8, 500)).Time), float64(want), 1e-12)
	if more := build(t, d).Memory().KVTokens; more <= build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)).Memory().KVTokens {
		t.Errorf("%d tokens of KV", more)
	}
}
