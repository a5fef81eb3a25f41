package roofline

import (
	"testing"

	"kneepoint/hardware"
)

// compressed is DeepSeek-V4-Pro in 8 bits but for the experts, on eight ideal accelerators.
func compressed(t *testing.T) *Model {
	t.Helper()
	d := deployment(t, "b200-sxm", "ideal", "deepseek-v4-pro", 8)
	d.Accelerator.Memory = 1 << 50
	d.KV = hardware.FP8
	return build(t, d)
}

// TestCompressedDecode: 16 sequences with 1,000 tokens more read a vector of 4 tokens in 30 layers, and of 128 in 31; a
// further sequence reads vectors of its 128 last tokens in all.
func TestCompressedDecode(t *testing.T) {
	m := compressed(t)
	const attention = "attention (decode)"
	bandwidth := float64(m.machine.bandwidth)
	work := func(rows, context int) *hardware.Work {
		w := decode(rows, context)
		w.DecodeWindowContext = int64(rows * min(context, 4096))
		return w
	}
	more := float64(timeOf(m, work(16, 3000), attention) - timeOf(m, work(16, 2000), attention))
	about(t, "vectors of 1,000 tokens", more*bandwidth, 16*1000*584*(30/4.0+31/128.0), 1e-3)
	sequence := float64(m.Step(work(17, 1)).Bytes - m.Step(work(16, 1)).Bytes)
	experts := float64(m.totals.expertBytes) * (m.experts.mixture.Distinct(17) - m.experts.mixture.Distinct(16))
	about(t, "a sequence", sequence-experts-2*7168, 61*128*584+584*(30/4.0+31/128.0)+30*132/4.0, 1e-6)
	if got, want := m.Memory().State, 61*128*584.0; float64(got) != want {
		t.Errorf("%v bytes are kept of a sequence's last tokens, want %v", float64(got), want)
	}
}

// TestCompressedStepsAreAffine: attention takes as long per token of context behind 200 as behind 3,000.
func TestCompressedStepsAreAffine(t *testing.T) {
	m := compressed(t)
	time := func(context int) float64 {
		w := decode(8, context)
		w.DecodeWindowContext = int64(8 * context)
		return float64(m.Step(w).Time)
	}
	about(t, "per token", time(300)-time(200), time(3000)-time(2900), 1e-6)
}

// TestCompressedPrompts: a prompt of 3,000 tokens multiplies each of its queries with what is kept, and no step is below its floor.
func TestCompressedPrompts(t *testing.T) {
	m := compressed(t)
	a := m.Deployment().Architecture
	w := prefill(1, 3000)
	for _, o := range m.Breakdown(w) {
		if o.Name == "attention (prefill)" {
			about(t, "FLOPs", 8*float64(o.FLOPs), float64(a.ChunkFLOPs(0, 3000)-3000*a.TokenFLOPs())-30*3000*3001/2/4.0*2*64*128, 1e-9)
		}
	}
	for _, w := range []*hardware.Work{w, decode(64, 5000), prefill(4, 100)} {
		cost := m.Step(w)
		if floor, bound := m.Floor(cost); cost.Time < floor {
			t.Errorf("a step takes %v, below its floor of %v by %s", cost.Time, floor, bound)
		}
	}
}

// TestCommonFormat: what every token meets is read in the checkpoint's 8 bits beside experts in 4, and in the wide type where other
// weights are asked for than the checkpoint's.
func TestCommonFormat(t *testing.T) {
	d := compressed(t).Deployment()
	if got := d.projected(); got != (format{hardware.FP8, hardware.FP8, 0}) {
		t.Errorf("attention has %v", got)
	}
	d.Weights = hardware.FP8
	if got := d.projected(); got != d.routed() {
		t.Errorf("attention has %v beside experts in 8 bits", got)
	}
}
