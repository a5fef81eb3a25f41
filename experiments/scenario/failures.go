package scenario

import (
	"fmt"

	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/workloads"
)

// Failure is how replicas of a pool are lost, see sim.Failure: once at a time, or again and
// again with an exponential time between two failures.
type Failure struct {
	Together int           // replicas that are lost at a time; 0: all of the pool
	At       units.Seconds // from the start of the run
	MTBF     units.Seconds // the mean; 0: once, at At

	Detection         units.Seconds  // until it is noticed
	Repair            *units.Seconds // from then until another replica starts in the place of one; nil: none does
	ExponentialRepair bool           // that is the mean; otherwise it always takes as long
	Lose              bool           // the requests in flight; otherwise they are sent again
	Link              bool           // alone fails, not the replica
	Wait              bool           // of transfers until the link is repaired

	Slowdown float64 // times that steps take longer until the repair, instead of a loss; 0: a loss
}

// Restart is a rolling restart of a pool's replicas, see sim.Restart.
type Restart struct {
	At       units.Seconds
	Together int
}

// setFailures sets how replicas of the pool with an index are lost, and when they start anew.
func (p *Pool) setFailures(pool *sim.Pool, s *Scenario, i int) {
	pool.Restart = (*sim.Restart)(p.Restart)
	for n, f := range p.Failures {
		failure := sim.Failure{Together: f.Together, At: f.At, Detection: f.Detection, Lose: f.Lose, Slowdown: f.Slowdown,
			Link: f.Link, Wait: f.Wait}
		if f.MTBF > 0 {
			failure.Until = s.exponential(workloads.StreamFailures, i, n, f.MTBF)
		}
		switch {
		case f.Repair == nil:
		case f.ExponentialRepair:
			failure.Repair = s.exponential(workloads.StreamRepairs, i, n, *f.Repair)
		default:
			failure.Repair = func(int) units.Seconds { return *f.Repair }
		}
		pool.Failures = append(pool.Failures, failure)
	}
}

// exponential are times with a mean, drawn for a purpose of one failure of a pool: what others
// draw changes none of them.
func (s *Scenario) exponential(purpose string, pool, failure int, mean units.Seconds) func(n int) units.Seconds {
	purpose = fmt.Sprintf("%s, %d of pool %d", purpose, failure, pool)
	return func(n int) units.Seconds {
		return mean * units.Seconds(workloads.StreamOf(s.Seed, s.Replication, purpose, n).ExpFloat64())
	}
}
