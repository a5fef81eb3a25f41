package hardware

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

func TestLookupEfficiencyPrefersTheNearestMeasurement(t *testing.T) {
	for _, c := range []struct {
		op                           Operator
		accelerator, backend, format string
		compute                      float64
		estimated                    string
	}{
		{GEMM, "h100-sxm", "vllm", "bf16", 0.8124, ""},
		{GEMM, "h100-sxm", "trtllm", "fp8", 0.7368, ""},
		{GEMM, "h100-sxm", "some-engine", "bf16", 0.8124, ""}, // vllm stands in for other backends
		{GEMM, "a100-pcie-40", "vllm", "bf16", 0.8488, "kernels of a100-pcie-40: as measured on a100-sxm-80"},
		{GEMM, "h100-sxm", "vllm", Weight4Only, 1.0, "gemm kernels (int4-weight-only) of h100-sxm: from whole steps of vLLM"},
		{GEMM, "gh200-96", "trtllm", Weight4Only, 1.0, "gemm kernels (int4-weight-only) of h100-sxm: from whole steps of vLLM"},
		{GEMM, "gh200-144", "vllm", "bf16", 0.8053, "kernels of gh200-144: as measured on h200-sxm"}, // as much bandwidth a multiprocessor
		{GEMM, "gh200-96", "vllm", "bf16", 0.8124, "kernels of gh200-96: as measured on h100-sxm, products by the bandwidth of a multiprocessor"},
		{AttentionDecode, "h20", "vllm", "fp8", 1.0, "kernels of h20: as measured on h100-sxm"},
		{GEMM, "t4", "vllm", "bf16", 0.75, "kernels of t4: class default of NVIDIA"},
		{GEMM, "mi300x", "vllm", "bf16", 668.4 / 1307, "kernels of mi300x: class default"}, // as the fastest product
		{GEMM, "gaudi2", "vllm", "bf16", 0.70, "kernels of gaudi2: class default"},
		{GEMM, "b200-sxm", "vllm", Weight4Only, 989.0 / 2250, "kernels of b200-sxm: class default of NVIDIA"}, // as fast as on h200-sxm
		{GEMM, "b200-sxm", "ideal", Weight4Only, 1, ""},
		{GEMM, "b200-sxm", "vllm", "int8", 0.75, "kernels of b200-sxm: class default of NVIDIA"}, // its own instructions
		{BalancedGEMM, "h100-sxm", "sglang", FP8Block, 0.3276, ""},
		{BalancedGEMM, "h800-sxm", "sglang", FP8Block, 0.3276, "kernels of h800-sxm: as measured on h100-sxm"},
		{BalancedGEMM, "h100-sxm", "vllm", "bf16", 0.65, ""}, // as whatever the routing
		{BalancedGEMM, "a100-sxm-80", "vllm", "bf16", 0.2654, "balanced experts (bf16) on a100-sxm-80: kernels with the loads of trained routers"},
		{BalancedGEMM, "mi355x", "vllm", Weight4Only, 0.15, "kernels of mi355x: class default"},
		{GroupedGEMM, "mi355x", "vllm", Weight4Only, 0.15, "kernels of mi355x: class default"}, // of AMD nothing was measured
		{GEMM, "t4", "ideal", "bf16", 1.0, ""},
		{Elementwise, "t4", "vllm", "bf16", 1.0, ""},
	} {
		a := lookupAccelerator(t, c.accelerator)
		e, estimated, err := LookupEfficiency(c.op, &a, c.backend, c.format)
		if err != nil {
			t.Fatal(err)
		}
		if e.Compute != c.compute || estimated != c.estimated {
			t.Errorf("%s %s %s %s: compute %v, estimated %q; want %v, %q",
				c.op, c.accelerator, c.backend, c.format, e.Compute, estimated, c.compute, c.estimated)
		}
	}
	a := lookupAccelerator(t, "t4")
	if _, _, err := LookupEfficiency(GEMM, &a, "vllm", "fp3"); err == nil {
		t.Error("an unknown format has constants")
	}
}

