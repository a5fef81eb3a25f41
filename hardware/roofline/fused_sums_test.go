package roofline

import (
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// fusing is a model whose products are one kernel each with the sum of their outputs.
func fusing(t *testing.T, d Deployment) *Model {
	t.Helper()
	d.Engine.FusedSums = true
	return build(t, d)
}

// Without overheads a sum takes 2 (n-1)/n times its bytes over the bandwidth of the links, and a product its FLOPs over the peak:
// both products of a layer are longer than their sums on two accelerators, and shorter on eight.
func TestFusedSumsHideTheShorterOfProductAndSum(t *testing.T) {
	const tokens = 4096
	for tp, longer := range map[int]bool{2: true, 8: false} {
		d := deployment(t, "h100-sxm", "ideal", "llama-2-70b", tp)
		a, n := &d.Architecture, float64(tp)
		link, _ := d.Accelerator.Interconnect(tp)
		product := func(inner int) float64 {
			return 2 * tokens * float64(inner) / n * float64(a.Hidden) / float64(d.Accelerator.Peak(hardware.FP16))
		}
		sum := 2 * (n - 1) / n * tokens * float64(a.Hidden) * 2 / float64(link.Bandwidth)
		attention, mlp := product(a.Heads*a.HeadDim), product(a.FFN)
		if (attention > sum) != longer || (mlp > sum) != longer {
			t.Errorf("%d accelerators: products take %v and %v, their sums %v", tp, attention, mlp, sum)
		}
		w := prefill(1, tokens)
		saved := build(t, d).Step(w).Time - fusing(t, d).Step(w).Time
		about(t, "hidden", float64(saved), float64(a.Layers)*(min(attention, sum)+min(mlp, sum)), 1e-9)
	}
}

// What links take whatever their bandwidth stays, and so do sums of experts and those between servers.
func TestSumsThatAreNotFused(t *testing.T) {
	sums := func(m *Model, w *hardware.Work) units.Seconds {
		list := m.Breakdown(w)
		return list[slices.IndexFunc(list, func(o Operator) bool { return o.Name == "all-reduce" })].Time
	}
	d := deployment(t, "h100-sxm", "trtllm", "llama-2-70b", 8)
	m, one := fusing(t, d), decode(1, 100)
	about(t, "a token", float64(sums(m, one)), float64(m.exchanges[0].latency(1)*160+m.exchanges[0].once(1)), 1e-12)

	mixtral := deployment(t, "h100-sxm", "trtllm", "mixtral-8x7b", 8)
	prompts := prefill(1, 4096)
	apart, fused := build(t, mixtral), fusing(t, mixtral)
	most := 32 * fused.exchanges[0].once(4096)
	if saved := sums(apart, prompts) - sums(fused, prompts); saved <= 0 || saved > most {
		t.Errorf("of sums after attention, which take %v, and after experts %v are hidden", most, saved)
	}

	far := networked(t, "llama-2-70b", 16, 50e9)
	if apart, fused := build(t, far).Step(prompts).Time, fusing(t, far).Step(prompts).Time; apart != fused {
		t.Errorf("between servers %v, and %v with fused sums", apart, fused)
	}
	if a, b := build(t, far).Estimated(), fusing(t, far).Estimated(); !slices.Equal(a, b) {
		t.Errorf("between servers %q is estimated, and %q with fused sums", a, b)
	}
}

// The hidden time belongs to no stage more than to another, and the sum after the embedding is apart.
func TestFusedSumsInStages(t *testing.T) {
	d := deployment(t, "h100-sxm", "trtllm", "llama-2-70b", 2)
	d.PP = 2
	m, w := fusing(t, d), prefill(1, 2048)
	var times [2]units.Seconds
	m.StageTimes(w, times[:])
	if whole := m.Step(w).Time; times[0] <= 0 || times[1] <= 0 || times[0]+times[1] < whole*(1-1e-9) {
		t.Errorf("stages take %v, the step %v", times, whole)
	}
}
