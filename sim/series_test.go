package sim

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestCostOfASeries: the sums over several steps are those of the steps one by one, of
// bytes, FLOPs, the link's bytes and energy alike.
func TestCostOfASeries(t *testing.T) {
	s := series{first: hardware.Cost{Bytes: 7, FLOPs: 11, LinkBytes: 13, Energy: 17}, slope: hardware.Cost{Bytes: 10, FLOPs: 20, LinkBytes: 30, Energy: 40}, limit: 9, taken: 2}
	var want hardware.Cost
	for j := 2; j < 5; j++ {
		want.Bytes += s.first.Bytes + units.Bytes(j)*s.slope.Bytes
		want.FLOPs += s.first.FLOPs + units.FLOPs(j)*s.slope.FLOPs
		want.LinkBytes += s.first.LinkBytes + units.Bytes(j)*s.slope.LinkBytes
		want.Energy += s.first.Energy + float64(j)*s.slope.Energy
	}
	if got := s.costOf(3); got != want {
		t.Errorf("steps 2 to 4 cost %+v, want %+v", got, want)
	}
}

// growing is a cost with a price of its own for everything that grows.
type growing struct{ hardware.Plain }

// Step implements hardware.CostModel.
func (growing) Step(w *hardware.Work) hardware.Cost {
	c, window, padding := float64(w.DecodeContext), float64(w.DecodeWindowContext), float64(w.PaddingContext)
	return hardware.Cost{Time: units.Seconds(1 + 2*c + 3*window + 5*padding), Bytes: units.Bytes(7 + 11*c + 13*window + 17*padding),
		FLOPs: units.FLOPs(19 + 23*c + 29*window + 31*padding), LinkBytes: units.Bytes(37 + 41*c + 43*window + 47*padding),
		Energy: 53 + 59*c + 61*window + 67*padding}
}

// TestSeriesGrows: by all that grows in a step, of everything that a step costs.
func TestSeriesGrows(t *testing.T) {
	pool := Pool{Batching: continuous(1, 1), Cost: growing{}, Blocks: 1, BlockSize: 1}
	m := newMachine(&fleet{config: &Config{Pools: []Pool{pool}}, record: metrics.Record{Pools: make([]metrics.PoolRecord, 1)},
		views: []*policies.Aggregate{newView(&pool, false)}}, 0, 0)
	m.step.work = hardware.Work{DecodeRows: 6, DecodeContext: 100, DecodeWindowContext: 50, PaddingContext: 10}
	g := contextGrowth{steps: 9, context: 6, windowContext: 4, padding: 2}
	var s series
	m.fitSeries(&s, g)
	want := (hardware.Cost{Time: 2*6 + 3*4 + 5*2, Bytes: 11*6 + 13*4 + 17*2, FLOPs: 23*6 + 29*4 + 31*2, LinkBytes: 41*6 + 43*4 + 47*2, Energy: 59*6 + 61*4 + 67*2})
	if s.slope != want || s.limit != 9 {
		t.Errorf("%d steps that grow by %+v, want 9 by %+v", s.limit, s.slope, want)
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
		m := newMachine(&fleet{config: &Config{Pools: []Pool{pool}}, record: metrics.Record{Pools: make([]metrics.PoolRecord, 1)},
			views: []*policies.Aggregate{newView(&pool, false)}}, 0, 0)
		m.step.work = hardware.Work{DecodeRows: 1, DecodeContext: from}
		var s series
		m.fitSeries(&s, contextGrowth{steps: steps, context: 1})
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

// TestTimesOfASeries: the time for which blocks are held that every so many steps take, until a later one, is summed up as one by
// one, also behind steps that are taken.
func TestTimesOfASeries(t *testing.T) {
	const blocks = 5
	for _, slope := range []units.Seconds{0, 0.01, -0.001} {
		s := series{anchor: 100, first: hardware.Cost{Time: 0.3}, slope: hardware.Cost{Time: slope}, taken: 7}
		for _, period := range []int{1, 3, 16} {
			for step := range 5 {
				for number := range 4 {
					want, n := 0.0, step+period*number
					for i := range number {
						want += float64(s.endOf(n) - s.endOf(step+i*period))
					}
					var taken takenBlocks
					if taken.add(blocks, step+s.taken, period, number); taken.number != blocks*number {
						t.Errorf("%d blocks %d times are %d", blocks, number, taken.number)
					}
					if got := taken.until(&s, n); math.Abs(got-blocks*want) > 1e-11 {
						t.Errorf("%d times from step %d on, each %d later, growing by %v: %v, want %v", number, step, period, slope, got, blocks*want)
					}
				}
			}
		}
	}
}
