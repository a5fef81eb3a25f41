package workloads

import (
	"math"
	"testing"
)

// TestDrawsAreUniform: as many draws are below a limit as it says, also where the first byte does not tell, and those of
// neighbours are independent of each other, whether they share a word or not.
func TestDrawsAreUniform(t *testing.T) {
	const n, paired = 1 << 20, 1 << 16
	for _, p := range []float64{0.5, 0.6, 0.001, 0.999, 154.0 / 256} {
		a := NewAcceptance([]float64{p}, 1, 0)
		limit, count := a.limits[0], 0
		pairs := map[int]int{1: 0, 7: 0, 8: 0} // by how far they are apart: both are below
		for i := range n {
			if a.keyOf(i/4096).draw(i) >= limit {
				continue
			}
			if count++; i >= paired {
				continue
			}
			for apart := range pairs {
				if a.keyOf(i/4096).draw(i+apart) < limit {
					pairs[apart]++
				}
			}
		}
		near := func(name string, count, of int, p float64) {
			if got, slack := float64(count)/float64(of), 5*math.Sqrt(p*(1-p)/float64(of)); math.Abs(got-p) > slack {
				t.Errorf("%s below a limit: %g, want %g±%g", name, got, p, slack)
			}
		}
		near("one", count, n, p)
		for _, both := range pairs {
			near("two", both, paired, p*p)
		}
	}
}
