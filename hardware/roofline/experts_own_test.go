package roofline

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
)

// TestOwnExperts: the two grouped products of routed experts, measured on 23 November 2026 on one H100 80GB
// HBM3 (PyTorch 2.11's grouped products, in fp8 with a scale per row; medians of replays of a CUDA graph
// over several draws of the routing). The compute efficiency of experts on Hopper in 16 bits, and all of the
// constants in fp8, are from the rows of Mixtral, Qwen3 and gpt-oss; the memory side in 16 bits is that of vLLM's own kernels,
// which read faster than these. DeepSeek's narrow experts took no part.
// Routing: even; uniform; zipf, with popularity falling as the root of the rank.
func TestOwnExperts(t *testing.T) {
	d := deviations{}
	for _, r := range ownRows(t, "h100-sxm-experts.csv") {
		format, tokens := r.text("format"), r.number("tokens")
		m, efficiency := kernelMachine(t, "h100-sxm", "vllm", hardware.GroupedGEMM, format)
		precision := hardware.Precision(format)
		a, err := hardware.LookupAccelerator("h100-sxm")
		if err != nil {
			t.Fatal(err)
		}
		e := experts{mixture: model.Experts{Count: int(r.number("experts")), Active: int(r.number("active"))},
			groups: 1, imbalance: 1, weights: 3 * r.number("hidden") * r.number("ffn"), weightBytes: precision.Bytes(),
			bytesPerVisit: r.number("hidden") * (precision.Bytes() + 2), peak: a.Peak(precision), efficiency: efficiency}
		d.add(ownExpertsKind(r.text("model"), format, tokens), e.time(tokens, m.bandwidth), r.number("us"))
	}
	d.check(t, func(what string) float64 { return ownExpertsBounds[what] })
}

// ownExpertsBounds are wide where memory decides in 16 bits, and for experts of 256 columns, of which
// these kernels read at less than half the bandwidth.
var ownExpertsBounds = map[string]float64{
	"bf16, up to 64 tokens":               0.20,
	"bf16, 256 to 1024 tokens":            0.15,
	"bf16, 4096 tokens":                   0.25,
	"fp8, up to 64 tokens":                0.10,
	"fp8, 256 to 1024 tokens":             0.15,
	"fp8, 4096 tokens":                    0.10,
	"fp8, 256 columns, up to 1024 tokens": 0.45,
	"fp8, 256 columns, 4096 tokens":       0.35,
}

// ownExpertsKind is the part of the table that a row is counted with.
func ownExpertsKind(name, format string, tokens float64) string {
	narrow := name == "deepseek-v3/tp8" // experts of 256 columns on each accelerator
	switch {
	case narrow && tokens <= 1024:
		return format + ", 256 columns, up to 1024 tokens"
	case narrow:
		return format + ", 256 columns, 4096 tokens"
	case tokens <= 64:
		return format + ", up to 64 tokens"
	case tokens <= 1024:
		return format + ", 256 to 1024 tokens"
	}
	return format + ", 4096 tokens"
}

// TestOwnScaledProducts: products in fp8 with one scale for each row and column, and for the whole,
// and of weights in 4 bits (tinygemm, PyTorch's), measured on the same day. Tinygemm is written for
// a row or two: its time grows with the rows where engines' kernels do not.
func TestOwnScaledProducts(t *testing.T) {
	d := deviations{}
	for _, r := range ownRows(t, "h100-sxm-products-scaled.csv") {
		format, rows := r.text("format"), r.number("rows")
		kernel := map[string]string{"fp8-row": "fp8", "fp8-tensor": "fp8", "int4-tinygemm": hardware.Weight4Only}[format]
		what := format + ", " + regime(rows)
		if kernel == hardware.Weight4Only {
			if rows > 1 {
				continue
			}
			what = format + ", one row"
		}
		p, bandwidth := gemm(t, "h100-sxm", kernel, r.number("inner"), r.number("outer"))
		if kernel == hardware.Weight4Only {
			p.weightBytes = hardware.INT4.WeightBytes()
		}
		flops, bytes := p.work(rows)
		d.add(what, p.efficiency.Time(flops, bytes, p.peak, bandwidth), r.number("us"))
	}
	d.check(t, func(what string) float64 {
		if what == "int4-tinygemm, one row" {
			return 0.60
		}
		return 0.25
	})
}
