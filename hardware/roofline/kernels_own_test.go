package roofline

import (
	"os"
	"testing"

	"kneepoint/hardware/model"
)

// ownRows reads a table of testdata.
func ownRows(t *testing.T, name string) []measuredRow {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return tableRows(t, file)
}

// TestOwnProducts: products of the layers of 8B and 70B models, measured on 22 November 2026 on one
// H100 80GB HBM3 (PyTorch 2.11, cuBLAS of CUDA 13; the median of replays of a CUDA graph over copies
// of the weights that no cache holds), to which no constant was fitted. Those in fp8 are without
// the pass that quantizes the activations.
func TestOwnProducts(t *testing.T) {
	d := deviations{}
	for _, r := range ownRows(t, "h100-sxm-products.csv") {
		format, rows := r.text("format"), r.number("rows")
		p, bandwidth := gemm(t, "h100-sxm", format, r.number("inner"), r.number("outer"))
		flops, bytes := p.work(rows)
		d.add(format+", "+regime(rows), p.efficiency.Time(flops, bytes, p.peak, bandwidth), r.number("us"))
	}
	d.check(t, atMost(0.2))
}

// regime is what products of so many rows are bound by on an H100, about.
func regime(rows float64) string {
	switch {
	case rows <= 128:
		return "up to 128 rows"
	case rows <= 1024:
		return "256 to 1024 rows"
	}
	return "2048 to 8192 rows"
}

// TestOwnAttention: attention of one layer of 8B and 70B models, of a share of its heads and of models
// without grouped queries, measured as the products were, to which no constant was fitted. PyTorch's
// kernels stand for an engine's: cuDNN 9.19's are written for this accelerator; FlashAttention 2 is
// not, but is the only one of them for a prompt's chunk after a context. Keys and values are contiguous.
func TestOwnAttention(t *testing.T) {
	d := deviations{}
	for _, r := range ownRows(t, "h100-sxm-attention.csv") {
		m, a := attentionKernels(t, "h100-sxm", r.number("heads"), r.number("kv_heads"), headDim)
		batch, queries, keys := r.number("batch"), r.number("queries"), r.number("keys")
		predicted := a.decode.time(batch, batch*keys)
		if r.text("what") != "decode" {
			pairs := model.CausalPairs(int(keys-queries), int(keys))
			predicted = a.prefill.time(reach{pairs: batch * pairs, tokens: batch * queries, keys: batch * keys}, m)
		}
		d.add(r.text("kernel")+": "+ownAttentionKind(r), predicted, r.number("us"))
	}
	d.check(t, func(what string) float64 { return ownAttentionBounds[what] })
}

const headDim = 128

// ownAttentionBounds are wide where little is read, as the fixed part decides there, which was fitted
// to kernels of an engine, and where FlashAttention 2 takes twice as long as kernels for this accelerator.
var ownAttentionBounds = map[string]float64{
	"cudnn: decode, up to 32 MB":              0.65,
	"cudnn: decode, 32 to 256 MB":             0.25,
	"cudnn: decode, above 256 MB":             0.10,
	"flash: decode, up to 32 MB":              0.40,
	"flash: decode, 32 to 256 MB":             0.12,
	"flash: decode, above 256 MB":             0.12,
	"cudnn: one prompt, up to 2048 tokens":    0.30,
	"cudnn: one prompt, above 2048 tokens":    0.10,
	"cudnn: several prompts":                  0.30,
	"flash: one prompt, up to 2048 tokens":    0.50,
	"flash: one prompt, above 2048 tokens":    0.55,
	"flash: several prompts":                  0.50,
	"flash: chunk of a prompt, after context": 0.50,
}

// ownAttentionKind is the part of the table that a row is counted with.
func ownAttentionKind(r measuredRow) string {
	batch, keys := r.number("batch"), r.number("keys")
	switch read := 4 * headDim * r.number("kv_heads") * batch * keys; {
	case r.text("what") == "chunk":
		return "chunk of a prompt, after context"
	case r.text("what") == "prompt" && batch > 1:
		return "several prompts"
	case r.text("what") == "prompt" && keys > 2048:
		return "one prompt, above 2048 tokens"
	case r.text("what") == "prompt":
		return "one prompt, up to 2048 tokens"
	case read > 256e6:
		return "decode, above 256 MB"
	case read > 32e6:
		return "decode, 32 to 256 MB"
	}
	return "decode, up to 32 MB"
}
