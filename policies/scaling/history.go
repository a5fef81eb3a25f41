package scaling

import (
	"slices"

	"kneepoint/units"
)

// history is values in order of time.
type history[V any] []moment[V]

// moment is a value at a time.
type moment[V any] struct {
	at    units.Seconds
	value V
}

// add appends a value, and forgets those of a time or before it.
func (h *history[V]) add(now units.Seconds, value V, forget units.Seconds) {
	old := func(m moment[V]) bool { return m.at <= forget }
	*h = append(slices.DeleteFunc(*h, old), moment[V]{now, value})
}

// numbers are numbers of replicas by the time at which they were wanted.
type numbers = history[int]

// within calls f with those of h after a time.
func within(h numbers, after units.Seconds, f func(n int)) {
	for _, m := range h {
		if m.at > after {
			f(m.value)
		}
	}
}

// averages are those of a quantity over periods that follow one another.
type averages []period

type period struct {
	from, to units.Seconds
	mean     float64
}

// add appends the average over the time since the last question, and forgets periods
// that ended a time ago.
func (a *averages) add(s *Signals, mean float64, keep units.Seconds) {
	old := func(p period) bool { return p.to <= s.Now-keep }
	*a = append(slices.DeleteFunc(*a, old), period{s.Since, s.Now, mean})
}

// over is the average over a time until now, as far as it is known.
func (a averages) over(window, now units.Seconds) float64 {
	var sum, time float64
	for _, p := range a {
		if part := float64(p.to - max(p.from, now-window)); part > 0 {
			sum += p.mean * part
			time += part
		}
	}
	if time == 0 {
		return 0
	}
	return sum / time
}
