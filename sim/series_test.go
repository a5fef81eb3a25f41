package sim

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestCostOfASeries: the sums over several steps are those of the steps one by one, of
// bytes, FLOPs and the link's bytes alike.
func TestCostOfASeries(t *testing.T) {
	s := series{first: hardware.Cost{Bytes: 1, FLOPs: 2, LinkBytes: 3}, slope: hardware.Cost{Bytes: 10, FLOPs: 20, LinkBytes: 30}, limit: 9, taken: 2}
	var want hardware.Cost
	for j := 2; j < 5; j++ {
		want.Bytes += s.first.Bytes + units.Bytes(j)*s.slope.Bytes
		want.FLOPs += s.first.FLOPs + units.FLOPs(j)*s.slope.FLOPs
		want.LinkBytes += s.first.LinkBytes + units.Bytes(j)*s.slope.LinkBytes
	}
	if got := s.costOf(3); got != want {
		t.Errorf("steps 2 to 4 cost %+v, want %+v", got, want)
	}
}

// bent is a cost of the context, of at least 10.
type bent struct{ hardware.Plain }

// Step implements hardware.CostModel.
func (bent) Step(w *hardware.Work) hardware.Cost {
	return hardware.Cost{Time: units.Seconds(max(10, w.DecodeContext)), Bytes: 1, FLOPs: units.FLOPs(w.DecodeContext)}
}

// TestSeriesEndsAtABend: a series is as long as the batch stays the same where its cost is
// affine, and where that bends no longer than the formula holds: at every step that it
// promises, the ends of steps are what the steps take one by one.
func TestSeriesEndsAtABend(t *testing.T) {
	const steps = 64
	for from, want := range map[int64]int{0: 8, 5: 4, 8: 2, 9: 2, 10: 64, 100: 64, -100: 64, -53: 64, -52: 32} {
		pool := Pool{Batching: continuous(1, 1), Cost: bent{}, Blocks: 1, BlockSize: 1}
		m := newMachine(&fleet{config: &Config{Pools: []Pool{pool}}, record: metrics.Record{Pools: make([]metrics.PoolRecord, 1)}}, 0, 0)
		m.step.work = hardware.Work{DecodeRows: 1, DecodeContext: from}
		s := m.newSeries(m.pool.Cost.Step(&m.step.work), contextGrowth{steps: steps, context: 1})
		if s.limit != want {
			t.Errorf("from %d on the series has %d steps, want %d", from, s.limit, want)
		}
		end := units.Seconds(0)
		for k := 1; k <= s.limit; k++ {
			end += units.Seconds(max(10, from+int64(k-1)))
			if got := s.endOf(k); math.Abs(float64(got-end)) > 1e-9 {
				t.Errorf("from %d on step %d ends at %v, want %v", from, k, got, end)
			}
		}
	}
}
