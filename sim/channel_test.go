package sim

import (
	"math"
	"slices"
	"testing"

	"kneepoint/units"
)

// landings sends transfers over a channel of 2 bytes a second, and returns when each has
// arrived, and in which order.
func landings(latency units.Seconds, sent ...[2]float64) (at []units.Seconds, order []int) {
	f := &fleet{config: &Config{Traffic: &scripted{}}}
	c := &channel{fleet: f, bandwidth: 2, latency: latency}
	at = make([]units.Seconds, len(sent))
	for i, s := range sent {
		f.at(units.Seconds(s[0]), func() {
			c.send(units.Seconds(s[0]), units.Bytes(s[1]), func(now units.Seconds) { at[i], order = now, append(order, i) })
		})
	}
	for len(f.timers.minHeap) > 0 {
		f.timers.pop().run()
	}
	return at, order
}

// TestTransfersShareALink: times by hand. Each line is when transfers begin, and their bytes.
func TestTransfersShareALink(t *testing.T) {
	for _, c := range []struct {
		latency units.Seconds
		sent    [][2]float64
		at      []units.Seconds
		order   []int
	}{
		{0, [][2]float64{{1, 10}}, []units.Seconds{6}, []int{0}},
		{.5, [][2]float64{{1, 10}}, []units.Seconds{6.5}, []int{0}},
		// Alone until 1, with 8 bytes left then; half of the link each until the second has its 4.
		{0, [][2]float64{{0, 10}, {1, 4}}, []units.Seconds{7, 5}, []int{1, 0}},
		{.25, [][2]float64{{0, 10}, {1, 4}}, []units.Seconds{7.25, 5.25}, []int{1, 0}},
		// Three of them: a third each from 2 on, when 6, 5 and 3 bytes are left; a half from 6.5 on, the whole from 8.5 on.
		{0, [][2]float64{{0, 9}, {1, 6}, {2, 3}}, []units.Seconds{9, 8.5, 6.5}, []int{2, 1, 0}},
		{0, [][2]float64{{0, 4}, {0, 4}}, []units.Seconds{4, 4}, []int{0, 1}},
		{0, [][2]float64{{0, 4}, {0, 2}, {0, 4}}, []units.Seconds{5, 3, 5}, []int{1, 0, 2}},
		{0, [][2]float64{{0, 2}, {5, 2}}, []units.Seconds{1, 6}, []int{0, 1}}, // idle between them
	} {
		at, order := landings(c.latency, c.sent...)
		for i := range at {
			if math.Abs(float64(at[i]-c.at[i])) > 1e-12 {
				t.Errorf("%v: transfer %d arrives at %v, want %v", c.sent, i, at[i], c.at[i])
			}
		}
		if !slices.Equal(order, c.order) {
			t.Errorf("%v: they arrive in the order %v, want %v", c.sent, order, c.order)
		}
	}
}