// Every accelerator has constants for every operator in every format.
func TestEfficiencyOfWholeCatalog(t *testing.T) {
	formats := map[Operator][]string{
		GEMM:             {"bf16", "fp8", FP8Block, "int8", "fp4", Weight8Only, Weight4Only},
		GroupedGEMM:      {"bf16", "fp8", FP8Block, "int8", "fp4", Weight8Only, Weight4Only, MXFP4Only, MXFP4FP8},
		BalancedGEMM:     {"bf16", "fp8", FP8Block, "int8", "fp4", Weight8Only, Weight4Only, MXFP4Only, MXFP4FP8},
		LatentDecode:     {"bf16", "fp8"},
		AttentionPrefill: {"bf16"},
		AttentionDecode:  {"bf16", "fp8"},
		Elementwise:      {"bf16"},
	}
	for _, name := range Accelerators() {
		a := lookupAccelerator(t, name)
		for op, list := range formats {
			for _, format := range list {
				for _, backend := range []string{"vllm", "sglang", "trtllm", "ideal"} {
					if _, _, err := LookupEfficiency(op, &a, backend, format); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
		}
	}
}

func TestKernelTime(t *testing.T) {
	e := Efficiency{Latency: 1, Compute: 0.5, Memory: 0.25, Norm: 2}
	// Three seconds of compute and four of memory: a right-angled triangle.
	if got := e.Time(15, 10, 10, 10); math.Abs(float64(got)-6) > 1e-12 {
		t.Errorf("time %v, want 1 + 5", float64(got))
	}
	// Norm 1 adds the two, a large norm takes the larger.
	e.Latency, e.Norm = 0, 1
	if got := e.Time(15, 10, 10, 10); math.Abs(float64(got)-7) > 1e-12 {
		t.Errorf("time %v with norm 1, want 7", float64(got))
	}
	e.Norm = 64
	if got := e.Time(15, 10, 10, 10); math.Abs(float64(got)-4) > 1e-6 {
		t.Errorf("time %v with norm 64, want 4", float64(got))
	}
}

func TestKernelNeverBeatsThePeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Efficiency{
			Latency: units.Microseconds(rapid.Float64Range(0, 100).Draw(t, "latency")),
			Compute: rapid.Float64Range(0.01, 1).Draw(t, "compute"),
			Memory:  rapid.Float64Range(0.01, 1).Draw(t, "memory"),
			Norm:    rapid.Float64Range(1, 64).Draw(t, "norm"),
		}
		flops := units.FLOPs(rapid.Float64Range(0, 1e18).Draw(t, "flops"))
		bytes := units.Bytes(rapid.Float64Range(0, 1e12).Draw(t, "bytes"))
		got := e.Time(flops, bytes, 1e15, 1e12)
		if got < flops.At(1e15) || got < bytes.At(1e12) || math.IsNaN(float64(got)) {
			t.Fatalf("%v for %v of compute and %v of memory", got, flops.At(1e15), bytes.At(1e12))
		}
		if more := e.Time(flops*1.5, bytes, 1e15, 1e12); more < got {
			t.Fatalf("more FLOPs take less: %v after %v", more, got)
		}
	})
}

func TestLookupCollective(t *testing.T) {
	for _, c := range []struct {
		accelerator, library string
		n                    int
		us                   float64
		estimated            string
	}{
		{"h100-sxm", "vllm-graph", 4, 4.606, ""},
		{"h100-sxm", "vllm-graph", 3, 4.606, "all-reduce over 3 of h100-sxm (vllm-graph): as measured over 4 of h100-sxm"},
		{"gb200", "vllm-graph", 72, 5.365, "all-reduce over 72 of gb200 (vllm-graph): as measured over 4 of gb200"},
		{"h20", "vllm-graph", 8, 4.865, "all-reduce over 8 of h20 (vllm-graph): as measured over 8 of h100-sxm"},
		{"mi300x", "vllm-graph", 8, 8, "all-reduce of mi300x (vllm-graph): class default"},
		{"mi300x", "ideal", 8, 0, ""},
	} {
		a := lookupAccelerator(t, c.accelerator)
		got, estimated, err := LookupCollective(AllReduce, &a, c.library, c.n)
		if err != nil {
			t.Fatal(err)
		}
		if got.Latency != units.Microseconds(c.us) || estimated != c.estimated {
			t.Errorf("%d x %s: %v, %q; want %v us, %q", c.n, c.accelerator, got.Latency, estimated, c.us, c.estimated)
		}
	}
	a := lookupAccelerator(t, "h100-sxm")
	if _, _, err := LookupCollective(AllReduce, &a, "carrier-pigeon", 2); err == nil {
		t.Error("an unknown library has constants")
	}
}

