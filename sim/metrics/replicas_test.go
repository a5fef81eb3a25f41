package metrics

import (
	"math"
	"testing"

	"kneepoint/units"
)

// TestImbalance: of two replicas one has three requests all the time and the other one. Of
// those that come and go count, at each moment, those that are there.
func TestImbalance(t *testing.T) {
	nan := math.NaN()
	constant := func(load int, ordered, released units.Seconds) *ReplicaRecord {
		r := &ReplicaRecord{Ordered: ordered, Released: released, Totals: Totals{Requests: 2, GeneratedTokens: 40}}
		from, to := max(10, ordered), units.Seconds(30)
		if released > 0 {
			to = min(to, released)
		}
		if from < to {
			r.Load.Hold(from, 0)
			r.Load.Hold(to, load)
			r.Totals.Occupied = (to - from) * units.Seconds(min(load, 1))
		}
		return r
	}
	always := func(load int) *ReplicaRecord { return constant(load, 0, 0) }
	for name, c := range map[string]struct {
		pools [][]*ReplicaRecord
		want  map[string]float64
	}{
		"one":    {[][]*ReplicaRecord{{always(3)}}, map[string]float64{Replicas: 1, LoadImbalance: nan, IdleShare: 0}},
		"even":   {[][]*ReplicaRecord{{always(3), always(3)}}, map[string]float64{LoadImbalance: 1}},
		"uneven": {[][]*ReplicaRecord{{always(3), always(1)}}, map[string]float64{Replicas: 2, LoadImbalance: 1.5, RoutedRequests: 4, GenerationThroughput: 4}},
		"idle":   {[][]*ReplicaRecord{{always(3), always(0)}}, map[string]float64{LoadImbalance: 2, IdleShare: 0.5}},
		"the worse pool": {[][]*ReplicaRecord{{always(3), always(3)}, {always(5)}, {always(3), always(1)}, {always(0), always(0)}},
			map[string]float64{Replicas: 7, LoadImbalance: 1.5}},
		"even while it is there":   {[][]*ReplicaRecord{{always(2), constant(2, 0, 20), constant(2, 25, 99)}}, map[string]float64{Replicas: 1.75, LoadImbalance: 1, IdleShare: 0}},
		"uneven while it is there": {[][]*ReplicaRecord{{always(2), constant(6, 20, 0)}}, map[string]float64{Replicas: 1.5, LoadImbalance: 1.5}},
		"one at a time":            {[][]*ReplicaRecord{{constant(2, 0, 20), constant(6, 20, 0)}}, map[string]float64{Replicas: 1, LoadImbalance: nan}},
		"before and after":         {[][]*ReplicaRecord{{constant(0, 0, 5), constant(0, 30, 0), constant(0, 31, 40)}}, map[string]float64{Replicas: 0, LoadImbalance: nan, IdleShare: nan}},
		"no load":                  {[][]*ReplicaRecord{{always(0), always(0)}}, map[string]float64{LoadImbalance: nan, IdleShare: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			rec := &Record{Started: 10, Ended: 30}
			for _, replicas := range c.pools {
				rec.Pools = append(rec.Pools, PoolRecord{Replicas: replicas})
			}
			rec.AddUp()
			v := Values{}
			v.setReplicas(rec, rec.Pools)
			checkValues(t, v, c.want)
		})
	}
}

// TestSamples: a number that grows by one a second is found at every moment that is kept,
// however the times of its changes lie, and those are never more than mostSamples.
func TestSamples(t *testing.T) {
	for _, gap := range []float64{1e-4, 0.3, 1, 17, 5000} {
		var s Samples
		last := 0
		for n := range 3000 {
			last = int(float64(n+1) * gap)
			s.Hold(units.Seconds(float64(n+1)*gap), int(float64(n)*gap))
			if len(s.numbers) > mostSamples {
				t.Fatalf("%d samples", len(s.numbers))
			}
		}
		if gap > 1 && len(s.numbers) < mostSamples/2 {
			t.Errorf("%d samples of changes every %v s", len(s.numbers), gap)
		}
		for moment := units.Seconds(0); moment <= units.Seconds(last); moment += s.every {
			want := max(0, math.Ceil(float64(moment)/gap)-1) * gap // held up to and including the next change
			if got := s.at(moment); math.Abs(got-math.Floor(want)) > 1 {
				t.Errorf("at %v it is %v, want %v", float64(moment), got, want)
			}
		}
		if s.at(s.due) != 0 {
			t.Error("there is a number after the end")
		}
	}
}
