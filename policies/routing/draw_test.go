package routing

import "testing"

// even are shares alike.
func even(n int) []float64 {
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = 1
	}
	return shares
}

func TestRandom(t *testing.T) {
	expectShares(t, counts(&Random{Random: seeded(1)}, alike(10), 20000), even(10))
}

// TestPowerOfTwo compares how often each of n replicas with different numbers of requests is
// chosen with (n-1-i)/C(n,2): the i-th in order of load is one of both drawn, beside one
// of those with more.
func TestPowerOfTwo(t *testing.T) {
	expectShares(t, counts(&PowerOfTwo{Random: seeded(1)}, loads(3, 1, 4, 0, 9, 5), 20000), []float64{3, 4, 2, 5, 0, 1})
	expectShares(t, counts(&PowerOfTwo{Random: seeded(2)}, loads(2, 2, 2, 2), 20000), even(4)) // ties: the first one drawn
	expectShares(t, counts(&PowerOfTwo{Random: seeded(3)}, loads(7, 7, 1), 20000), []float64{1, 1, 4})
	expectShares(t, counts(&PowerOfTwo{Random: seeded(4)}, loads(1, 2), 100), []float64{1, 0}) // never the same one twice
	expectShares(t, counts(&PowerOfTwo{Random: seeded(5)}, loads(1), 100), []float64{1})
}

// TestPowerOfTwoTies: of two with the same number of requests the first one drawn is chosen.
func TestPowerOfTwoTies(t *testing.T) {
	p, drawn, f := &PowerOfTwo{Random: seeded(1)}, seeded(1), loads(2, 2, 2, 2)
	for range 100 {
		first := drawn.IntN(4)
		drawn.IntN(3)
		if got := p.Route(&Request{}, f); got != first {
			t.Fatalf("chose %d, drew %d first", got, first)
		}
	}
}

// TestPowerOfTwoLooksAtTwo: it costs the same however many replicas there are.
func TestPowerOfTwoLooksAtTwo(t *testing.T) {
	f := &counting{fleet: alike(1000)}
	(&PowerOfTwo{Random: seeded(1)}).Route(&Request{}, f)
	if f.looks > 2 {
		t.Errorf("looked at %d replicas", f.looks)
	}
}

type counting struct {
	fleet
	looks int
}

func (c *counting) At(i int) View {
	c.looks++
	return c.fleet.At(i)
}

func TestLeastRequests(t *testing.T) {
	expectShares(t, counts(&LeastRequests{Random: seeded(1)}, loads(3, 1, 4, 1, 9, 1), 3000), []float64{0, 1, 0, 1, 0, 1})
}

func TestLeastPendingTokens(t *testing.T) {
	f := alike(5)
	for i, v := range []View{
		{Pending: 900}, {Pending: 500, Running: 3, Waiting: 1}, {Pending: 500, Running: 2}, {Pending: 500, Waiting: 2}, {Pending: 501},
	} {
		f[i].View = v
	}
	expectShares(t, counts(&LeastPendingTokens{Random: seeded(1)}, f, 3000), []float64{0, 0, 1, 1, 0})
}

func TestLeastKV(t *testing.T) {
	f := alike(5)
	for i, v := range []View{
		{FreeBlocks: 99, TotalBlocks: 200}, {FreeBlocks: 5, TotalBlocks: 10}, {FreeBlocks: 50, TotalBlocks: 100},
		{TotalBlocks: 9}, {FreeBlocks: 1, TotalBlocks: 3},
	} {
		f[i].View = v
	}
	expectShares(t, counts(&LeastKV{Random: seeded(1)}, f, 3000), []float64{0, 1, 1, 0, 0})
}
