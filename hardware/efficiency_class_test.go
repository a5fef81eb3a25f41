package hardware

import (
	"math"
	"slices"
	"testing"
)

// The class of a vendor: of which formats there is one, and what it is.
func TestClassOfVendor(t *testing.T) {
	t4 := lookupAccelerator(t, "t4")
	want := map[Operator][]efficiencyRow{
		GEMM: {
			{Format: "bf16", LatencyUS: 3.5, Compute: 0.75, Memory: 0.8, Norm: 2.5},
			{Format: "fp8", LatencyUS: 6.5, Compute: 0.7, Memory: 0.75, Norm: 1.7, Quantize: 2.6},
			{Format: FP8Block, LatencyUS: 6, Compute: 0.65, Memory: 0.75, Norm: 1.4, Quantize: 1.5},
			{Format: "int8", LatencyUS: 10, Compute: 0.75, Memory: 0.9, Norm: 1, Quantize: 1.1},
			{Format: "fp4", LatencyUS: 8, Compute: 0.5, Memory: 0.6, Norm: 1.4, Quantize: 1.1},
			{Format: Weight8Only, LatencyUS: 6, Compute: 0.85, Memory: 0.8, Norm: 1.2},
			{Format: Weight4Only, LatencyUS: 6, Compute: 0.85, Memory: 0.8, Norm: 1},
		},
		GroupedGEMM: {
			{Format: "bf16", LatencyUS: 25, Compute: 0.4, Memory: 0.9, Norm: 1},
			{Format: "fp8", LatencyUS: 25, Compute: 0.35, Memory: 0.85, Norm: 1},
			{Format: FP8Block, LatencyUS: 25, Compute: 0.1, Memory: 0.9, Norm: 1},
			{Format: "fp4", LatencyUS: 25, Compute: 0.25, Memory: 0.9, Norm: 1},
			{Format: Weight4Only, LatencyUS: 25, Compute: 0.1, Memory: 0.9, Norm: 1},
			{Format: MXFP4Only, LatencyUS: 25, Compute: 0.2, Memory: 0.9, Norm: 1},
		},
		AttentionPrefill: {{Format: "bf16", LatencyUS: 12.5, Compute: 0.55, Memory: 0.25, Norm: 1.2}},
		AttentionDecode: {
			{Format: "bf16", LatencyUS: 11, Compute: 0.5, Memory: 0.85, Norm: 2.4},
			{Format: "fp8", LatencyUS: 11.5, Compute: 0.5, Memory: 0.8, Norm: 1.2},
		},
	}
	for op, classes := range want {
		rows, err := efficiencies(op)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"bf16", "fp8", FP8Block, "int8", "fp4", Weight8Only, Weight4Only, MXFP4Only, MXFP4FP8} {
			got, ok := classOf(rows, &t4, format)
			i := slices.IndexFunc(classes, func(r efficiencyRow) bool { return r.Format == format })
			if ok != (i >= 0) || ok && got != classes[i] {
				t.Errorf("%s in %s: %+v, %v", op, format, got, ok)
			}
		}
	}
}

// Another vendor has no class, nor has a format of which too few accelerators are left.
func TestClassRestsOnThree(t *testing.T) {
	rows, err := efficiencies(GroupedGEMM)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []Accelerator{{Vendor: "Intel"}, {Vendor: "NVIDIA", HeldOut: "rtx-pro-6000"}} {
		if class, ok := classOf(rows, &a, "fp4"); ok {
			t.Errorf("%s without %q: %+v", a.Vendor, a.HeldOut, class)
		}
	}
}

// No class rests on the accelerator that is held out: with rows of its own that are far off it is the same.
func TestClassWithoutTheHeldOut(t *testing.T) {
	rows, err := efficiencies(GEMM)
	if err != nil {
		t.Fatal(err)
	}
	bent := slices.Clone(rows)
	for i := range bent {
		if r := &bent[i]; r.Accelerator == "h100-sxm" {
			r.LatencyUS, r.Compute, r.Memory, r.Norm, r.Quantize = 99, 0.01, 0.01, 9, 99
		}
	}
	a := Accelerator{Vendor: "NVIDIA", HeldOut: "h100-sxm"}
	for _, format := range []string{"bf16", "fp8", FP8Block} {
		got, _ := classOf(bent, &a, format)
		if want, ok := classOf(rows, &a, format); !ok || got != want {
			t.Errorf("%s: %+v, want %+v", format, got, want)
		}
	}
	if got, want := exposure(bent, "NVIDIA", "h100-sxm"), exposure(rows, "NVIDIA", "h100-sxm"); got != want || got == 0 {
		t.Errorf("exposure %v, want %v", got, want)
	}
	if exposure(bent, "NVIDIA", "") == exposure(rows, "NVIDIA", "") {
		t.Error("what is not held out has no effect")
	}
}

func TestRounding(t *testing.T) {
	if math.Signbit(roundUp(0, 20)) {
		t.Error("zero has a sign")
	}
	for _, c := range [][3]float64{{0.851, 0.85, 0.9}, {0.85, 0.85, 0.85}, {0.8499, 0.8, 0.85}} {
		if down, up := roundDown(c[0], 20), roundUp(c[0], 20); math.Abs(down-c[1]) > 1e-12 || math.Abs(up-c[2]) > 1e-12 {
			t.Errorf("%v: %v and %v", c[0], down, up)
		}
	}
}
