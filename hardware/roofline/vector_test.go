package roofline

import (
	"errors"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// vectors is a deployment on an A100 whose decode attention is on vector units, with keys and values in a format.
func vectors(t *testing.T, name string, ops float64, kv hardware.Precision) Deployment {
	d := deployment(t, "a100-sxm-80", "trtllm-1.0", name, 1)
	d.Engine.AttentionVectorOps, d.KV = ops, kv
	return d
}

// layerAttention is the decode attention of one layer for 64 sequences, by its tokens.
func layerAttention(t *testing.T, d Deployment, context int) units.Seconds {
	for _, o := range build(t, d).Breakdown(decode(64, context)) {
		if o.Name == "attention (decode)" {
			return o.Time / units.Seconds(d.Architecture.Layers)
		}
	}
	t.Fatal("no attention")
	return 0
}

// QServe (Lin et al., MLSys 2025, arXiv 2405.04532), table 1: one layer's decode attention with 64 sequences on an A100
// takes .09 and .62 ms with 128 and 1536 tokens of keys and values in 8 bits under TensorRT-LLM, and .07 and .41 ms in 4
// bits in QServe. Llama-2-7B has 32 heads of 128.
func TestVectorAttentionAgainstQServe(t *testing.T) {
	for _, c := range []struct {
		kv          hardware.Precision
		ops         float64
		short, long float64 // ms
	}{{hardware.INT8, 7, 0.09, 0.62}, {hardware.INT4, 4.5, 0.07, 0.41}} {
		d := vectors(t, "llama-2-7b", c.ops, c.kv)
		grown := layerAttention(t, d, 1536) - layerAttention(t, d, 128)
		about(t, string(c.kv), float64(grown)*1e3, c.long-c.short, 0.06)
		// 19.5 TFLOP/s are 9.75 tera-instructions; a key that four query heads share is taken four times, so that
		// 2 x 8 heads of 128 are 2 x 4096 elements again.
		shared := vectors(t, "llama-3.1-8b", c.ops, c.kv)
		grown = layerAttention(t, shared, 1536) - layerAttention(t, shared, 128)
		about(t, "shared keys", float64(grown), c.ops*8192*64*(1536-128)/9.75e12, 1e-9)
	}
}

// Instructions hide behind memory where that takes longer; they are the same beside a prompt, and once more for every guess.
func TestVectorAttentionHidesBehindMemory(t *testing.T) {
	few, none := vectors(t, "llama-2-7b", 1, hardware.FP16), vectors(t, "llama-2-7b", 0, hardware.FP16)
	if a, b := layerAttention(t, few, 1536), layerAttention(t, none, 1536); a != b {
		t.Errorf("one instruction for two bytes: %v, and %v without", a, b)
	}
	// Beside a prompt an L40S reads keys and values twice; 200 instructions take longer than both times.
	many := deployment(t, "l40s", "vllm-v1", "llama-3.1-8b", 1)
	many.Engine.AttentionVectorOps = 200
	alone, mixed := decode(64, 1536), decode(64, 1536)
	mixed.Prefill = []hardware.Chunk{{Tokens: 512}}
	m := build(t, many)
	if a, b := m.decodeTime(&m.decode, alone), m.decodeTime(&m.mixed, mixed); a != b {
		t.Errorf("beside a prompt: %v, alone %v: instructions are the same", b, a)
	}
	m = build(t, vectors(t, "llama-3.1-8b", 7, hardware.INT8))
	about(t, "two queries a sequence", float64(m.decode.verify(128, 64*1536, 64*1536, &m.machine)-m.decode.verify(128, 64*1536, 0, &m.machine)),
		7*8192*64*1536/9.75e12, 1e-9)
}

func TestVectorAttentionNeedsARate(t *testing.T) {
	d := vectors(t, "llama-2-7b", 7, hardware.INT8)
	d.Accelerator.FP32TFLOPS = 0
	var bad *badinput.Error
	if _, err := New(d); !errors.As(err, &bad) || bad.Key != "hardware.accelerator" {
		t.Errorf("%v", err)
	}
}

// Prompts of Llama-3-8B Q4_0 in pieces of 512 tokens: 4,124 tokens a second of 2,048 on an RTX 3090, and 10,359 of
// 512 on an RTX 4090 (ggml-org/llama.cpp, pull requests 8062 and 7676).
func TestVectorProductsAgainstLlamaCpp(t *testing.T) {
	for _, c := range []struct {
		accelerator string
		pieces      int
		rate        float64
	}{{"rtx-3090", 4, 4124.14}, {"rtx-4090", 1, 10358.75}} {
		d := deployment(t, c.accelerator, "vllm-v1", "llama-3-8b", 1)
		d.Weights, d.Activations = hardware.INT4, hardware.INT8
		d.Engine.ProductVectorOps = 16
		m := build(t, d)
		var took units.Seconds
		for i := range c.pieces {
			took += m.Step(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 512, Context: 512 * i}}, LogitRows: 1}).Time
		}
		about(t, c.accelerator, 512*float64(c.pieces)/float64(took), c.rate, 0.07)
	}
}

// The instructions of vector units are as many as there are weights and rows, experts among them, and wait for nobody: a product
// takes as long as the slower units. Weights of 16 bits have no scales.
func TestVectorProductsBesideMatrixUnits(t *testing.T) {
	step := func(name string, weights hardware.Precision, ops float64, tokens int) units.Seconds {
		d := deployment(t, "h100-sxm", "ideal", name, 1)
		d.Weights, d.Activations = weights, hardware.BF16
		d.Engine.ProductVectorOps = ops
		return build(t, d).Step(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: tokens}}, LogitRows: 1}).Time
	}
	for _, name := range []string{"llama-3.1-8b", "qwen3-30b-a3b"} {
		if got, want := step(name, hardware.BF16, 1000, 512), step(name, hardware.BF16, 0, 512); got != want {
			t.Errorf("%s in 16 bits: %v, and %v without scales", name, got, want)
		}
		if got, want := step(name, hardware.INT8, 0.01, 4096), step(name, hardware.INT8, 0, 4096); got != want {
			t.Errorf("%s: few instructions take %v longer", name, got-want)
		}
	}
	grown := step("llama-3.1-8b", hardware.INT8, 2000, 4096) - step("llama-3.1-8b", hardware.INT8, 1000, 4096)
	weights := 32 * 4096 * (4096*2 + 1024*2 + 3*14336)
	about(t, "instructions", float64(grown), 1000.0/32*float64(weights)*4096/33.5e12, 1e-9)
}
