package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/units"
)

// TestLinkInTurn: transfers go one after the other in the order in which they were
// given to the link, D/D/1: with a gap shorter than a transfer the n-th waits n times the
// difference, with a longer one none waits. Latency passes beside the next one.
func TestLinkInTurn(t *testing.T) {
	for _, c := range []struct{ gap, waits units.Seconds }{{3, 1}, {4, 0}, {5, 0}} {
		l := link{bandwidth: 10, latency: 0.5}
		for n := range 100 {
			at := c.gap * units.Seconds(n)
			want := at + 4 + 0.5 + c.waits*units.Seconds(n)
			if got := l.wait(at, 40); got != want-at {
				t.Fatalf("gap %v: transfer %d would take %v, want %v", c.gap, n, got, want-at)
			}
			if got := l.send(at, 40); got != want {
				t.Fatalf("gap %v: transfer %d arrives at %v, want %v", c.gap, n, got, want)
			}
		}
	}
}

// TestDirectionsDoNotMeet: what goes out of the accelerators does not hold up what comes in.
func TestDirectionsDoNotMeet(t *testing.T) {
	l := newLinks([]Tier{{Bandwidth: 10, BandwidthOut: 5}, {Bandwidth: 10}})
	if at := l[0].out.send(0, 100); at != 20 {
		t.Errorf("100 bytes are out at %v, want 20", at)
	}
	if at := l[0].in.send(0, 100); at != 10 {
		t.Errorf("100 bytes are in at %v, want 10", at)
	}
	if at := l[1].out.send(0, 100); at != 10 {
		t.Errorf("100 bytes are out at %v over the second link, want 10", at)
	}
}

// TestLinkQueue: random transfers of one size at random times wait as in an M/D/1 queue,
//
//	E[W] = ρ x / (2 (1-ρ))
//
// and M/M/1 where sizes are exponential, E[W] = ρ x / (1-ρ).
func TestLinkQueue(t *testing.T) {
	for _, load := range []float64{0.3, 0.7} {
		for name, c := range map[string]struct {
			size func(r *rand.Rand) float64
			want float64
		}{
			"M/D/1": {func(*rand.Rand) float64 { return 1 }, load / (2 * (1 - load))},
			"M/M/1": {(*rand.Rand).ExpFloat64, load / (1 - load)},
		} {
			r, l := rand.New(rand.NewPCG(1, 2)), link{bandwidth: 1}
			at, waited, n := units.Seconds(0), 0.0, 300_000
			for range n {
				at += units.Seconds(r.ExpFloat64() / load)
				size := c.size(r)
				waited += float64(l.send(at, units.Bytes(size))-at) - size
			}
			if got := waited / float64(n); math.Abs(got/c.want-1) > 0.05 {
				t.Errorf("%s, load %v: transfers wait %.4f, want %.4f", name, load, got, c.want)
			}
		}
	}
}
