package model

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// hybrids are the catalog's models with linear attention, and those of their families, that TestHybridsMatchTheirNames and
// TestGraniteIsAsLargeAsItsCardSays compare.
var hybrids = map[string]bool{"granite-4.0-h-small": true, "granite-4.0-h-tiny": true, "granite-4.0-h-micro": true, "granite-4.0-micro": true, "qwen3-next-80b-a3b": true, "qwen3.5-27b": true, "qwen3.5-35b-a3b": true,
	"qwen3.5-122b-a10b": true, "qwen3.5-397b-a17b": true}

// TestHybridsMatchTheirNames: parameters are those after which the models are named, which round them
// to billions, and of Qwen3-Next those of the files' headers, without the gate of each shared expert.
func TestHybridsMatchTheirNames(t *testing.T) {
	for name, want := range map[string][2]float64{"qwen3.5-27b": {27, 27}, "qwen3.5-35b-a3b": {35, 3},
		"qwen3.5-122b-a10b": {122, 10}, "qwen3.5-397b-a17b": {397, 17}} {
		a := lookup(t, name)
		if got := [2]float64{a.Parameters() / 1e9, a.ActiveParameters() / 1e9}; math.Abs(got[0]-want[0]) > 1 || math.Abs(got[1]-want[1]) > 1 {
			t.Errorf("%s: %.4g billion parameters, want %.4g", name, got, want)
		}
	}
	a := lookup(t, "Qwen/Qwen3-Coder-Next")
	const total, active, gates = 79_674_391_296, 3_874_929_408, 48 * 2048
	if a.Parameters() != total-gates || a.ActiveParameters() != active-gates {
		t.Errorf("%.0f parameters, %.0f active; want %d, %d", a.Parameters(), a.ActiveParameters(), total-gates, active-gates)
	}
}

// TestGraniteIsAsLargeAsItsCardSays: billions of all parameters and of a token's.
func TestGraniteIsAsLargeAsItsCardSays(t *testing.T) {
	for name, want := range map[string][2]float64{"granite-4.0-h-small": {32, 9}, "granite-4.0-h-tiny": {7, 1}, "granite-4.0-h-micro": {3, 3},
		"ibm-granite/granite-4.0-micro": {3, 3}} {
		a := lookup(t, name)
		if got := [2]float64{a.Parameters() / 1e9, a.ActiveParameters() / 1e9}; math.Abs(got[0]-want[0]) > 0.5 || math.Abs(got[1]-want[1]) > 0.5 {
			t.Errorf("%s: %.4g billion parameters, %.4g active; want %v", name, got[0], got[1], want)
		}
	}
}

// TestScans: a layer of Mamba-2 keeps 128 matrices of 128 x 64 and three inputs of 8,448 channels, and has two products with the
// state, in chunks those of one group's keys and of its values besides. Eight accelerators each have the group.
func TestScans(t *testing.T) {
	l := lookup(t, "granite-4.0-h-small").Linear
	if got, want := l.StateBytes(), units.Bytes(2*(128*128*64+3*(8192+2*128))); got != want {
		t.Errorf("%v a layer, want %v", got, want)
	}
	if got, want := l.FLOPsPerToken(), units.FLOPs(2*2*128*128*64); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := l.ChunkFLOPsPerToken(256), units.FLOPs(2*2*128*128*64+256*2*(128+8192)); got != want {
		t.Errorf("in chunks %v, want %v", got, want)
	}
	if got, want := Elements(l.ShareMatrices(4096, 8)), 4096*(2*1024+2*128+16)+1024*4096.0; got != want {
		t.Errorf("%v weights of an eighth, want %v", got, want)
	}
	for accelerators, want := range map[int]bool{1: true, 8: true, 128: true, 3: false, 256: false} {
		if got := l.Splits(accelerators); got != want {
			t.Errorf("over %d: %t", accelerators, got)
		}
	}
	if delta := lookup(t, "qwen3-next").Linear; delta.Splits(32) {
		t.Error("16 key heads of the delta rule are shared by 32")
	}
}

