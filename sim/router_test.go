package sim

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
)

// fewest sends a request to the replica with the fewest, of several the first.
type fewest struct{}

// Route implements routing.Router.
func (fewest) Route(_ *routing.Request, replicas routing.Replicas) int {
	best := 0
	for i := range replicas.Len() {
		if replicas.At(i).Requests() < replicas.At(best).Requests() {
			best = i
		}
	}
	return best
}

// roomiest sends a request to the replica with the most free blocks, of several the
// first: what a stretch has taken by then must show.
type roomiest struct{}

// Route implements routing.Router.
func (roomiest) Route(_ *routing.Request, replicas routing.Replicas) int {
	best := 0
	for i := range replicas.Len() {
		if replicas.At(i).FreeBlocks > replicas.At(best).FreeBlocks {
			best = i
		}
	}
	return best
}

// looking looks at every replica and sends requests in turn all the same.
type looking struct{}

// Route implements routing.Router.
func (looking) Route(r *routing.Request, replicas routing.Replicas) int {
	for i := range replicas.Len() {
		replicas.At(i)
	}
	return r.ID % replicas.Len()
}

// A router that looks changes nothing, but where steps are taken together.
func TestLookingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t)
		s.config.Router, s.config.Queue = nil, nil // where replicas leave and join, in turn means something else
		s.constant()
		blind, err := Run(context.Background(), s.fresh())
		if err != nil {
			t.Fatal(err)
		}
		s.config.Router = always(looking{})
		seeing, err := Run(context.Background(), s.fresh())
		if err != nil {
			t.Fatal(err)
		}
		sameRequests(t, blind, seeing)
		sameTotals(t, blind, seeing)
	})
}

// views notes the free blocks that the first replica shows.
type views struct{ free *[]int }

// Route implements routing.Router.
func (v views) Route(_ *routing.Request, replicas routing.Replicas) int {
	*v.free = append(*v.free, replicas.At(0).FreeBlocks)
	return 0
}

// TestViewAtTheEndOfAStep: a request that arrives at the very end of steps that are
// taken together sees the last of them still under way, as if it were taken alone.
func TestViewAtTheEndOfAStep(t *testing.T) {
	for _, reference := range []bool{false, true} {
		t.Run(fmt.Sprintf("reference %t", reference), func(t *testing.T) {
			var free []int
			traffic := &scripted{clients: 2}
			traffic.add(0, 1, 8)
			traffic.add(8, 1, 1)
			config := written(traffic, 10, continuous(8, 8)())
			config.Router, config.Reference = always(views{&free}), reference
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
			if want := []int{10, 6}; !slices.Equal(free, want) {
				t.Errorf("%v blocks are free, want %v", free, want)
			}
		})
	}
}

// viewsOfFirst notes the free blocks that the first replica shows, and sends it the first
// requests.
type viewsOfFirst struct {
	free     *[]int
	requests int
}

// Route implements routing.Router.
func (v viewsOfFirst) Route(r *routing.Request, replicas routing.Replicas) int {
	*v.free = append(*v.free, replicas.At(0).FreeBlocks)
	if r.ID < v.requests {
		return 0
	}
	return 1
}

// TestViewWhenAnotherReplicaEnds: in a closed loop all that ends at a time ends before a
// client's next request is routed. Under asynchronous scheduling the blocks of a request
// that ended at 1 come free at 2, also where the steps that follow are taken together.
func TestViewWhenAnotherReplicaEnds(t *testing.T) {
	for _, reference := range []bool{false, true} {
		t.Run(fmt.Sprintf("reference %t", reference), func(t *testing.T) {
			var free []int
			traffic := &scripted{clients: 3}
			traffic.add(0, 1, 1) // to the first replica, until 1
			traffic.add(0, 1, 8) // to the first replica
			traffic.add(0, 1, 2) // to the second one, until 2
			traffic.add(0, 1, 8) // comes at 1
			traffic.add(0, 1, 8) // comes at 2
			config := written(traffic, 10, continuous(8, 8)(), continuous(8, 8)())
			config.Router, config.Reference, config.Pools[0].AsyncScheduling = always(viewsOfFirst{&free, 2}), reference, true
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
			if want := []int{10, 10, 10, 8, 9}; !slices.Equal(free, want) {
				t.Errorf("%v blocks are free, want %v", free, want)
			}
		})
	}
}

