package plots

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"kneepoint/plots/chart"
)

// madeUpEstimate is an estimate with an operator of each kind.
func madeUpEstimate() *Estimate {
	return &Estimate{
		Model: "llama-3.1-70b", Accelerator: "h100-sxm", Accelerators: 4, Deployment: "tp 4, weights fp8", Question: "prompt 1024", Version: "0.1.0",
		Estimated: []string{"kernels of h100-sxm"},
		Memory:    Memory{Total: 80 * gib, Utilization: 0.9, Weights: 33 * gib, Activations: 3 * gib, Runtime: 1 * gib, KV: 35 * gib, KVTokens: 460000},
		Roofline: &Roofline{Bandwidth: 3.35e12, Peaks: []Peak{{"fp8", 1979e12}, {"bf16", 989e12}}, Phases: []Phase{
			{Name: "prefill", What: "prefill of 1,024 tokens", Operators: []Operator{
				{"all-reduce", 0.2, "link", 0, 0, 0}, {"MLP", 0.6, "compute", 3e13, 3.4e10, 7e14}, {"attention", 0.2, "compute", 3e11, 7e8, 1.6e14},
			}},
			{Name: "decode", What: "decode step of 16 requests", Operators: []Operator{
				{"attention", 0.1, "latency", 1e10, 1.5e9, 8e12}, {"MLP", 0.7, "memory", 4.5e11, 2.8e10, 4.5e13}, {"QKV projection", 0.1, "memory", 5e10, 3.1e9, 4.4e13},
				{"scheduler", 0.1, "CPU", 0, 0, 0},
			}},
		}},
	}
}

func TestEstimateFigures(t *testing.T) {
	figures := madeUpEstimate().Figures()
	if len(figures) != 2 {
		t.Fatalf("%d figures", len(figures))
	}
	for i, want := range []struct {
		name, title, subtitle string
		notes, words          []string
		data                  string
	}{
		{
			"roofline", "Prefill waits for compute in 80 % of its time, decode for memory in 80 %", "llama-3.1-70b on 4 × h100-sxm · tp 4, weights fp8 · prompt 1024",
			[]string{"prefill without FLOPs: all-reduce 20 %", "decode without FLOPs: scheduler 10 %", "estimated: kernels of h100-sxm", "kneepoint 0.1.0"},
			[]string{"MLP 60 %", "MLP 70 %", "QKV projection 10 %", "3.35 TB/s", "1.98 PFLOP/s fp8", "989 TFLOP/s bf16", "FLOP per byte", "decode step of 16 requests"},
			"decode,MLP,0.7,memory,4.5e+11,2.8e+10,16.071428571428573,4.5e+13",
		},
		{
			"memory", "llama-3.1-70b on 4 × h100-sxm leaves 35.0 GiB on each for the KV cache", "tp 4, weights fp8 · 460,000 tokens of KV cache per replica",
			[]string{"kneepoint 0.1.0"},
			[]string{"weights, 33.0 GiB", "activations, 3.00 GiB", "runtime, 1.00 GiB", "KV cache, 35.0 GiB", "unused, 8.00 GiB", "72.0 GiB usable", "80.0 GiB",
				"Memory of one accelerator (GiB)"},
			"KV cache,bytes,3.9728447488e+10,7.7309411328e+10",
		},
	} {
		f := figures[i]
		if f.Name != want.name || f.Title != want.title || f.Subtitle != want.subtitle {
			t.Errorf("%s: %q, %q", f.Name, f.Title, f.Subtitle)
		}
		for _, note := range want.notes {
			if !slices.Contains(f.Notes, note) {
				t.Errorf("%s: no note %q in %q", f.Name, note, f.Notes)
			}
		}
		drawn := svg(t, f)
		wellFormed(t, f.Name, drawn)
		for _, words := range want.words {
			if !bytes.Contains(drawn, []byte(">"+words+"</text>")) {
				t.Errorf("%s.svg does not say %q", f.Name, words)
			}
		}
		if !strings.Contains(string(f.Data.CSV()), want.data+"\n") {
			t.Errorf("%s.csv has no row %q:\n%s", f.Name, want.data, f.Data.CSV())
		}
	}
}

// TestMemoryThatDoesNotFit: what is too much begins where the usable memory ends.
func TestMemoryThatDoesNotFit(t *testing.T) {
	e := madeUpEstimate()
	e.Accelerators, e.Roofline = 1, nil
	e.Memory.Weights, e.Memory.KV, e.Memory.KVTokens = 132*gib, -64*gib, 0
	figures := e.Figures()
	if len(figures) != 1 || figures[0].Title != "llama-3.1-70b does not fit on h100-sxm: 64.0 GiB too much" {
		t.Fatalf("%+v", figures)
	}
	steps := e.Memory.steps()
	if last := steps[len(steps)-1]; last.from != 72*gib || last.to != 136*gib || !last.hollow {
		t.Errorf("%+v", last)
	}
}

// TestEstimateIsLegible: no text lies on another, in any size.
func TestEstimateIsLegible(t *testing.T) {
	whole := madeUpEstimate()
	whole.Memory.Utilization, whole.Memory.KV = 1, 43*gib
	for _, size := range chart.Sizes {
		for _, e := range []*Estimate{madeUpEstimate(), whole} {
			for _, f := range e.Figures() {
				style := chart.NewStyle(size, chart.Themes[1], nil)
				legible(t, style, f)
			}
		}
	}
}
