package workloads

import (
	"fmt"
	"math"
	"testing"
)

func TestStreamIsDeterministic(t *testing.T) {
	a, b := Stream(7, 2, StreamArrivals), Stream(7, 2, StreamArrivals)
	for range 100 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatalf("same stream, different numbers: %d and %d", x, y)
		}
	}
}

// Neighbouring seeds, replications and purposes must neither coincide nor be
// correlated: the sample correlation of n pairs has standard error 1/sqrt(n).
func TestStreamsAreIndependent(t *testing.T) {
	const n = 20_000
	draw := func(seed uint64, replication int, purpose string) []float64 {
		u, values := Stream(seed, replication, purpose), make([]float64, n)
		for i := range values {
			values[i] = u.Float64() - 0.5
		}
		return values
	}
	streams := map[string][]float64{}
	for seed := range uint64(3) {
		for replication := range 3 {
			for _, purpose := range []string{StreamArrivals, StreamInputLengths, StreamOutputLengths} {
				streams[fmt.Sprint(seed, replication, purpose)] = draw(seed, replication, purpose)
			}
		}
	}
	for a, x := range streams {
		for b, y := range streams {
			if a >= b {
				continue
			}
			var sum float64
			for i := range x {
				sum += x[i] * y[i]
			}
			if r := 12 * sum / n; math.Abs(r) > 5/math.Sqrt(n) {
				t.Errorf("correlation of (%s) and (%s) is %.4f", a, b, r)
			}
		}
	}
}
