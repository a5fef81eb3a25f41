package sim

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/units"
)

// networkOf is a network whose transfers only the clock of its fleet moves on.
func networkOf(transfer Transfer) *network {
	return newNetwork(&fleet{config: &Config{Traffic: &scripted{}}}, &transfer)
}

// runOut lets all happen that is still to come.
func (n *network) runOut() {
	for len(n.fleet.timers.minHeap) > 0 {
		n.fleet.timers.pop().what()
	}
}

// end is one of a transfer's replicas.
func end(pool *Pool) *replica {
	return &replica{machine: machine{pool: pool}, port: newPort(float64(max(1, pool.Sent.Lanes)))}
}

// landings sends transfers over one link of 2 bytes a second, of tokens of a byte, and returns when each has
// arrived, and in which order.
func landings(latency units.Seconds, sent ...[2]float64) (at []units.Seconds, order []int) {
	n := networkOf(Transfer{Bandwidth: 2, Latency: latency, Shared: true})
	r := end(&Pool{Sent: Sent{Bytes: 1}})
	at = make([]units.Seconds, len(sent))
	for i, s := range sent {
		n.fleet.at(units.Seconds(s[0]), func() {
			n.send(units.Seconds(s[0]), s[1], r, r, func(now units.Seconds) { at[i], order = now, append(order, i) })
		})
	}
	n.runOut()
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

// TestTransfersShareTwoLinks: times by hand, of transfers that begin together over links of 12
// bytes a second. Each is from one of the senders to one of the receivers, and its tokens.
func TestTransfersShareTwoLinks(t *testing.T) {
	one, half, both := Sent{Bytes: 1}, Sent{Bytes: .5}, Sent{Bytes: 1, Lanes: 2}
	for name, c := range map[string]struct {
		from, to Sent
		sent     [][3]float64
		at       []units.Seconds
	}{
		"alone":                   {one, one, [][3]float64{{0, 0, 24}}, []units.Seconds{2}},
		"many to one accelerator": {half, one, [][3]float64{{0, 0, 24}}, []units.Seconds{2}},
		"one accelerator to many": {one, half, [][3]float64{{0, 0, 24}}, []units.Seconds{2}},
		"many to many":            {half, half, [][3]float64{{0, 0, 24}}, []units.Seconds{1}},
		"one sends to two":        {one, one, [][3]float64{{0, 0, 12}, {0, 1, 12}}, []units.Seconds{2, 2}},
		"two send to one":         {one, one, [][3]float64{{0, 0, 12}, {1, 0, 12}}, []units.Seconds{2, 2}},
		"links of their own":      {one, one, [][3]float64{{0, 0, 12}, {1, 1, 12}}, []units.Seconds{1, 1}},
		"each from one of many":   {half, one, [][3]float64{{0, 0, 12}, {0, 1, 12}}, []units.Seconds{1, 1}},
		"groups, each of its own": {both, both, [][3]float64{{0, 0, 12}, {0, 0, 12}}, []units.Seconds{1, 1}},
		"one group's link":        {both, both, [][3]float64{{0, 0, 12}}, []units.Seconds{1}},
		"three over links of two": {both, both, [][3]float64{{0, 0, 12}, {0, 0, 12}, {0, 0, 12}}, []units.Seconds{1.5, 1.5, 1.5}},
		"groups to one without":   {both, one, [][3]float64{{0, 0, 12}, {0, 0, 12}}, []units.Seconds{2, 2}},
		"of three to one, one asks another too": {
			// 4 a second each to the first receiver, so that the last has 8 of its sender's 12: until it ends at 2,
			// when the others have sent 8 of 12 and go on as before.
			one, one, [][3]float64{{0, 0, 12}, {1, 0, 12}, {2, 0, 12}, {2, 1, 16}}, []units.Seconds{3, 3, 3, 2}},
		"until the first ends": {
			// 6 a second each, until the first has its 6 at 1; 12 then, of which 6 are left.
			one, one, [][3]float64{{0, 0, 6}, {1, 0, 12}}, []units.Seconds{1, 1.5}},
	} {
		t.Run(name, func(t *testing.T) {
			n := networkOf(Transfer{Bandwidth: 12})
			var from, to []*replica
			for range 3 {
				from, to = append(from, end(&Pool{Sent: c.from})), append(to, end(&Pool{Sent: c.to}))
			}
			at := make([]units.Seconds, len(c.sent))
			for i, s := range c.sent {
				n.send(0, s[2], from[int(s[0])], to[int(s[1])], func(now units.Seconds) { at[i] = now })
			}
			n.runOut()
			for i := range at {
				if !near(float64(at[i]), float64(c.at[i])) {
					t.Errorf("transfer %d arrives at %v, want %v", i, at[i], c.at[i])
				}
			}
		})
	}
}

// TestRatesAreFair: no link carries more than it can, and each transfer has one that is full
// and on which none is faster, or a lane of its own that is: which only max-min fair rates have.
func TestRatesAreFair(t *testing.T) {
	effort.Check(t, 10, func(t *rapid.T) {
		n := networkOf(Transfer{Bandwidth: units.BytesPerSecond(rapid.Float64Range(.1, 100).Draw(t, "bandwidth"))})
		var replicas []*replica
		for range rapid.IntRange(2, 8).Draw(t, "replicas") {
			sent := Sent{Bytes: units.Bytes(rapid.Float64Range(.1, 10).Draw(t, "bytes")), Lanes: rapid.IntRange(0, 4).Draw(t, "lanes")}
			replicas = append(replicas, end(&Pool{Sent: sent}))
		}
		half := len(replicas) / 2
		var now units.Seconds
		landed, transfers := 0, rapid.IntRange(1, 20).Draw(t, "transfers")
		for range transfers {
			now += units.Seconds(rapid.Float64Range(0, 3).Draw(t, "pause"))
			for len(n.fleet.timers.minHeap) > 0 && n.fleet.timers.next() <= now {
				n.fleet.timers.pop().what()
				checkFair(t, n)
			}
			from := replicas[rapid.IntRange(0, half-1).Draw(t, "from")]
			to := replicas[rapid.IntRange(half, len(replicas)-1).Draw(t, "to")]
			n.send(now, rapid.Float64Range(0, 50).Draw(t, "tokens"), from, to, func(units.Seconds) { landed++ })
			checkFair(t, n)
		}
		n.runOut()
		if landed != transfers {
			t.Fatalf("%d of %d transfers arrive", landed, transfers)
		}
	})
}

// checkFair fails where rates are not max-min fair.
func checkFair(t *rapid.T, n *network) {
	t.Helper()
	const rounding = 1e-9
	used := func(p *port) (lanes, fastest float64) {
		for _, d := range p.deliveries {
			for _, s := range d.sides {
				if s.port == p {
					lanes, fastest = lanes+d.rate*s.time, max(fastest, d.rate)
				}
			}
		}
		return lanes, fastest
	}
	for _, d := range n.deliveries {
		held := false
		for _, s := range d.sides {
			lanes, fastest := used(s.port)
			if lanes > s.port.lanes*(1+rounding) || d.rate*s.time > 1+rounding {
				t.Fatalf("a link of %v lanes carries %v, one of them %v", s.port.lanes, lanes, d.rate*s.time)
			}
			held = held || d.rate*s.time > 1-rounding || lanes > s.port.lanes*(1-rounding) && d.rate > fastest*(1-rounding)
		}
		if !held {
			t.Fatalf("nothing keeps a transfer at %v tokens a second", d.rate)
		}
	}
}
