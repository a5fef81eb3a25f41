package roofline

import (
	"testing"

	"kneepoint/hardware"
)

// Llama-3.1-405B's fp8 checkpoint quantizes the MLPs alone: of a layer, two matrices of 16384 x 16384 and one of
// 16384 x 2048 have two bytes a weight, three of 16384 x 53248 one, and both tables two.
func TestDenseModelWithWideAttention(t *testing.T) {
	d := deployment(t, "h100-sxm", "ideal", "llama-3.1-405b-fp8", 8)
	m := build(t, d)
	layer := 2*(2*16384*16384+16384*2048) + 3*16384*53248.0
	about(t, "weights", float64(m.Memory().Weights), (126*layer+2*2*128256*16384)/8, 1e-9)
	about(t, "what a step reads", float64(m.Step(decode(1, 1)).Bytes), 126*layer+2*128256*16384, 1e-4)
	d.Architecture.WideAttention = false
	narrow := build(t, d).Step(prefill(1, 4096))
	d.Architecture.WideAttention = true
	wide := build(t, d).Step(prefill(1, 4096))
	if wide.FLOPs != narrow.FLOPs {
		t.Errorf("%v FLOPs, %v without wide attention", wide.FLOPs, narrow.FLOPs)
	}
	// On the roofline, projections at half the rate: their FLOPs once more.
	extra := 2 * 4096 * 126 * (2*16384*16384 + 16384*2048.0) / 8 / float64(d.Accelerator.Peak(hardware.FP8))
	about(t, "time", float64(wide.Time-narrow.Time), extra, 0.02)
}

// The files of gpt-oss that llama.cpp serves have 59.02 and 11.27 GiB (llama-bench, as its users report it): experts in
// MXFP4, all else in 8 bits, with a scale of 16 bits for 32 weights, which is not counted here. That of 20b with all
// else in 16 bits has 12.83 GiB.
func TestOtherWeightsAreThoseOfPublishedFiles(t *testing.T) {
	with := func(name string, other hardware.Precision) *Model {
		d := deployment(t, "gb10", "vllm-v1", name, 1)
		d.Weights, d.OtherWeights = hardware.FP4, other
		return build(t, d)
	}
	about(t, "120b", with("gpt-oss-120b", hardware.INT8).Memory().Weights.GiB(), 59.02, 0.015)
	about(t, "20b", with("gpt-oss-20b", hardware.INT8).Memory().Weights.GiB(), 11.27, 0.015)
	about(t, "20b in 16 bits", with("gpt-oss-20b", "").Memory().Weights.GiB(), 12.83, 0.005)
	// A step reads attention (64 heads and twice 8 of 64), routers and LM head in half the bytes, and takes less time.
	wide, narrow := with("gpt-oss-20b", "").Step(decode(1, 1)), with("gpt-oss-20b", hardware.INT8).Step(decode(1, 1))
	saved := 24*2880*(2*64*64+2*8*64+32) + 201088*2880.0
	about(t, "a step", float64(wide.Bytes-narrow.Bytes), saved, 1e-9)
	if took := float64(wide.Time - narrow.Time); took < saved/273e9/2 || took > saved/273e9*2 {
		t.Errorf("%.2f ms less, at the whole bandwidth %.2f", took*1e3, saved/273e6)
	}
}
