package metrics

import (
	"math"
	"testing"
)

// TestTimelineOfReplicas: a replica starts from its order until it is ready, and serves until it
// is released or the run ends; what lies outside the run or the window does not count.
func TestTimelineOfReplicas(t *testing.T) {
	rec := &Record{Started: 100, Ended: 130}
	rec.Pools = []PoolRecord{{Name: "a", Blocks: 10, BlockSize: 2}, {Name: "b"}}
	for pool, all := range [][]ReplicaRecord{
		{{}, {Ordered: 105, Ready: 115}, {Ordered: 0, Released: 110}, {Ordered: 50, Ready: 120, Released: 112}, {Ordered: 125, Ready: 140}},
		{{Ordered: 140, Ready: 150}, {Ready: 90}},
	} {
		for _, r := range all {
			*rec.Pools[pool].AddReplica() = r
		}
	}
	timeline := NewTimeline(0, 20, 2)
	timeline.Begin(100)
	timeline.AddReplicas(rec)
	for pool, want := range [][2][2]float64{ // serving and starting, bucket by bucket
		{{1 + 1, 0.5 + 1}, {1 + 0.5, 0.5 + 0.2}},
		{{1, 0}, {1, 0}},
	} {
		for i, b := range timeline.Pool(pool) {
			serving, starting := b.Serving/10, b.Starting/10
			if math.Abs(serving-want[i][0]) > 1e-9 || math.Abs(starting-want[i][1]) > 1e-9 || math.Abs(b.KVRoom-b.Serving*float64(20*(1-pool))) > 1e-9 {
				t.Errorf("pool %d, bucket %d: %v serve and %v start, want %v", pool, i, serving, starting, want[i])
			}
		}
	}
	if timeline.Pools[1].Name != "b" || timeline.Whole()[0].Serving != 30 {
		t.Errorf("%+v", timeline.Pools)
	}
}

// TestTimelineJudges: requests that meet the objective of their class count where they arrived,
// once they have ended.
func TestTimelineJudges(t *testing.T) {
	timeline := NewTimeline(0, 4, 4)
	timeline.Classes = []Objective{{E2EL: 2}, {}}
	timeline.Begin(10)
	rec := &Record{Timeline: timeline}
	for id, r := range []Request{
		{Arrival: 10, Last: 11, State: Completed}, {Arrival: 10, Last: 13, State: Completed}, {Arrival: 11, Last: 99, State: Completed, Class: 1},
		{Arrival: 12, State: Rejected}, {Arrival: 12, Last: 13, State: TimedOut, Class: 1}, {Arrival: 15, Last: 16, State: Completed},
	} {
		rec.Open(id, Request{Arrival: r.Arrival})
		*rec.Of(id) = r
		rec.Close(id)
	}
	for i, want := range []float64{1, 1, 0, 0} {
		if got := timeline.Fleet[i].Met; got != want {
			t.Errorf("%v of those that arrive in bucket %d meet their objective, want %v", got, i, want)
		}
	}
}
