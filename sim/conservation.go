package sim

import (
	"errors"
	"fmt"
	"slices"

	"kneepoint/units"
)

// flow counts the requests that came to a fleet, and those of them that left it.
type flow struct{ offered, completed, refused int }

// ErrClock is the error of a run that goes on after the time up to which the clock is exact.
var ErrClock = errors.New("a year, in which the clock tells nanoseconds, is the longest; " +
	"fewer requests, higher rates or faster hardware end a run before, or measure.max_time")

// checkClock is an error where a run goes on, or would, after the time up to which the clock
// is exact.
func checkClock(at units.Seconds) error {
	if at <= units.Longest {
		return nil
	}
	return fmt.Errorf("the run goes on after %.3g s of simulated time: %w", float64(at), ErrClock)
}

// stopsBefore tells whether nothing happens any more at a time: it is after the end of the
// run, or after that up to which the clock is exact, which is a failure. A run that
// gets nowhere ends so.
func (f *fleet) stopsBefore(at units.Seconds) bool {
	if at <= f.cut && at <= units.Longest {
		return false
	}
	if f.failure == nil && at <= f.cut && at < forever {
		f.failure = checkClock(at)
	}
	return true
}

// checkConservation panics where a request was lost or counted twice, which is a fault of
// the engine: at the end of a run those that came have completed, were refused, or are at the
// router or in a replica. Unless something cut the run short none is, and as many came as were to come.
func (f *fleet) checkConservation() {
	inside := f.atRouter - f.reserved // which are elsewhere, too
	for _, r := range f.replicas {
		if r.stage != gone {
			inside += r.requests()
		}
	}
	problem := ""
	switch expected := f.config.Requests; {
	case f.flow.offered != f.flow.completed+f.flow.refused+inside:
		problem = "requests were lost"
	case inside > f.stranded() && f.cut == forever:
		problem = "requests were left over"
	case expected > 0 && f.flow.offered != expected && f.config.MaxTime == 0 && f.stranded() == 0:
		problem = fmt.Sprintf("%d requests were to come", expected)
	case inside == 0 && f.holdsAny():
		problem = "memory was not given back"
	default:
		return
	}
	panic(fmt.Sprintf("sim: %s: %d came, %d completed, %d were refused, and %d were inside at the end, after %v",
		problem, f.flow.offered, f.flow.completed, f.flow.refused, inside, f.record.Ended))
}

// holdsAny tells whether something is held or on its way for requests that have ended: what a
// replica gives back later than its last request ends, as with a step under way, is left out.
func (f *fleet) holdsAny() bool {
	if f.reserved != 0 || f.arriving != 0 || f.network.isBusy() {
		return true
	}
	return slices.ContainsFunc(f.replicas, func(r *replica) bool {
		return r.stage != gone && (r.arriving != 0 || len(r.lent) > 0 || r.pool.Role != Both && r.memory.used() > r.leftOver())
	})
}

// leftOver is the blocks of the sequences that have ended with the last step.
func (m *machine) leftOver() int {
	blocks := 0
	for _, s := range m.ended {
		blocks += s.Blocks
	}
	return blocks
}

// requests is the number of requests in the replica.
func (m *machine) requests() int { return len(m.frontEnd.minHeap) + m.backlog() + m.size }
