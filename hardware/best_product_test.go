package hardware

import (
	"math"
	"testing"
)

// The fastest products are of accelerators of the catalog, none of which has kernels of its own, and no faster than peaks.
func TestBestProductsAreOfAcceleratorsWithoutKernels(t *testing.T) {
	file, err := bestProductFile()
	if err != nil || len(file.BestProduct) == 0 || file.Source == "" {
		t.Fatal(file, err)
	}
	rows, err := efficiencies(GEMM)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range file.BestProduct {
		a := lookupAccelerator(t, b.Accelerator)
		if share, err := mostSustained(&a); err != nil || share <= 0.4 || share > 1 {
			t.Errorf("%s: %v of the peak, %v", b.Accelerator, share, err)
		}
		for _, r := range rows {
			if r.Accelerator == b.Accelerator {
				t.Errorf("%s has products of its own", b.Accelerator)
			}
		}
	}
}

// No default of a class promises a kernel a greater share of the peak than the fastest product reached.
func TestNoClassBeatsTheBestProduct(t *testing.T) {
	formats := []string{"bf16", "fp8", FP8Block, "int8", "fp4", Weight8Only, Weight4Only}
	for _, name := range []string{"mi300x", "mi325x", "mi355x", "gaudi2", "gaudi3"} {
		a := lookupAccelerator(t, name)
		like, err := Custom(map[string]any{"like": name})
		if err != nil {
			t.Fatal(err)
		}
		most, err := mostSustained(&a)
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range []Operator{GEMM, GroupedGEMM, AttentionPrefill, AttentionDecode} {
			for _, format := range formats {
				e, _, err := LookupEfficiency(op, &a, "vllm", format)
				if err != nil {
					continue // of this operator the format has no constants
				}
				if e.Compute > most {
					t.Errorf("%s %s of %s: %v of the peak, the fastest product %v", op, format, name, e.Compute, most)
				}
				if custom, _, err := LookupEfficiency(op, &like, "vllm", format); err != nil || custom != e {
					t.Errorf("%s %s of one like %s: %+v, %v, not %+v", op, format, name, custom, err, e)
				}
			}
		}
	}
}

// The rule of the shares: MI300X, whose power is limited to 750 W, sustains less than MI325X with 1000 W, whose peak is the same.
func TestBestProductOfMI300X(t *testing.T) {
	slow, fast := lookupAccelerator(t, "mi300x"), lookupAccelerator(t, "mi325x")
	for _, c := range []struct {
		a    Accelerator
		want float64
	}{{slow, 668.4 / 1307}, {fast, 784.9 / 1307}} {
		if e, _, err := LookupEfficiency(GEMM, &c.a, "vllm", "fp8"); err != nil || math.Abs(e.Compute-c.want) > 1e-9 {
			t.Errorf("%s: %v, %v, want %v", c.a.Name, e.Compute, err, c.want)
		}
	}
	if share, err := mostSustained(&Accelerator{}); share != 1 || err != nil {
		t.Error(share, err)
	}
}
