package model

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// TestCompressedParameters: 1.6T of which a token meets 49B, as the model card has them.
func TestCompressedParameters(t *testing.T) {
	a := lookup(t, "deepseek-v4-pro")
	for what, c := range map[string]struct{ got, want float64 }{"all": {a.Parameters(), 1.6e12}, "active": {a.ActiveParameters(), 49e9}} {
		if math.Abs(c.got/c.want-1) > 0.02 {
			t.Errorf("%s: %.4g parameters, published are %.4g", what, c.got, c.want)
		}
	}
}

// TestCompressionAtAMillionTokens: DeepSeek-V4-Pro takes 27 % of the FLOPs of DeepSeek-V3.2 for a token behind a million, and a
// tenth of its keys and values, as its model card says.
func TestCompressionAtAMillionTokens(t *testing.T) {
	a, before := lookup(t, "deepseek-v4-pro"), lookup(t, "deepseek-v3.2")
	flops := func(a *Architecture) float64 { return float64(a.ChunkFLOPs(1_000_000, 1_000_001)) }
	if got := flops(&a) / flops(&before); math.Abs(got-0.27) > 0.01 {
		t.Errorf("%.3f of the FLOPs, published are 0.27", got)
	}
	kept := func(a *Architecture) float64 { return float64(a.KVBytesPerToken(hardware.FP8)) }
	if got := kept(&a) / kept(&before); math.Abs(got-0.1) > 0.02 {
		t.Errorf("%.3f of the keys and values, published is 0.1", got)
	}
}

// TestCompressedLayers: in 8 bits 584 bytes of a vector are kept, one of 4 tokens with an index key in 30 layers and one of
// 128 in 31. Behind 10,000 tokens a token attends to the 128 last ones in all, to 1,024 vectors in 30 and to a 128th of all in 31.
func TestCompressedLayers(t *testing.T) {
	a := lookup(t, "deepseek-v4-pro")
	if got, want := float64(a.KVBytesPerToken(hardware.FP8)), 30*(584+132)/4.0+31*584/128.0; math.Abs(got-want) > 1e-9 {
		t.Errorf("%v bytes per token, want %v", got, want)
	}
	token := a.ChunkFLOPs(9_999, 10_000) - a.TokenFLOPs()
	pairs := units.FLOPs(61*128 + 30*1024 + 31*10_000/128.0)
	if want := pairs*a.PairFLOPs() + 30*10_000/4*2*64*128; math.Abs(float64(token/want)-1) > 1e-12 {
		t.Errorf("%v FLOPs, want %v", token, want)
	}
}

// TestDraftersOfCompressedModels keep the last tokens alone.
func TestDraftersOfCompressedModels(t *testing.T) {
	a := lookup(t, "deepseek-v4-pro")
	h := a.BlockDrafter()
	if got := h.KVBytesPerToken(hardware.FP8); got != 0 {
		t.Errorf("%v bytes per token, want none", float64(got))
	}
	if got, want := h.ChunkFLOPs(9_999, 10_000)-h.TokenFLOPs(), 3*128*a.PairFLOPs(); got != want {
		t.Errorf("%v FLOPs, want %v", got, want)
	}
	if a.Indexer == nil || a.Compression.Full == 0 {
		t.Error("the model itself has changed")
	}
}
