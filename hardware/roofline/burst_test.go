package roofline

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// TestFullClockAfterARest: a step with a prompt takes what the full clock gives it as long as the rest lasts,
// then what lasts; other steps, caps on power and accelerators without a burst know none. The operators add up to either.
func TestFullClockAfterARest(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	m := build(t, d)
	full, slow := m.rested, build(t, d)
	slow.rested = nil
	prompt := func(tokens int, rested units.Seconds) *hardware.Work {
		return &hardware.Work{Prefill: []hardware.Chunk{{Tokens: tokens}}, LogitRows: 1, Rested: rested}
	}
	host := d.Engine.StepCPU + d.Engine.StepCPUPerSequence
	for _, c := range []struct {
		tokens int
		rested units.Seconds
		budget units.Seconds // at the full clock
	}{{600, 1, 0.040}, {8192, 1, 0.040}, {8192, 0.02, 0.015}, {8192, 0, 0}, {8192, -1, 0}} {
		w := prompt(c.tokens, c.rested)
		fast, last := full.Step(w).Time-host, slow.Step(w).Time-host
		want := fast
		if fast > c.budget {
			want = c.budget + last*(1-c.budget/fast)
		}
		about(t, "a prompt", float64(m.Step(w).Time), float64(want+host), 1e-12)
		about(t, "its operators", float64(Total(m.Breakdown(w))), float64(want+host), 1e-12)
		if fast >= last {
			t.Errorf("%d tokens: %v at the full clock, %v at the one that lasts", c.tokens, fast, last)
		}
	}
	decode := hardware.Work{DecodeRows: 64, DecodeContext: 64000, LogitRows: 64, Rested: 1}
	if got, want := m.Step(&decode).Time, slow.Step(&decode).Time; got != want {
		t.Errorf("decode steps take %v after a rest, else %v", got, want)
	}
	d.Accelerator.PowerCapWatts = 500
	if build(t, d).rested != nil {
		t.Error("there is a burst under a cap on power")
	}
	if build(t, deployment(t, "a100-sxm-80", "vllm-v1", "llama-3.1-8b", 1)).rested != nil {
		t.Error("there is a burst where none was measured")
	}
}
