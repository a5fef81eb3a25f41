package planner

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"kneepoint/experiments/runner"
)

// Every shard does every task, its own first, and no task is the own one of two.
func TestOrderHasOwnTasksFirst(t *testing.T) {
	const n = 23
	for _, of := range []int{0, 1, 2, 5, 30} {
		var own []int
		for index := 1; index <= max(of, 1); index++ {
			order := Shard{index, of}.order(n)
			mine := order
			if of > 1 {
				mine = order[:(n-index+of)/of]
			}
			if !slices.IsSorted(mine) {
				t.Errorf("shard %d of %d begins with %v", index, of, mine)
			}
			own = append(own, mine...)
			slices.Sort(order)
			if len(slices.Compact(order)) != n || order[n-1] != n-1 {
				t.Errorf("shard %d of %d does %v", index, of, order)
			}
		}
		slices.Sort(own)
		if len(slices.Compact(slices.Clone(own))) != n || len(own) != n {
			t.Errorf("%d shards have %v as their own", of, own)
		}
	}
}

// finished is a store to which nothing is added.
type finished struct {
	runner.Store
	t *testing.T
}

func (f finished) Put(key string, value any) error {
	if _, note := value.(string); !note {
		f.t.Errorf("simulated: %s %+v", key, value)
	}
	return f.Store.Put(key, value)
}

// planned is what is found of a question with draws, levels and spares, by a shard that shares a store.
func planned(ctx context.Context, s Shard, store runner.Store, progress func(Progress)) (Found, error) {
	candidates := servers(23, 0.1, "a", "b", "a2", "c")
	candidates[2].Option.Unit.Accelerator = "a"
	q := Question{Target: 0.9, Spare: 1, Levels: []float64{0.3, 1}}
	return Find(ctx, candidates, q, Options{Workers: 1, Store: store, Shard: s, Progress: progress,
		Uncertain: slower([][]float64{{0.5, 1}, {1.31, 1}}, [2]float64{0.7, 1.4}, [2]float64{0.5, 2})})
}

// Shards that run at once, one of which is lost, find what one plan finds, and whoever asks then simulates nothing.
func TestShardsMakeThePlan(t *testing.T) {
	alone, err := planned(t.Context(), Shard{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const n = 3
	store := &runner.Memory{}
	found, failed := make([]Found, n), make([]error, n)
	lost, lose := context.WithCancel(t.Context())
	defer lose()
	var shards sync.WaitGroup
	for i := range n {
		shards.Go(func() {
			ctx, progress := t.Context(), func(Progress) {}
			if i == 1 {
				ctx, progress = lost, func(p Progress) {
					if p.Done > 0 {
						lose()
					}
				}
			}
			found[i], failed[i] = planned(ctx, Shard{i + 1, n}, store, progress)
		})
	}
	shards.Wait()
	for i := range n {
		if i == 1 && errors.Is(failed[i], context.Canceled) {
			continue
		}
		if failed[i] != nil || !reflect.DeepEqual(found[i], alone) {
			t.Errorf("shard %d: %+v, %v; alone %+v", i+1, found[i], failed[i], alone)
		}
	}
	for _, s := range []Shard{{}, {2, n}} {
		after, err := planned(t.Context(), s, finished{store, t}, func(p Progress) {
			if p.Stage == Sizing && p.Timed > 0 {
				t.Errorf("%+v, and nothing was simulated", p)
			}
		})
		if err != nil || !reflect.DeepEqual(after, alone) {
			t.Errorf("%+v afterwards: %+v, %v; alone %+v", s, after, err, alone)
		}
	}
}

// A shard passes over what another one is at, which has other accelerators, then looks ahead, and at last does what was lost.
func TestShardPassesOverWhatOthersAreAt(t *testing.T) {
	candidates := servers(97, 0.1, "a", "b", "a2")
	candidates[2].Option.Unit.Accelerator = "a"
	store := &runner.Memory{}
	deals := make([]*deal, 2)
	var open []*sizing
	for i := range deals {
		p := newPlanner(Question{Target: 0.9}, Options{Store: store, Shard: Shard{i + 1, 2}})
		var err error
		if p.pilots, err = p.runPilots(t.Context(), candidates); err != nil {
			t.Fatal(err)
		}
		deals[i], open = p.newDeal(candidates), p.open(candidates)
	}
	next := func(open ...*sizing) string {
		t.Helper()
		i, err := deals[0].next(t.Context(), open)
		if err != nil {
			t.Fatal(err)
		}
		return open[i].Option.Name
	}
	kept := func(s *sizing) bool {
		known, err := deals[0].kept(deals[0].lookOf(s))
		return known && err == nil
	}
	a, b, second := open[0], open[1], open[2]
	if got := next(a, b, second); got != "a" {
		t.Errorf("looks at %s, and a promises most", got)
	}
	if err := deals[1].note(deals[1].lookOf(a)); err != nil {
		t.Fatal(err)
	}
	if got := next(a, b, second); got != "b" || kept(second) {
		t.Errorf("looks at %s while another shard looks at a; looked ahead: %v", got, kept(second))
	}
	if got := next(a, second); got != "a" || !kept(second) || kept(a) {
		t.Errorf("looks at %s; ahead: %v", got, kept(second))
	}
}

// broken is a store that cannot be read.
type broken struct{ runner.Store }

func (broken) Get(string, any) (bool, error) { return false, errors.New("gone") }

// A shard whose store is gone ends, with the error.
func TestShardWithoutItsStore(t *testing.T) {
	candidates := servers(97, 0.1, "a")
	p := newPlanner(Question{Target: 0.9}, Options{Store: &runner.Memory{}, Shard: Shard{1, 2}})
	var err error
	if p.pilots, err = p.runPilots(t.Context(), candidates); err != nil {
		t.Fatal(err)
	}
	p.Store = broken{p.Store}
	if err := p.size(t.Context(), candidates); err == nil || err.Error() != "gone" {
		t.Errorf("%v", err)
	}
}
