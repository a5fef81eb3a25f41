package plots

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kneepoint/internal/effort"
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

// TestDotsAreShares: the areas of dots are as the shares of the time.
func TestDotsAreShares(t *testing.T) {
	e := madeUpEstimate()
	discs := e.Roofline.draw(chart.NewStyle(chart.Sizes[0], chart.Themes[0], nil)).labels[0].Discs
	if len(discs) != 5 { // prefill: MLP, attention; decode: MLP, attention, QKV projection
		t.Fatalf("%d dots", len(discs))
	}
	for i, share := range []float64{0.6, 0.2, 0.7, 0.1, 0.1} {
		if ratio := float64(discs[i].Radius / discs[0].Radius); math.Abs(ratio*ratio-share/0.6) > 1e-9 {
			t.Errorf("dot %d has an area of %v, want %v", i, ratio*ratio, share/0.6)
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
	for seed := range effort.Times(t, 40) {
		random := rand.New(rand.NewPCG(uint64(seed), 2))
		e := madeUpEstimate()
		if seed > 0 {
			e = anyEstimate(random)
		}
		style := chart.NewStyle(chart.Sizes[seed%len(chart.Sizes)], chart.Themes[seed%len(chart.Themes)], nil)
		for _, f := range e.Figures() {
			legible(t, style, f)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// anyEstimate has operators and memory of all sizes.
func anyEstimate(random *rand.Rand) *Estimate {
	decades := func(low, high float64) float64 { return math.Pow(10, low+(high-low)*random.Float64()) }
	e := &Estimate{Model: anyName(random), Accelerator: anyName(random), Accelerators: 1 + random.IntN(64), Deployment: anyName(random), Question: anyName(random)}
	total := gib * decades(0, 3)
	e.Memory = Memory{Total: total, Utilization: 0.5 + 0.5*random.Float64(), Weights: total * decades(-3, 0.3), Activations: total * decades(-4, -1), Runtime: gib * random.Float64()}
	e.Memory.KV = e.Memory.usable() - e.Memory.Weights - e.Memory.Activations - e.Memory.Runtime
	if e.Memory.KV < 0 {
		return e
	}
	e.Roofline = &Roofline{Bandwidth: decades(10, 13), Peaks: []Peak{{"bf16", decades(11, 15)}}}
	for _, phase := range []string{"prefill", "decode"}[random.IntN(2):] {
		p := Phase{Name: phase, What: phase + " of something"}
		for range 1 + random.IntN(12) {
			bytes, intensity := decades(3, 11), decades(-1, 4)
			if random.IntN(3) == 0 {
				intensity = 16 // as matrix products of one batch have in common
			}
			o := Operator{Name: anyName(random), Share: decades(-4, 0), Bound: "memory", FLOPs: bytes * intensity, Bytes: bytes}
			o.FLOPS = min(intensity*e.Roofline.Bandwidth, e.Roofline.Peaks[0].FLOPS) * decades(-2, 0)
			if random.IntN(4) == 0 {
				o.FLOPs, o.FLOPS = 0, 0
			}
			p.Operators = append(p.Operators, o)
		}
		e.Roofline.Phases = append(e.Roofline.Phases, p)
	}
	return e
}
