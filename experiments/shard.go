package experiments

import (
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
)

// Shard is the numbers of the runs that are the i-th of n parts, from the first to the n-th,
// of which each takes about as long: every n-th in the order in which all are simulated. What
// one part has does not depend on the others.
func (e *Experiment) Shard(i, n int) []int {
	order, part := e.simulationOrder(false), []int{}
	for at := i - 1; at < len(order); at += n {
		part = append(part, order[at])
	}
	slices.Sort(part)
	return part
}

// ShardsOf are the shards, of n, that have any of some runs, in order, as the runs must be.
func (e *Experiment) ShardsOf(runs []int, n int) []int {
	var shards []int
	for at, run := range e.simulationOrder(false) {
		if _, has := slices.BinarySearch(runs, run); has {
			shards = append(shards, at%n+1)
		}
	}
	slices.Sort(shards)
	return slices.Compact(shards)
}

// Kept is the numbers of the runs that are wanted and that the store of some options has, and of
// those that it has not, in order.
func (e *Experiment) Kept(o Options) (kept, missing []int, err error) {
	wanted := e.wanted(o)
	slices.Sort(wanted)
	for _, run := range wanted {
		s := e.simulated(run, o)
		known, err := o.Store.Get(s.Key(), &results.Outcome{})
		switch {
		case err != nil:
			return nil, nil, err
		case known:
			kept = append(kept, run)
		default:
			missing = append(missing, run)
		}
	}
	return kept, missing, nil
}

// KeepShards notes in the store of some options that the runs are simulated in n shards.
func (e *Experiment) KeepShards(o Options, n int) error { return o.Store.Put(e.shardsKey(o), n) }

// KeptShards is the number of shards that the last call of KeepShards noted, 0 without one.
func (e *Experiment) KeptShards(o Options) (n int, err error) {
	_, err = o.Store.Get(e.shardsKey(o), &n)
	return n, err
}

// shardsKey is the key of the number of shards: a hash of those of all runs.
func (e *Experiment) shardsKey(o Options) string {
	parts := []any{"shards"}
	for run := range e.Runs() {
		s := e.simulated(run, o)
		parts = append(parts, s.Key())
	}
	return runner.Key(parts...)
}
