package roofline

import (
	"math"
	"sync/atomic"

	"kneepoint/units"
)

// memo keeps a positive duration per small count, computed on first use. It may
// be used by any number of goroutines: every writer stores the same bits.
type memo []atomic.Uint64

// get returns the duration of n, from compute unless it was kept before.
func (m memo) get(n int, compute func(int) units.Seconds) units.Seconds {
	if n >= len(m) {
		return compute(n)
	}
	if bits := m[n].Load(); bits != 0 {
		return units.Seconds(math.Float64frombits(bits))
	}
	t := compute(n)
	m[n].Store(math.Float64bits(float64(t)))
	return t
}
