package hardware

import (
	"math"
	"slices"
	"testing"
)

// median is the middle value, or the mean of the two.
func median(values []float64) float64 {
	x := slices.Sorted(slices.Values(values))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// The constants of a vendor's class are medians over the fits of its accelerators, rounded towards the slower
// side as their file says, and no other row has any.
func TestClassOfVendorIsTheMedianOfItsFits(t *testing.T) {
	classes := 0
	for _, op := range []Operator{GEMM, GroupedGEMM, BalancedGEMM, AttentionPrefill, AttentionDecode, LatentDecode, Elementwise} {
		rows, err := efficiencies(op)
		if err != nil || len(rows) == 0 {
			t.Fatal(op, len(rows), err)
		}
		for _, class := range rows {
			if class.Vendor == "" {
				continue
			}
			classes++
			want, accelerators := classOf(t, rows, class.Vendor, class.Format)
			if accelerators < 3 {
				t.Errorf("%s %s of %s rests on %d accelerators", op, class.Format, class.Vendor, accelerators)
			}
			if class.Accelerator != "" || class.Backend != "" || !near(class, want) {
				t.Errorf("%s %s of %s: %+v, medians are %+v", op, class.Format, class.Vendor, class, want)
			}
		}
	}
	if classes == 0 {
		t.Error("no vendor has a class")
	}
}

// classOf is the rounded medians over the fits of a vendor's accelerators, and how many these are.
func classOf(t *testing.T, rows []efficiencyRow, vendor, format string) (efficiencyRow, int) {
	t.Helper()
	var fits []efficiencyRow
	names := map[string]bool{}
	for _, r := range rows {
		if r.Accelerator == "" || r.Format != format || r.From != "" {
			continue
		}
		if a := lookupAccelerator(t, r.Accelerator); a.Vendor == vendor {
			fits, names[r.Accelerator] = append(fits, r), true
		}
	}
	of := func(field func(*efficiencyRow) float64) float64 {
		var values []float64
		for i := range fits {
			values = append(values, field(&fits[i]))
		}
		return median(values)
	}
	up := func(x, step float64) float64 { return step * math.Ceil(x/step-1e-6) }
	down := func(x, step float64) float64 { return step * math.Floor(x/step+1e-6) }
	return efficiencyRow{
		LatencyUS: up(of(func(r *efficiencyRow) float64 { return r.LatencyUS }), 0.5),
		Compute:   down(of(func(r *efficiencyRow) float64 { return r.Compute }), 0.05),
		Memory:    min(0.9, down(of(func(r *efficiencyRow) float64 { return r.Memory }), 0.05)),
		Norm:      down(of(func(r *efficiencyRow) float64 { return r.Norm }), 0.1),
		Quantize:  up(of(func(r *efficiencyRow) float64 { return r.Quantize }), 0.1),
	}, len(names)
}

// near tells whether two rows have the same constants.
func near(a, b efficiencyRow) bool {
	for _, pair := range [][2]float64{{a.LatencyUS, b.LatencyUS}, {a.Compute, b.Compute}, {a.Memory, b.Memory}, {a.Norm, b.Norm}, {a.Quantize, b.Quantize}} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			return false
		}
	}
	return true
}