// astray names a replica that is not there.
type astray int

// Route implements routing.Router.
func (a astray) Route(*routing.Request, routing.Replicas) int { return int(a) }

func TestRouterThatGoesAstray(t *testing.T) {
	for _, to := range []astray{-1, 1} {
		traffic := &scripted{}
		traffic.add(1, 1, 1)
		config := written(traffic, 10, continuous(8, 8)())
		config.Router = always(to)
		if rec, err := Run(context.Background(), config); err == nil || rec != nil {
			t.Errorf("a request went to replica %d of 1: %v, %v", to, rec, err)
		}
	}
}

func TestNoReplicas(t *testing.T) {
	for _, pools := range [][]Pool{nil, {{}}} {
		if rec, err := Run(context.Background(), Config{Traffic: &scripted{clients: 1}, Pools: pools}); err == nil || rec != nil {
			t.Errorf("pools %v: %v, %v", pools, rec, err)
		}
	}
}

// byClass sends each class to a replica of its own.
type byClass struct{}

// Route implements routing.Router.
func (byClass) Route(r *routing.Request, _ routing.Replicas) int { return r.Class }

// TestPoolsAreIndependent: two pools of different kinds, each of which gets one
// class of requests, do what they would do in runs of their own.
func TestPoolsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := []Config{written(nil, 40, continuous(4, 50)()), written(nil, 7, &policies.Static{BatchSize: 2})}
		kinds[1].Pools[0].Cost = &hardware.Synthetic{StepFixed: 0.3, PerPrefillToken: 0.1}
		kinds[1].Pools[0].BlockSize, kinds[1].Pools[0].Reserve = 5, policies.ReserveDeclared
		kinds[1].Pools[0].FrontEnd = func(prompt int) units.Seconds { return 0.01 * units.Seconds(prompt) }
		both, apart := &scripted{}, []*scripted{{}, {}}
		at := units.Seconds(0)
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			at += units.Seconds(rapid.SampledFrom([]float64{0, 0.2, 1, 3}).Draw(t, "gap"))
			input, output := rapid.IntRange(1, 9).Draw(t, "input"), rapid.IntRange(1, 12).Draw(t, "output")
			class := rapid.IntRange(0, 1).Draw(t, "class")
			both.add(at, input, output)
			both.requests[len(both.requests)-1].Class = class
			apart[class].add(at, input, output)
		}
		together := Config{Traffic: both, Router: always(byClass{}), Drain: true, Pools: []Pool{kinds[0].Pools[0], kinds[1].Pools[0]}}
		together.Pools[0].Batching, together.Pools[1].Batching = continuous(4, 50), static(2)
		rec, err := Run(context.Background(), together)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		for class := range kinds {
			kinds[class].Traffic = apart[class]
			alone, err := Run(context.Background(), kinds[class])
			if err != nil {
				t.Fatal(err)
			}
			next := 0
			for _, r := range rec.Requests {
				if int(r.Class) != class {
					continue
				}
				if q := alone.Requests[next]; r.First != q.First || r.Last != q.Last || r.State != q.State {
					t.Fatalf("class %d, request %d: %+v with the other pool, %+v alone", class, next, r, q)
				}
				next++
			}
			if a, b := rec.Pools[class].Totals, alone.Pools[0].Totals; next > 0 && (a.Steps != b.Steps || !near(float64(a.Busy), float64(b.Busy)) || a.KVMax != b.KVMax) {
				t.Fatalf("pool %d: %+v with the other pool, %+v alone", class, a, b)
			}
		}
	})
}
