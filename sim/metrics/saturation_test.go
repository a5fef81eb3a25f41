package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kneepoint/internal/effort"
	"kneepoint/units"
)

// service is a queue: the server that begins with a request, and how long it serves it.
type service struct {
	servers int
	time    func(*rand.Rand) float64
}

// trend is the record of a queue in order of arrival, with Poisson arrivals at a load
// rho.
func (s *service) trend(rho float64, n int, seed uint64) *Trend {
	random := rand.New(rand.NewPCG(seed, 0))
	free := make([]float64, s.servers)
	trend := &Trend{}
	var starts, ends []float64
	at := 0.0
	for i := range n {
		at += random.ExpFloat64() / rho / float64(s.servers)
		first := slices.Index(free, slices.Min(free))
		begun, _ := slices.BinarySearch(starts, math.Nextafter(at, math.Inf(1))) // in order, since requests begin in order
		for len(ends) > 0 && ends[0] <= at {
			trend.Leave(units.Seconds(ends[0]))
			ends = ends[1:]
		}
		trend.Arrive(i, units.Seconds(at))
		trend.Wait(i, i-begun)
		begin := max(at, free[first])
		free[first] = begin + s.time(random)
		starts = append(starts, begin)
		place, _ := slices.BinarySearch(ends, free[first])
		ends = slices.Insert(ends, place, free[first])
	}
	return trend
}

func exponential(random *rand.Rand) float64 { return random.ExpFloat64() }

func constant(*rand.Rand) float64 { return 1 }

// verdicts is the shares of runs that are saturated, and that are known not to be.
func verdicts(runs int, trend func(seed uint64) *Trend) (saturated, stable float64) {
	for seed := range uint64(runs) {
		switch is, known := trend(seed).Saturated(1); {
		case is:
			saturated += 1 / float64(runs)
		case known:
			stable += 1 / float64(runs)
		}
	}
	return saturated, stable
}

// TestSaturatedQueues holds the verdicts against queues whose load is known. At a load of
// 0.9 and less at most 1 % are called saturated, however short they are (2 % below 300
// requests), at 1.05 and more at most 3 % are called stable, and what is long enough
// gets the right verdict. docs/metrics.md has the table.
func TestSaturatedQueues(t *testing.T) {
	queues := []struct {
		name string
		service
	}{{"M/M/1", service{1, exponential}}, {"M/D/1", service{1, constant}}, {"M/M/50", service{50, exponential}}}
	long := map[float64]int{0.5: 4000, 0.8: 4000, 0.9: 16000, 1.05: 16000, 1.2: 4000}
	runs := effort.Times(t, 50)
	slack := 3 / math.Sqrt(float64(runs)) // of a share, for few runs
	for _, q := range queues {
		for _, rho := range []float64{0.5, 0.8, 0.9, 1.05, 1.2} {
			for _, n := range []int{100, 300, 1000, 4000, 16000} {
				t.Run(fmt.Sprintf("%s/%v/%d", q.name, rho, n), func(t *testing.T) {
					saturated, stable := verdicts(runs, func(seed uint64) *Trend { return q.trend(rho, n, seed) })
					t.Logf("saturated %.3f, not %.3f, too short to tell %.3f", saturated, stable, 1-saturated-stable)
					most := map[bool]float64{true: 0.02, false: 0.01}[n < 300]
					if rho < 1 && saturated > most+slack*math.Sqrt(most) || rho > 1 && stable > 0.03+slack*math.Sqrt(0.03) {
						t.Errorf("saturated %.3f, not %.3f", saturated, stable)
					}
					if n >= long[rho] && max(saturated, stable) < 0.9-slack*0.3 {
						t.Errorf("saturated %.3f, not %.3f: most should be told", saturated, stable)
					}
				})
			}
		}
	}
}

// line is a run with a gap between arrivals in which waiting(i) requests wait, and are all
// that are in the system, when request i arrives.
func line(n int, gap units.Seconds, waiting func(i int) int) *Trend {
	trend := &Trend{}
	left := 0
	for i := range n {
		at := gap * units.Seconds(i)
		for ; i-left > waiting(i); left++ {
			trend.Leave(at - gap/2)
		}
		trend.Arrive(i, at)
		trend.Wait(i, waiting(i))
	}
	return trend
}

func TestSaturatedEdges(t *testing.T) {
	type verdict struct{ saturated, known bool }
	grows := func(i int) int { return i / 2 }
	for _, c := range []struct {
		name  string
		trend *Trend
		want  verdict
	}{
		{"nothing", &Trend{}, verdict{}},
		{"too few to see anything", line(99, 1, grows), verdict{}},
		{"just enough", line(100, 1, grows), verdict{true, true}},
		{"all at once", line(1000, 0, grows), verdict{}},
		{"a growing backlog", line(1000, 1, grows), verdict{true, true}},
		{"a slowly growing one", line(10000, 1, func(i int) int { return i / 100 }), verdict{true, true}},
		{"nobody ever waits", line(1000, 1, func(int) int { return 0 }), verdict{false, true}},
		{"a steady backlog", line(1000, 1, func(i int) int { return min(i, 500) }), verdict{}},
		{"a backlog that shrinks", line(1000, 1, func(i int) int { return min(i, 500-i/2) }), verdict{}},
		{"growth in the first half alone", line(1000, 1, func(i int) int { return min(i/2, 100) }), verdict{}},
	} {
		saturated, known := c.trend.Saturated(1)
		if got := (verdict{saturated, known}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestBatchThatFills: where nobody waits since the batch is still filling, and where
// nothing ends, the run is too short.
func TestBatchThatFills(t *testing.T) {
	filling, silent := &Trend{}, &Trend{}
	for i := range 200 {
		filling.Arrive(i, units.Seconds(i))
		filling.Wait(i, 0)
		silent.Arrive(i, units.Seconds(i))
		silent.Wait(i, i)
		if i%4 == 3 {
			filling.Leave(units.Seconds(i))
		}
	}
	for name, trend := range map[string]*Trend{"filling": filling, "silent": silent} {
		t.Run(name, func(t *testing.T) {
			if saturated, known := trend.Saturated(1); saturated || known {
				t.Errorf("saturated %t, known %t", saturated, known)
			}
		})
	}
}
