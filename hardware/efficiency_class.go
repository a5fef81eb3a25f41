package hardware

import (
	"math"
	"slices"
)

// fewestOfClass is how many accelerators of a vendor must have been measured for it to have a class of its own.
const fewestOfClass = 3

// classOf is what is assumed of an operator's kernels on an accelerator of which, and of whose relatives, nothing was
// measured: medians over the fits of its vendor's accelerators, rounded towards the slower side. Products of one that copies
// in bulk read the share of the bandwidth that its multiprocessors leave (see exposure).
func classOf(rows []efficiencyRow, a *Accelerator, format string) (class efficiencyRow, ok bool) {
	fits := slices.DeleteFunc(fitsOf(rows, a.Vendor, a.HeldOut), func(f fit) bool { return f.row.Format != format })
	if countAccelerators(fits) < fewestOfClass {
		return efficiencyRow{}, false
	}
	of := func(field func(*efficiencyRow) float64) float64 {
		return medianOf(fits, func(f *fit) float64 { return field(&f.row) })
	}
	const latencySteps, shareSteps, otherSteps = 2, 20, 10 // in one
	class = efficiencyRow{
		Format:    format,
		LatencyUS: roundUp(of(func(r *efficiencyRow) float64 { return r.LatencyUS }), latencySteps),
		Compute:   roundDown(of(func(r *efficiencyRow) float64 { return r.Compute }), shareSteps),
		Memory:    min(0.9, roundDown(of(func(r *efficiencyRow) float64 { return r.Memory }), shareSteps)),
		Norm:      roundDown(of(func(r *efficiencyRow) float64 { return r.Norm }), otherSteps),
		Quantize:  roundUp(of(func(r *efficiencyRow) float64 { return r.Quantize }), otherSteps),
	}
	return class, true
}

// fit is a row of constants that were fitted to kernels, and the accelerator that these ran on.
type fit struct {
	row efficiencyRow
	on  Accelerator
}

// fitsOf are the fits of all accelerators of a vendor but one that is held out.
func fitsOf(rows []efficiencyRow, vendor, heldOut string) []fit {
	var fits []fit
	for _, r := range rows {
		if r.Accelerator == "" || r.Accelerator == heldOut || r.From != "" {
			continue
		}
		if on, err := LookupAccelerator(r.Accelerator); err == nil && on.Vendor == vendor {
			fits = append(fits, fit{r, on})
		}
	}
	return fits
}

// countAccelerators counts those that fits are of.
func countAccelerators(fits []fit) int {
	names := map[string]bool{}
	for _, f := range fits {
		names[f.row.Accelerator] = true
	}
	return len(names)
}

// medianOf is the middle value over fits, or the mean of the two.
func medianOf(fits []fit, value func(*fit) float64) float64 {
	values := make([]float64, len(fits))
	for i := range fits {
		values[i] = value(&fits[i])
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// roundUp is the next multiple of one over so many steps, zero without a sign.
func roundUp(x, steps float64) float64 { return max(0, math.Ceil(x*steps-1e-6)/steps) }

// roundDown is the last one.
func roundDown(x, steps float64) float64 { return math.Floor(x*steps+1e-6) / steps }
