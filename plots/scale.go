package plots

import (
	"math"
	"slices"
)

// scale maps values to positions between 0 and 1 along an axis.
type scale struct {
	log      bool
	min, max float64
}

// at returns the position of v: outside [0, 1] beyond the ends, NaN for what
// has no position on the scale (no value, or not positive on a log scale).
func (s scale) at(v float64) float64 {
	if !s.has(v) {
		return math.NaN()
	}
	if s.log {
		return math.Log(v/s.min) / math.Log(s.max/s.min)
	}
	return (v - s.min) / (s.max - s.min)
}

// has says whether v has a position on the scale.
func (s scale) has(v float64) bool {
	return finite(v) && (!s.log || v > 0)
}

// axis is a scale with its ticks and its title.
type axis struct {
	scale
	ticks []tick
	title string
}

// maxTicks is how many ticks an axis of values gets at most.
const maxTicks = 7

// fromZero returns a linear axis from 0 over all values. It ends at a tick where
// that costs little height.
func fromZero(values []float64, f format) axis {
	_, hi := extent(values, false)
	if !(hi > 0) {
		hi = 1
	}
	top := hi * 1.04
	ticks := linearTicks(0, top, maxTicks)
	step := ticks[1] - ticks[0]
	if k := math.Ceil(hi/step - 1e-9); k*step <= hi*1.15 {
		ticks = multiples(0, k, step)
		top = max(hi, ticks[len(ticks)-1])
	}
	return axis{scale: scale{min: 0, max: top}, ticks: labelTicks(ticks, f)}
}

// fractions returns an axis from 0 to 100 %.
func fractions() axis {
	return axis{
		scale: scale{min: 0, max: 1.04},
		ticks: labelTicks([]float64{0, 0.2, 0.4, 0.6, 0.8, 1}, percent),
	}
}

// maxLogTicks is how many ticks a log axis gets at most: three decades and a
// half of 1-2-5.
const maxLogTicks = 12

// logarithmic returns a log axis over the positive values with a little room at
// both ends, over at least a factor of six, which has two ticks at least.
func logarithmic(values []float64, f format) axis {
	lo, hi := extent(values, true)
	if !(hi > 0) {
		lo, hi = 1, 10
	}
	lo, hi = lo/1.25, hi*1.25
	if widen := 6 * lo / hi; widen > 1 {
		lo, hi = lo/math.Sqrt(widen), hi*math.Sqrt(widen)
	}
	ticks := logTicks(lo, hi, maxLogTicks)
	if len(ticks) > 0 && ticks[0] < lo*1.15 {
		lo = ticks[0] // no grid line that nearly touches the axis
	}
	return axis{scale: scale{log: true, min: lo, max: hi}, ticks: labelTicks(ticks, f)}
}

// extent returns the least and the greatest measurable value, or positive value.
func extent(values []float64, positive bool) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if measurable(v) && (v > 0 || !positive) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// spread returns the ratio of the greatest to the least positive value; 1 when
// there is none.
func spread(values []float64) float64 {
	lo, hi := extent(values, true)
	if !(hi > 0) {
		return 1
	}
	return hi / lo
}

// distinct returns the finite values, sorted, each once.
func distinct(values []float64) []float64 {
	kept := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !finite(v) })
	slices.Sort(kept)
	return slices.Compact(kept)
}

// value is the inverse of at.
func (s scale) value(position float64) float64 {
	if s.log {
		return s.min * math.Pow(s.max/s.min, position)
	}
	return s.min + position*(s.max-s.min)
}