// TestStates: Qwen3-Next keeps in each of 36 layers 32 matrices of 128 x 128 and three inputs of 8,192
// channels in 16 bits, which makes vLLM's blocks 544 tokens of a layer's keys and values long (the next
// multiple of 16); Qwen3.5's matrices are in 32 bits.
func TestStates(t *testing.T) {
	a := lookup(t, "qwen3-next")
	if got, want := a.StateBytes(), units.Bytes(36*(32*128*128*2+3*8192*2)); got != want {
		t.Errorf("%v a sequence, want %v", float64(got), float64(want))
	}
	perLayer := float64(a.KVBytesPerToken(hardware.BF16)) / 12
	if got := 16 * math.Ceil(float64(a.Linear.StateBytes())/perLayer/16); got != 544 {
		t.Errorf("a state is as large as the keys and values of %v tokens, want 544", got)
	}
	b := lookup(t, "qwen3.5-9b")
	if got, want := b.StateBytes(), units.Bytes(24*(32*128*128*4+3*8192*2)); got != want {
		t.Errorf("%v a sequence, want %v", float64(got), float64(want))
	}
	if got := (&Architecture{}).StateBytes(); got != 0 {
		t.Errorf("attention alone has a state of %v", got)
	}
}

// TestLinearFLOPs: three products with the state of each value head, and in chunks those within them.
func TestLinearFLOPs(t *testing.T) {
	l := Linear{Layers: 1, KeyHeads: 1, ValueHeads: 2, KeyDim: 3, ValueDim: 5, Taps: 4}
	if got, want := l.FLOPsPerToken(), units.FLOPs(3*2*2*3*5); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := l.ChunkFLOPsPerToken(64), units.FLOPs(3*2*2*3*5+2*64*(6*3+4*5)); got != want {
		t.Errorf("in chunks %v, want %v", got, want)
	}
	a := lookup(t, "qwen3.5-9b")
	if got, want := a.TokenFLOPs()-a.MatrixFLOPsPerToken(), units.FLOPs(24)*a.Linear.FLOPsPerToken(); got != want {
		t.Errorf("of all layers %v, want %v", got, want)
	}
	if a.FullLayers() != 8 {
		t.Errorf("%d layers attend, want 8", a.FullLayers())
	}
}

// TestIndexer: DeepSeek-V3.2 scores each token of the context with 64 heads of 128 in 61 layers, and
// keeps 132 bytes of it in each beside the latent vector.
func TestIndexer(t *testing.T) {
	a, plain := lookup(t, "deepseek-v3.2"), lookup(t, "deepseek-v3")
	if got, want := a.Parameters()-plain.Parameters(), 61*(1536*64*128+7168*(128+64)+2*128.0); got != want {
		t.Errorf("%.0f more parameters than without, want %.0f", got, want)
	}
	if got := a.KVBytesPerToken(hardware.BF16) - plain.KVBytesPerToken(hardware.BF16); got != 61*132 {
		t.Errorf("%v more bytes per token, want %v", float64(got), 61*132)
	}
	// In 8 bits 656 bytes, 512 elements, 4 scales and 64 rotary elements, where dense attention has 576.
	for name, want := range map[string]units.Bytes{"deepseek-v3.2": 61 * (656 + 132), "glm-5": 78 * (656 + 132), "deepseek-v3": 61 * 576} {
		b := lookup(t, name)
		if got := b.KVBytesPerToken(hardware.FP8); got != want {
			t.Errorf("%s: %v bytes per token in 8 bits, want %v", name, float64(got), float64(want))
		}
	}
	if got := a.KVBytesPerToken(hardware.FP4); got != 61*(576/2+132) {
		t.Errorf("%v bytes per token in 4 bits, want %v: no kernel keeps scales of them", float64(got), 61*(576/2+132))
	}
	// Behind 10,000 tokens a token attends to 2,048, and its indexers to all.
	token := a.ChunkFLOPs(10_000, 10_001) - a.TokenFLOPs()
	if want := 61 * (2048*a.PairFLOPs() + 10_001*2*64*128); math.Abs(float64(token/want)-1) > 1e-12 {
		t.Errorf("%v FLOPs, want %v", token, want)
	}
}
