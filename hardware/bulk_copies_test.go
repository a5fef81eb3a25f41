package hardware

import (
	"math"
	"slices"
	"testing"

	"kneepoint/units"
)

// bulkFits are the products to which the exposure is fitted, in all formats.
func bulkFits(t *testing.T) []fit {
	t.Helper()
	rows, err := efficiencies(GEMM)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(fitsOf(rows, "NVIDIA", ""), func(f fit) bool {
		return !f.on.copiesInBulk(GEMM, f.row.Format)
	})
}

// The share of the bandwidth that products of each accelerator read, said by the others: by the law, which has one constant
// for all formats, and by the median share of each format.
func TestBulkCopiesHeldOut(t *testing.T) {
	rows, err := efficiencies(GEMM)
	if err != nil {
		t.Fatal(err)
	}
	var law, constant []float64
	byChip := map[string][2][]float64{}
	for _, f := range bulkFits(t) {
		others := slices.DeleteFunc(bulkFits(t), func(o fit) bool {
			return o.row.Accelerator == f.on.Name || o.row.Format != f.row.Format
		})
		off := func(share float64) float64 { return math.Abs(share/f.row.Memory - 1) }
		chip := byChip[f.on.Name]
		chip[0] = append(chip[0], off(bulkShare(&f.on, exposure(rows, "NVIDIA", f.on.Name), 1, 0)))
		chip[1] = append(chip[1], off(medianOf(others, func(o *fit) float64 { return o.row.Memory })))
		byChip[f.on.Name] = chip
	}
	for name, chip := range byChip {
		a, exposed := lookupAccelerator(t, name), exposure(rows, "NVIDIA", name)
		t.Logf("%-9s %2d rows, %.1f GB/s a multiprocessor: law %.1f %% off (%.3f, %.2f ps/B), constant %.1f %%", name, len(chip[0]),
			float64(a.perMultiprocessor())/1e9, 100*mean(chip[0]), bulkShare(&a, exposed, 1, 0), 1e12*exposed, 100*mean(chip[1]))
		law, constant = append(law, chip[0]...), append(constant, chip[1]...)
	}
	t.Logf("all %d: law %.2f %%, constant %.2f %%", len(law), 100*mean(law), 100*mean(constant))
	if exposed := 1e12 * exposure(rows, "NVIDIA", ""); math.Abs(exposed-6.21) > 0.01 {
		t.Errorf("%.3f ps/B", exposed)
	}
	if len(byChip) != 5 || len(law) < 30 {
		t.Errorf("%d rows of %d accelerators", len(law), len(byChip))
	}
	if mean(law) > 0.045 || mean(constant) < 1.5*mean(law) {
		t.Errorf("law %.4f off, constant %.4f", mean(law), mean(constant))
	}
}

func mean(values []float64) float64 {
	var sum float64
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}

// Constants of a relative are carried over by the law, and back to where they came from; other operators', formats' and
// accelerators' are as they were.
func TestBulkCopiesOfRelatives(t *testing.T) {
	h20, h100 := lookupAccelerator(t, "h20"), lookupAccelerator(t, "h100-sxm")
	like := func(change func(*Accelerator)) *Accelerator {
		a := h100
		a.Name, a.KernelsLike = "like it", h100.Name
		change(&a)
		return &a
	}
	memory := func(op Operator, a *Accelerator, format string) float64 {
		e, _, err := LookupEfficiency(op, a, "vllm", format)
		if err != nil {
			t.Fatal(err)
		}
		return e.Memory
	}
	own := memory(GEMM, &h100, "bf16")
	slow := like(func(a *Accelerator) { a.Bandwidth = 2 * h100.Bandwidth })
	if got := memory(GEMM, slow, "bf16"); got >= own {
		t.Errorf("%v of twice the bandwidth, of one %v", got, own)
	}
	if got, want := memory(GEMM, like(func(a *Accelerator) { a.Bandwidth, a.Vendor = slow.Bandwidth, "another" }), "bf16"), memory(GEMM, slow, "bf16"); got != want {
		t.Errorf("sold by another vendor: %v, want %v", got, want)
	}
	if got := memory(GEMM, like(func(a *Accelerator) { a.Name, a.Bandwidth = h100.Name, slow.Bandwidth }), "bf16"); got != own {
		t.Errorf("measured itself: %v, want %v", got, own)
	}
	if got := memory(GEMM, like(func(a *Accelerator) { a.Bandwidth, a.BulkCopySMs = 2*a.Bandwidth, 2*a.BulkCopySMs }), "bf16"); got != own {
		t.Errorf("twice as large: %v, want %v", got, own)
	}
	if got := memory(GEMM, like(func(a *Accelerator) { a.Bandwidth = 1e6 }), "bf16"); got != 1 {
		t.Errorf("next to no bandwidth: %v of it", got)
	}
	a100 := lookupAccelerator(t, "a100-sxm-80")
	if got, want := memory(GEMM, like(func(a *Accelerator) { a.KernelsLike = a100.Name }), "bf16"), memory(GEMM, &a100, "bf16"); got != want {
		t.Errorf("kernels of one that does not copy in bulk: %v, want %v", got, want)
	}
	rows, err := efficiencies(GEMM)
	if err != nil {
		t.Fatal(err)
	}
	want := 1 / (1/own + exposure(rows, "NVIDIA", "")*float64(4e12/78-3.35e12/132))
	if got := memory(GEMM, &h20, "bf16"); math.Abs(got-want) > 1e-9 {
		t.Errorf("h20: %v, want %v", got, want)
	}
	for _, c := range []struct {
		op     Operator
		a      *Accelerator
		format string
	}{
		{GEMM, like(func(a *Accelerator) { a.Bandwidth, a.BulkCopySMs = 9e12, 0 }), "bf16"},
		{GEMM, slow, Weight4Only},
		{AttentionDecode, slow, "bf16"},
		{GroupedGEMM, slow, "fp8"},
	} {
		if got, want := memory(c.op, c.a, c.format), memory(c.op, &h100, c.format); got != want {
			t.Errorf("%s %s: %v, want %v", c.op, c.format, got, want)
		}
	}
}

