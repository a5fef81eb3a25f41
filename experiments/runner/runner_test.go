package runner

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/sim/metrics"
)

// TestPanicSparesTheOthers: a simulation that panics is a result with an error.
func TestPanicSparesTheOthers(t *testing.T) {
	var found [3]Result
	err := Run(t.Context(), sequence(small(0), crashing(), small(1)), Options{Workers: 2, Done: func(r Result) { found[r.Index] = r }})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 2} {
		if found[i].Err != nil || found[i].Outcome.Metrics["completed"] != 20 {
			t.Errorf("scenario %d: %v, %v requests", i, found[i].Err, found[i].Outcome.Metrics["completed"])
		}
	}
	if err := found[1].Err; err == nil || !strings.Contains(err.Error(), "index out of range") {
		t.Errorf("the panic is reported as %v", err)
	}
}

// TestNothingTwice: neither an equal scenario of a sequence nor one whose outcome
// is in the store is simulated again.
func TestNothingTwice(t *testing.T) {
	store := &counting{}
	same := func(r Result) {
		if r.Err != nil || r.Outcome.Metrics["completed"] != 20 {
			t.Errorf("scenario %d: %v", r.Index, r.Err)
		}
		store.told++
	}
	for range 2 {
		if err := Run(t.Context(), sequence(small(0), small(0), small(1), small(0)), Options{Workers: 2, Store: store, Done: same}); err != nil {
			t.Fatal(err)
		}
	}
	if store.puts != 2 || store.told != 8 {
		t.Errorf("%d outcomes are kept and %d told, want 2 and 8", store.puts, store.told)
	}
}

// counting counts what is put into it.
type counting struct {
	Memory
	mutex      sync.Mutex
	puts, told int
}

func (c *counting) Put(key string, o any) error {
	c.mutex.Lock()
	c.puts++
	c.mutex.Unlock()
	return c.Memory.Put(key, o)
}

// TestStoreFailure: what the store refuses ends the run.
func TestStoreFailure(t *testing.T) {
	made := 0
	endless := func(yield func(scenario.Scenario) bool) {
		for yield(small(made)) {
			made++
		}
	}
	err := Run(t.Context(), endless, Options{Workers: 2, Store: full{}})
	if !errors.Is(err, errFull) {
		t.Errorf("the error is %v, want that of the store", err)
	}
}

var errFull = errors.New("the store is full")

// full takes nothing.
type full struct{}

func (full) Put(string, any) error { return errFull }

// Get implements Store.
func (full) Get(string, any) (bool, error) { return false, nil }

// TestSequenceIsLazy: a run takes no more of an endless sequence than its workers
// are busy with, and ends when it is cancelled.
func TestSequenceIsLazy(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	const workers = 2
	made, ended := 0, 0
	endless := func(yield func(scenario.Scenario) bool) {
		for yield(small(made)) {
			made++
		}
	}
	err := Run(ctx, endless, Options{Workers: workers, Done: func(Result) {
		if ended++; ended == 50 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want %v", err, context.Canceled)
	}
	if made > ended+3*workers {
		t.Errorf("%d scenarios were made for %d outcomes", made, ended)
	}
}

// TestInterruptedRunsAreNotTold: a simulation that a cancellation interrupts has
// neither an outcome nor an error; records that waited for it are passed on.
func TestInterruptedRunsAreNotTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	endless := small(0)
	endless.Traffic.NumRequests = 100_000_000
	var told, recorded []int
	err := Run(ctx, sequence(endless, small(1), small(2)), Options{Workers: 2,
		Done: func(r Result) {
			if told = append(told, r.Index); len(told) == 2 {
				cancel()
			}
		},
		Records: func(index int, _ results.Outcome, _ *metrics.Record) error {
			recorded = append(recorded, index)
			return nil
		}})
	if want := []int{1, 2}; !errors.Is(err, context.Canceled) || !slices.Equal(told, want) || !slices.Equal(recorded, want) {
		t.Errorf("%v: outcomes %v and records %v, want %v", err, told, recorded, want)
	}
}

// TestRecordsInOrder: records come in the order of the sequence, of equal scenarios
// each its own, and without those that failed; few wait for one that takes long.
func TestRecordsInOrder(t *testing.T) {
	long := small(0)
	long.Traffic.NumRequests = 20_000
	scenarios := []scenario.Scenario{long, long, small(0), crashing()}
	for i := range 100 {
		scenarios = append(scenarios, small(i))
	}
	var order []int
	first := 0 // outcomes before the first record
	err := Run(t.Context(), sequence(scenarios...), Options{Workers: 2,
		Done: func(Result) {
			if len(order) == 0 {
				first++
			}
		},
		Records: func(index int, o results.Outcome, rec *metrics.Record) error {
			order = append(order, index)
			if n := scenarios[index].Traffic.NumRequests; len(rec.Requests) != n || o.Metrics["completed"] != float64(n) {
				t.Errorf("scenario %d has a record of %d requests, want %d", index, len(rec.Requests), n)
			}
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if len(order) != len(scenarios)-1 || !slices.IsSorted(order) || slices.Contains(order, 3) {
		t.Errorf("records come in the order %v", order)
	}
	if first > 2*lookAhead {
		t.Errorf("%d outcomes waited for the first record, want at most %d", first, 2*lookAhead)
	}
}
