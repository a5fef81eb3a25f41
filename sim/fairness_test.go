package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"kneepoint/internal/effort"
	"kneepoint/units"
)

// fillAll is the max-min fair rate of each transfer, found for all of them at once: of the links that are not full
// yet the one that fills first gives its transfers their rate.
func fillAll(n *network) map[*delivery]float64 {
	left, demand := map[*port]float64{}, map[*port]float64{}
	for _, d := range n.deliveries {
		for _, s := range d.sides {
			left[s.port] = s.port.lanes
			demand[s.port] += s.time
		}
	}
	rates := map[*delivery]float64{}
	for len(rates) < len(n.deliveries) {
		var first *port
		level := math.Inf(1)
		for p := range left {
			if l := left[p] / demand[p]; demand[p] > 1e-12 && l < level {
				first, level = p, l
			}
		}
		for _, d := range first.deliveries {
			if _, rated := rates[d]; rated {
				continue
			}
			rates[d] = level
			for _, s := range d.sides {
				left[s.port] -= level * s.time
				demand[s.port] -= s.time
			}
		}
		delete(left, first)
	}
	return rates
}

// drawnNetwork is a network with replicas that send and others that receive, on links of several kinds.
func drawnNetwork(random *rand.Rand, shared bool, replicas int) (n *network, from, to []*replica) {
	n = networkOf(Transfer{Bandwidth: 1, Shared: shared})
	for range replicas {
		sent := Sent{Bytes: units.Bytes(.5 + random.Float64()), Lanes: random.IntN(4)}
		if random.IntN(2) == 0 { // many are alike
			sent = Sent{Bytes: 1}
		}
		from, to = append(from, end(&Pool{Sent: sent})), append(to, end(&Pool{Sent: sent}))
		if random.IntN(10) == 0 {
			to[len(to)-1].connection.slowed = slowdowns{{Failure: Failure{Slowdown: 3}}}
		}
	}
	return n, from, to
}

// TestRatesOfAllAtOnce: rates that are found where transfers begin and end are those that are found for all links anew,
// in networks of up to hundreds of transfers that hang together.
func TestRatesOfAllAtOnce(t *testing.T) {
	for i := range effort.Times(t, 12) {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		n, from, to := drawnNetwork(random, i%5 == 4, 1+random.IntN(20))
		pause := math.Exp(random.NormFloat64()) / float64(len(from))
		var now units.Seconds
		check := func() {
			t.Helper()
			for d, want := range fillAll(n) {
				if !near(d.rate, want) {
					t.Fatalf("network %d at %v, %d transfers: %v tokens a second, want %v", i, now, len(n.deliveries), d.rate, want)
				}
			}
		}
		for range 150 {
			now += units.Seconds(random.ExpFloat64() * pause)
			for n.fleet.timers.next() <= now {
				n.fleet.timers.pop().what()
				check()
			}
			n.send(now, 1+float64(random.IntN(3)), from[random.IntN(len(from))], to[random.IntN(len(to))], func(units.Seconds) {})
			check()
		}
	}
}

// BenchmarkLinks sends transfers between replicas chosen at random, over links that are busy for some share of the
// time, and reports transfers per second of CPU time.
func BenchmarkLinks(b *testing.B) {
	for _, replicas := range []int{10, 100, 1000} {
		for _, load := range []float64{.1, .6, .8} {
			b.Run(fmt.Sprintf("replicas=%d/load=%v", replicas, load), func(b *testing.B) {
				transfers := 50 * replicas
				for b.Loop() {
					random := rand.New(rand.NewPCG(1, 2))
					n := networkOf(Transfer{Bandwidth: 1})
					var from, to []*replica
					for range replicas {
						from, to = append(from, end(&Pool{Sent: Sent{Bytes: 1}})), append(to, end(&Pool{Sent: Sent{Bytes: 1}}))
					}
					start := time.Now()
					now := units.Seconds(0)
					for range transfers {
						now += units.Seconds(random.ExpFloat64() / (load * float64(replicas)))
						for n.fleet.timers.next() <= now {
							n.fleet.timers.pop().what()
						}
						n.send(now, random.ExpFloat64(), from[random.IntN(replicas)], to[random.IntN(replicas)], func(units.Seconds) {})
					}
					b.ReportMetric(float64(transfers)/time.Since(start).Seconds(), "transfers/s")
				}
			})
		}
	}
}
