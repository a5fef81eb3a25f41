package scaling

import (
	"math"

	"kneepoint/units"
)

// Scaler decides how many replicas a pool has. It is asked in order of time, and may
// remember what it was told: each pool has one of its own.
type Scaler interface {
	// Wanted is how many replicas the pool is to have, those that start included. Its
	// bounds are somebody else's business: see Bounds.
	Wanted(s *Signals) int

	// Next is when it is to be asked after it was asked at a time, or after the start of the
	// run; Never ends it.
	Next(now units.Seconds) units.Seconds
}

// Never is later than any time of a run.
var Never = units.Seconds(math.Inf(1))

// Signals are what a scaler is told of a pool.
type Signals struct {
	Now   units.Seconds
	Since units.Seconds // the last question; 0: the start of the run

	Ready    int // replicas that serve
	Starting int // replicas that are ordered, but not ready
	Draining int // replicas that finish what they have, and take no more

	// Requests by where they are: in the front ends and queues of the pool's replicas, in
	// their batches, and before the fleet's router.
	Waiting, Running, AtRouter int

	MeanRequests float64       // in all three places, as an average over the time since the last question
	BusyFraction float64       // of the time since the last question that ready replicas spent in steps
	KVUse        float64       // share of the KV blocks in use, as an average over the ready replicas
	Ended, Met   int           // requests that ended since the last question, and those of them that met their objective
	Idle         units.Seconds // since when no request is in any of the three places; 0: there are some

	Loads []Load // of the ready replicas
}

// Load is what one replica reports.
type Load struct {
	Replica int // its number
	Waiting int
	KVUse   float64
}

// Replicas are those that the pool has or is to have.
func (s *Signals) Replicas() int { return s.Ready + s.Starting }

// Requests are those in the pool or on their way to it.
func (s *Signals) Requests() int { return s.Waiting + s.Running + s.AtRouter }

// Bounds are the limits of a pool, whatever its scaler wants.
type Bounds struct {
	Min, Max int // replicas; Max of 0: no limit

	// IdleTimeout is how long a pool with a Min of 0 keeps its last replica without
	// requests, and then has none; 0: the scaler decides.
	IdleTimeout units.Seconds
}

// Limit is the number of replicas nearest to the wanted one that the bounds allow. A
// pool with requests has at least one: its first request orders it, whatever was wanted.
func (b Bounds) Limit(wanted int, s *Signals) int {
	wanted = max(wanted, b.Min)
	if b.Min == 0 {
		wanted = b.orNone(wanted, s)
	}
	if b.Max > 0 {
		wanted = min(wanted, b.Max)
	}
	return wanted
}

// orNone is Limit for a pool that may have no replica.
func (b Bounds) orNone(wanted int, s *Signals) int {
	switch {
	case s.Requests() > 0:
		return max(wanted, 1)
	case b.IdleTimeout == 0:
		return wanted
	case s.Replicas() > 0 && s.Idle < b.IdleTimeout:
		return max(wanted, 1)
	default:
		return 0
	}
}

// rounding is more than what numbers of replicas lack of their exact value.
const rounding = 1e-9

// ceil is the least integer that is at least x.
func ceil(x float64) int { return int(math.Ceil(x - rounding)) }
