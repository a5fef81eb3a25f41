package hardware

import (
	"slices"

	"kneepoint/units"
)

// Copies in bulk bring the operands of matrix instructions from memory to a multiprocessor's shared memory, past its
// registers: Hopper's and Blackwell's for data centers have them (TMA), and their libraries' products use them. Such a product
// still waits for memory where a tile starts and where it ends, and while one multiprocessor waits, its share of the
// bandwidth passes unused. The latencies that it waits for hardly differ between these accelerators, while that share does:
// so the time beside what the bandwidth takes goes with the bytes of a multiprocessor, and
//
//	1/Memory = 1 + exposure * bandwidth/multiprocessors
//
// with one exposure for all. Of five accelerators, it says each from the other four with a mean error of 4 %, where a constant share
// is 7 % off (TestBulkCopiesHeldOut). Others do not follow: A100, which copies asynchronously but a vector at a time, exposes two and a half
// times as much, and accelerators with GDDR have 6 to 10 GB/s a multiprocessor and are limited by other things.

// bulkFormats are the formats of products that were measured on both architectures. In fp4, which Hopper lacks, all
// have much the same bandwidth a multiprocessor, from which no law can be told.
var bulkFormats = []string{string(BF16), string(FP8), FP8Block}

// perMultiprocessor is the bandwidth over the number of multiprocessors; 0 of an accelerator that does not copy in bulk.
func (a *Accelerator) perMultiprocessor() units.BytesPerSecond {
	if a.BulkCopySMs == 0 {
		return 0
	}
	return a.Bandwidth / units.BytesPerSecond(a.BulkCopySMs)
}

// exposure is the time for which a multiprocessor of a vendor leaves the memory unused, in seconds per byte that it reads: the
// median over the products that were fitted on all but one that is held out; 0 where none were.
func exposure(rows []efficiencyRow, vendor, heldOut string) float64 {
	fits := slices.DeleteFunc(fitsOf(rows, vendor, heldOut), func(f fit) bool {
		return f.on.BulkCopySMs == 0 || !slices.Contains(bulkFormats, f.row.Format)
	})
	if len(fits) == 0 {
		return 0
	}
	return medianOf(fits, func(f *fit) float64 { return (1/f.row.Memory - 1) / float64(f.on.perMultiprocessor()) })
}

// copiesInBulk tells whether an operator's kernels in a format copy in bulk on an accelerator.
func (a *Accelerator) copiesInBulk(op Operator, format string) bool {
	return op == GEMM && a.BulkCopySMs > 0 && slices.Contains(bulkFormats, format)
}

// byMultiprocessor says of estimated constants that the share of the bandwidth is by this law.
const byMultiprocessor = ", products by the bandwidth of a multiprocessor"

// carried is the share of the bandwidth that products read on an accelerator of which a row was not measured, where a multiprocessor
// has another bandwidth than on the one of which it was.
func (r *efficiencyRow) carried(op Operator, rows []efficiencyRow, a *Accelerator) (share float64, differs bool) {
	if r.Accelerator == a.Name || !a.copiesInBulk(op, r.Format) {
		return r.Memory, false
	}
	on, err := LookupAccelerator(r.Accelerator)
	if at := on.perMultiprocessor(); err == nil && at > 0 && at != a.perMultiprocessor() {
		return bulkShare(a, exposure(rows, on.Vendor, a.HeldOut), r.Memory, at), true
	}
	return r.Memory, false
}

// bulkShare is the share of the memory bandwidth that products read on an accelerator that copies in bulk, given the exposure, where
// they would read a known one with a bandwidth of so much a multiprocessor.
func bulkShare(a *Accelerator, exposed, known float64, at units.BytesPerSecond) float64 {
	return 1 / max(1, 1/known+exposed*float64(a.perMultiprocessor()-at))
}
