package experiments

import (
	"slices"
	"testing"

	"gocloud.dev/blob/memblob"

	"kneepoint/experiments/runner"
	"kneepoint/experiments/store"
)

// TestShardsArePartition: every run is in one shard, shards are about as long, and there may be
// more of them than runs.
func TestShardsArePartition(t *testing.T) {
	e := few(t, "tradeoff-matrix")
	for _, n := range []int{1, 2, 3, 7, e.Runs(), e.Runs() + 5} {
		var all []int
		for i := range n {
			part := e.Shard(i+1, n)
			if part == nil || !slices.IsSorted(part) || len(part) > e.Runs()/n+1 || len(part) < e.Runs()/n {
				t.Errorf("%d of %d has %d runs", i+1, n, len(part))
			}
			all = append(all, part...)
		}
		slices.Sort(all)
		if len(slices.Compact(slices.Clone(all))) != e.Runs() || len(all) != e.Runs() {
			t.Errorf("%d shards have %d runs, want each of %d once", n, len(all), e.Runs())
		}
	}
}

// TestShardsMakeTheWhole: what shards have kept is told from what is missing, and together is the
// same bytes as one run of everything.
func TestShardsMakeTheWhole(t *testing.T) {
	kept, err := store.New(t.Context(), memblob.OpenBucket(nil), "memory", "build")
	if err != nil {
		t.Fatal(err)
	}
	e := few(t, "quickstart")
	alone, _ := written(t, e, Options{})
	const n = 3
	for i := range n {
		o := Options{Store: kept, Only: e.Shard(i+1, n)}
		res, err := e.Run(t.Context(), o)
		if err != nil || res.Incomplete != true || len(res.Runs) != len(o.Only) {
			t.Fatalf("%d of %d runs: %v", len(res.Runs), len(o.Only), err)
		}
		there, missing, err := few(t, "quickstart").Kept(Options{Store: kept})
		if err != nil || len(there)+len(missing) != e.Runs() || !containsAll(there, o.Only) || containsAny(missing, o.Only) {
			t.Errorf("after shard %d: %d runs are there, %d missing: %v", i+1, len(there), len(missing), err)
		}
	}
	gathered, p := written(t, few(t, "quickstart"), Options{Store: runner.Store(finished{kept, t})})
	if gathered != alone || p.Kept != e.Runs() {
		t.Errorf("%d runs are gathered: %s", p.Kept, difference(alone, gathered))
	}
}

func containsAll(all, some []int) bool {
	return !slices.ContainsFunc(some, func(x int) bool { return !slices.Contains(all, x) })
}

func containsAny(all, some []int) bool {
	return slices.ContainsFunc(some, func(x int) bool { return slices.Contains(all, x) })
}
