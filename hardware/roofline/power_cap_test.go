package roofline

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/units"
)

func capped(t testing.TB, d Deployment, share float64) *Model {
	if err := d.Accelerator.CapPower(share * d.Accelerator.TDPWatts); err != nil {
		t.Fatal(err)
	}
	return build(t, d)
}

// TestCapSlowsPrompts: under a cap of half the TDP prompts take half as long again, decodes of
// one sequence under .75 as long as without; the step's time is that of its operators and stages.
func TestCapSlowsPrompts(t *testing.T) {
	d := deployment(t, "h200-sxm", "vllm-v1", "llama-3.1-8b", 1)
	free := build(t, d)
	for _, c := range []struct {
		name      string
		work      *hardware.Work
		cap       float64
		low, high float64
	}{
		{"prompts", prefill(4, 2048), 0.5, 1 / .66, 1 / .60},
		{"prompts", prefill(4, 2048), 0.71, 1 / .84, 1 / .79},
		{"one decodes", decode(1, 500), 0.75, 1, 1},
		{"one decodes", decode(1, 500), 0.5, 1, 1.4},
		{"at the TDP", prefill(4, 2048), 1, 1, 1},
	} {
		m := capped(t, d, c.cap)
		if ratio := float64(m.Step(c.work).Time / free.Step(c.work).Time); ratio < c.low || ratio > c.high {
			t.Errorf("%s under %v of the TDP: %.3f times as long, want %.3f to %.3f", c.name, c.cap, ratio, c.low, c.high)
		}
	}
}

// TestCapOfDecodes: INT4 answers for one stream on an RTX PRO 6000 keep .99, .95 and .87 of their
// speed at .67, .58 and .50 of the TDP (Light-Heart-Labs/MMBT f4d2a4e, 27B), whose demand is ours here.
func TestCapOfDecodes(t *testing.T) {
	d := deployment(t, "rtx-pro-6000", "vllm-v1", "gemma-2-27b", 1)
	d.Weights = "int4"
	free := build(t, d).Step(decode(1, 500)).Time
	for share, want := range map[float64]float64{.67: .99, .58: .95, .50: .87} {
		got := float64(free / capped(t, d, share).Step(decode(1, 500)).Time)
		if t.Logf("at %v: %.3f, measured %v", share, got, want); math.Abs(got-want) > 0.055 {
			t.Errorf("at %v of the TDP %.3f, measured %v", share, got, want)
		}
	}
}

// TestCappedSteps: whatever the step, no accelerator draws more than the cap, the step is
// never shorter than without, and its operators and stages add up to it.
func TestCappedSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := deployment(t, rapid.SampledFrom([]string{"h100-sxm", "a100-sxm-80", "l40s"}).Draw(t, "accelerator"), "vllm-v1", "llama-3.1-8b", 1)
		d.PP = rapid.IntRange(1, 2).Draw(t, "stages")
		if d.Accelerator.ScaleUp.World < 2 {
			d.PP = 1
		}
		free, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		watts := rapid.Float64Range(0.25, 1).Draw(t, "cap") * d.Accelerator.TDPWatts
		if err := d.Accelerator.CapPower(watts); err != nil {
			t.Fatal(err)
		}
		m, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		rows := rapid.IntRange(0, 256).Draw(t, "rows")
		w := decode(rows, rapid.IntRange(1, 4000).Draw(t, "context"))
		if n := rapid.IntRange(0, 4000).Draw(t, "prompt"); n > 0 || rows == 0 {
			w.Prefill, w.LogitRows = []hardware.Chunk{{Tokens: n + 1}}, rows+1
		}
		cost := m.Step(w)
		if least := free.Step(w).Time; cost.Time < least*(1-1e-12) {
			t.Fatalf("%v, without a cap %v", cost.Time, least)
		}
		if drawn := d.Accelerator.IdleWatts + cost.Energy/float64(cost.Time)/m.working(); drawn > watts*(1+1e-12) {
			t.Fatalf("%v W under a cap of %v", drawn, watts)
		}
		times := make([]units.Seconds, d.PP)
		m.StageTimes(w, times)
		var stages units.Seconds
		for _, s := range times {
			stages += s
		}
		for name, sum := range map[string]units.Seconds{"operators": Total(m.Breakdown(w)), "stages": stages} {
			if math.Abs(float64(sum/cost.Time)-1) > 1e-9 {
				t.Fatalf("%s take %v, the step %v", name, sum, cost.Time)
			}
		}
	})
}