// One that copies in bulk and is like none that was measured has its vendor's class, by the law.
func TestBulkCopiesOfClass(t *testing.T) {
	a := Accelerator{Name: "new", Vendor: "NVIDIA", Bandwidth: 20e12, BulkCopySMs: 224, BF16TFLOPS: 4000, FP8TFLOPS: 8000}
	rows, err := efficiencies(GEMM)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"bf16", "fp8"} {
		e, estimated, err := LookupEfficiency(GEMM, &a, "vllm", format)
		want := 1 / (1 + exposure(rows, "NVIDIA", "")*20e12/224)
		if err != nil || math.Abs(e.Memory-want) > 1e-9 || estimated != "kernels of new: class default of NVIDIA, products by the bandwidth of a multiprocessor" {
			t.Errorf("%s: %v, %q, %v; want %v", format, e.Memory, estimated, err, want)
		}
	}
	others := slices.DeleteFunc(slices.Clone(rows), func(r efficiencyRow) bool {
		if r.Accelerator == "" {
			return false
		}
		on := lookupAccelerator(t, r.Accelerator)
		return on.BulkCopySMs > 0
	})
	if e, estimated, err := defaultEfficiency(GEMM, others, &a, "vllm", "bf16"); err != nil || e.Memory != 0.8 || estimated != "kernels of new: class default of NVIDIA" {
		t.Errorf("where none that copies in bulk was measured: %+v, %q, %v", e, estimated, err)
	}
	if e, estimated, err := LookupEfficiency(GEMM, &a, "vllm", "int8"); err != nil || e.Memory != 0.9 || estimated != "kernels of new: class default of NVIDIA" {
		t.Error(e, estimated, err)
	}
}

// What is held out takes no part in the law, neither of a relative nor of the class.
func TestBulkCopiesWithoutTheHeldOut(t *testing.T) {
	rows, err := efficiencies(GEMM)
	if err != nil {
		t.Fatal(err)
	}
	exposed := exposure(rows, "NVIDIA", "h100-sxm")
	unknown := lookupAccelerator(t, "h100-sxm")
	unknown.Name, unknown.Architecture, unknown.HeldOut = "unknown", "", "h100-sxm"
	h200 := lookupAccelerator(t, "h200-sxm")
	for like, want := range map[string]float64{"": bulkShare(&unknown, exposed, 1, 0), "h200-sxm": bulkShare(&unknown, exposed, 0.8362, h200.perMultiprocessor())} {
		unknown.KernelsLike = like
		if e, _, err := LookupEfficiency(GEMM, &unknown, "vllm", "bf16"); err != nil || e.Memory != want || exposed == exposure(rows, "NVIDIA", "") {
			t.Errorf("like %q: %v, %v; want %v", like, e.Memory, err, want)
		}
	}
}

// The share falls with the bandwidth of a multiprocessor, and is never more than all.
func TestBulkShareFalls(t *testing.T) {
	rows, err := efficiencies(GEMM)
	if err != nil {
		t.Fatal(err)
	}
	last, exposed := 1.0, exposure(rows, "NVIDIA", "")
	for _, terabytes := range []float64{0.001, 1, 2, 4, 8, 16, 1000} {
		a := Accelerator{Vendor: "NVIDIA", Bandwidth: units.BytesPerSecond(terabytes * 1e12), BulkCopySMs: 132}
		share := bulkShare(&a, exposed, 1, 0)
		if share <= 0 || share >= last {
			t.Errorf("%v TB/s: %v, of less %v", terabytes, share, last)
		}
		last = share
		if most := bulkShare(&a, exposed, 1, 2*a.perMultiprocessor()); most != 1 {
			t.Errorf("more than all: %v", most)
		}
	}
}
