package experiments

import (
	"slices"

	"kneepoint/experiments/results"
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

// Kept is the numbers of the runs that the store of some options has, and of those that it has
// not, in order.
func (e *Experiment) Kept(o Options) (kept, missing []int, err error) {
	for run := range e.Runs() {
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
