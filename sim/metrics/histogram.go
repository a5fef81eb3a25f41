package metrics

import (
	"math"

	"kneepoint/units"
)

const (
	// HistogramResolution is the largest relative error of a quantile of a
	// Histogram: half the relative width of the widest bin.
	HistogramResolution = 0.5 / binsPerOctave

	octaveBits    = 10
	binsPerOctave = 1 << octaveBits
	mantissaBits  = 52
)

// Histogram counts durations in bins of nearly equal relative width, so that
// pooling a gap for every generated token takes constant memory. Each octave,
// from a power of two to the next, is cut into 1024 equal bins: the bin of a
// duration is the leading bits of its floating-point number. Mean and standard
// deviation are exact; quantiles are within HistogramResolution.
type Histogram struct {
	octaves []*[binsPerOctave]int64 // by octave; nil where it is empty
	total   int64                   // durations
	sum     float64                 // of durations, in seconds
	square  float64                 // sum of their squares
}

// Add counts the duration d n times.
func (h *Histogram) Add(d units.Seconds, n int64) {
	if n <= 0 {
		return
	}
	h.put(binOf(d), n)
	weighted := float64(n) * float64(d)
	h.total += n
	h.sum += weighted
	h.square += weighted * float64(d)
}

// AddEach is Add of each of some durations, n times. It costs less where neighbours share a bin.
func (h *Histogram) AddEach(durations []units.Seconds, n int64) {
	if n <= 0 || len(durations) == 0 {
		return
	}
	bin, first, sum, square := binOf(durations[0]), 0, h.sum, h.square
	for i, d := range durations {
		if math.Float64bits(float64(d))>>(mantissaBits-octaveBits) != uint64(bin) {
			h.put(bin, int64(i-first)*n)
			bin, first = binOf(d), i
		}
		weighted := float64(n) * float64(d)
		sum += weighted
		square += weighted * float64(d)
	}
	h.put(bin, int64(len(durations)-first)*n)
	h.sum, h.square = sum, square
	h.total += n * int64(len(durations))
}

// AddSeries counts the n durations first, first + slope, first + 2·slope, … each
// weight times. It costs a step for each bin that the series meets, not for each
// duration; mean and deviation come from the sums of an arithmetic series.
func (h *Histogram) AddSeries(first, slope units.Seconds, n int, weight int64) {
	if n <= 0 || weight <= 0 {
		return
	}
	if slope < 0 {
		first, slope = first+slope*units.Seconds(n-1), -slope
	}
	for k, last := 0, binOf(first+slope*units.Seconds(n-1)); k < n; {
		bin, alike := binOf(first+slope*units.Seconds(k)), n-k
		if bin < last {
			edge := units.Seconds(binEdge(bin + 1))
			alike = min(alike, max(1, int((edge-first)/slope)+1-k))
		}
		h.put(bin, int64(alike)*weight)
		k += alike
	}
	f, s, m := float64(first), float64(slope), float64(n)
	pairs := m * (m - 1) / 2
	h.total += int64(n) * weight
	h.sum += float64(weight) * (m*f + s*pairs)
	h.square += float64(weight) * (m*f*f + 2*f*s*pairs + s*s*pairs*(2*m-1)/3)
}

// Without is what is left without the durations of another one, which are all in h. Their counts are exact; sums
// are rounded.
func (h *Histogram) Without(other *Histogram) Histogram {
	left := Histogram{octaves: make([]*[binsPerOctave]int64, len(h.octaves)), total: h.total - other.total}
	if left.total == 0 {
		return Histogram{}
	}
	left.sum, left.square = h.sum-other.sum, h.square-other.square
	for octave, bins := range h.octaves {
		if bins == nil {
			continue
		}
		kept := *bins
		if octave < len(other.octaves) && other.octaves[octave] != nil {
			for i, n := range other.octaves[octave] {
				kept[i] -= n
			}
		}
		left.octaves[octave] = &kept
	}
	return left
}

// put adds n durations to a bin.
func (h *Histogram) put(bin int, n int64) {
	octave := bin >> octaveBits
	if octave >= len(h.octaves) || h.octaves[octave] == nil {
		h.open(octave)
	}
	h.octaves[octave][bin&(binsPerOctave-1)] += n
}

// open makes the bins of an octave.
func (h *Histogram) open(octave int) {
	if octave >= len(h.octaves) {
		h.octaves = append(h.octaves, make([]*[binsPerOctave]int64, octave+1-len(h.octaves))...)
	}
	h.octaves[octave] = new([binsPerOctave]int64)
}

// binOf is the bin of a duration; those that are not positive share the first.
func binOf(d units.Seconds) int {
	if d <= 0 {
		return 0
	}
	return int(math.Float64bits(float64(d)) >> (mantissaBits - octaveBits))
}

// binEdge is where a bin begins.
func binEdge(bin int) float64 {
	return math.Float64frombits(uint64(bin) << (mantissaBits - octaveBits))
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
	last := 0
	for octave, bins := range h.octaves {
		if bins == nil {
			continue
		}
		for i, n := range bins {
			if n == 0 {
				continue
			}
			last = octave<<octaveBits + i
			if seen += n; seen > rank {
				return binMiddle(last)
			}
		}
	}
	return binMiddle(last)
}

func binMiddle(bin int) float64 {
	if bin == 0 {
		return 0
	}
	return (binEdge(bin) + binEdge(bin+1)) / 2
}
