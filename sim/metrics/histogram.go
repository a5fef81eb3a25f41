package metrics

import (
	"math"

	"kneepoint/internal/units"
)

const (
	// HistogramResolution is the largest relative error of a quantile of a
	// Histogram: half the relative width of a bin.
	HistogramResolution = 0.0005

	binsPerFactor2  = 694 // bins of relative width 0.1 %: ln 2 / 0.001, rounded up
	histogramLowest = 1e-7
)

// Histogram counts durations in bins of equal relative width, so that pooling a
// gap for every generated token takes constant memory. Mean and standard
// deviation are exact; quantiles are within HistogramResolution. Durations
// below 100 ns share the first bin.
type Histogram struct {
	counts []int64
	total  int64
	sum    float64
	square float64
}

// Add counts the duration d n times.
func (h *Histogram) Add(d units.Seconds, n int64) {
	if n <= 0 {
		return
	}
	bin := 0
	if d > histogramLowest {
		bin = 1 + int(math.Log2(float64(d)/histogramLowest)*binsPerFactor2)
	}
	for bin >= len(h.counts) {
		h.counts = append(h.counts, make([]int64, bin+1-len(h.counts))...)
	}
	h.counts[bin] += n
	h.total += n
	h.sum += float64(n) * float64(d)
	h.square += float64(n) * float64(d) * float64(d)
}

// Count returns how many durations were added.
func (h *Histogram) Count() int64 { return h.total }

// Mean returns the mean in seconds, NaN when empty.
func (h *Histogram) Mean() float64 { return h.sum / float64(h.total) }

// Std returns the population standard deviation in seconds, NaN when empty.
func (h *Histogram) Std() float64 {
	mean := h.Mean()
	return math.Sqrt(math.Max(0, h.square/float64(h.total)-mean*mean))
}

// Quantile returns the p-quantile in seconds: the middle of the bin that holds
// the closest rank. NaN when empty.
func (h *Histogram) Quantile(p float64) float64 {
	if h.total == 0 {
		return math.NaN()
	}
	rank, seen := int64(math.Round(p*float64(h.total-1))), int64(0)
	for bin, n := range h.counts {
		if seen += n; seen > rank {
			return binMiddle(bin)
		}
	}
	return binMiddle(len(h.counts) - 1)
}

func binMiddle(bin int) float64 {
	if bin == 0 {
		return 0
	}
	return histogramLowest * math.Exp2((float64(bin)-0.5)/binsPerFactor2)
}