func TestCollectiveTime(t *testing.T) {
	c := Collective{Latency: 1, Fraction: 0.5}
	if got := c.Time(100, Link{Bandwidth: 50}); got != 5 {
		t.Errorf("100 bytes at half of 50 B/s after a second take %v, want 5", float64(got))
	}
}

func TestCollectiveChangesItsAlgorithm(t *testing.T) {
	c := Collective{Latency: 1, Fraction: 0.5,
		Larger: []LargerCollective{{From: 100, Latency: 3, Fraction: 1}, {From: 400, Latency: 8, Fraction: 0.8}}}
	fast := c.Faster(2)
	for _, x := range []struct {
		volume              units.Bytes
		want, fixed, faster units.Seconds
	}{
		{0, 1, 1, 1}, {99, 4.96, 1, 2.98}, {100, 5, 3, 5}, {399, 10.98, 3, 10.98}, {400, 18, 8, 16}, {4000, 108, 8, 88},
	} {
		link := Link{Bandwidth: 50}
		got, fixed, faster := c.Time(x.volume, link), c.LatencyOf(x.volume), fast.Time(x.volume, link)
		if math.Abs(float64(got-x.want)) > 1e-12 || fixed != x.fixed || math.Abs(float64(faster-x.faster)) > 1e-12 {
			t.Errorf("%v: %v, of that %v, over better links %v; want %+v", x.volume, float64(got), float64(fixed), float64(faster), x)
		}
	}
	if c.Larger[1].Fraction != 0.8 {
		t.Error("what was asked about better links has them")
	}
}

// More data take no less time, over whatever link: a faster algorithm for larger data is waited for.
func TestCollectivesGrowWithTheData(t *testing.T) {
	c := Collective{Latency: 1, Fraction: 0.1, Larger: []LargerCollective{{From: 100, Latency: 2, Fraction: 1}}}
	for volume, want := range map[units.Bytes]units.Seconds{99: 20.8, 100: 21, 500: 21, 950: 21, 1000: 22} {
		if got := c.Time(volume, Link{Bandwidth: 50}); math.Abs(float64(got-want)) > 1e-12 {
			t.Errorf("%v take %v, want %v", volume, got, want)
		}
	}
}

func TestCollectiveRowsThatCannotBe(t *testing.T) {
	good := collectiveRow{N: 2, LatencyUS: 1, Fraction: 0.5, Larger: []largerCollectiveRow{{1, 2, 0.6}, {2, 3, 0.7}}}
	if err := good.check(AllReduce); err != nil {
		t.Error(err)
	}
	for _, bad := range [][]largerCollectiveRow{{{1, 2, 1.1}}, {{1, -2, 0.5}}, {{0, 2, 0.5}}, {{2, 2, 0.5}, {1, 2, 0.5}}} {
		r := good
		if r.Larger = bad; r.check(AllReduce) == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

func TestAttentionThatLeavesAPartIdle(t *testing.T) {
	e := Efficiency{Fill: 128, Mixed: 0.5}
	for _, c := range []struct{ tokens, heads, want float64 }{
		{64, 128, 1}, {8192, 1, 1}, {128, 32, math.Pow(2, 0.65)}, {16, 32, math.Pow(4, 0.65)}, {64, 32, math.Pow(4, 0.65)},
	} {
		if got := e.Slowdown(c.tokens, c.heads); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v tokens of %v heads: %v times as long, want %v", c.tokens, c.heads, got, c.want)
		}
	}
	if got := e.Repeats(8); got != 4 {
		t.Errorf("8 query heads read %v times", got)
	}
	if got := e.Repeats(1); got != 1 {
		t.Errorf("one query head reads %v times", got)
	}
	packed := Efficiency{}
	if packed.Slowdown(1, 1) != 1 || packed.Repeats(8) != 1 {
		t.Error("kernels that pack and split are slowed down")
	}
}
