package scenario

import (
	"slices"

	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// Scenario is one simulation, as a plain value: it has no function and no path, and
// its pointers are to values that do not change: builders keep them, and scenarios
// share them. Its outcome is stored under its Key.
type Scenario struct {
	Pools []Pool
	Fleet Fleet

	// Order names how the queues are ordered: an entry of policies.Orders.
	Order string

	// Traffic is the workload. The path of a trace is the digest of its rows,
	// which Traces resolves: where they came from changes nothing.
	Traffic workloads.Spec

	Objectives Objectives
	Measure    Measure
	Site       metrics.Site

	// Seed and Replication determine all random draws: arrivals, lengths, acceptance.
	// Scenarios that have both in common have the same draws.
	Seed        uint64
	Replication int

	// Draw numbers a sample of the uncertain constants, which the deployments hold;
	// 0 is the constants as they are stated. It tells samples apart that happen to
	// be equal, and changes nothing else.
	Draw int
}

// Pool is a number of equal replicas. Its name tells pools apart in results; it is
// empty where there is one, so that strategies which differ in nothing but their
// names are one scenario.
type Pool struct {
	Name       string
	Role       string   // prefill or decode; empty: both
	Replicas   int      // at the start of the run
	Scaling    *Scaling // nil: there are always as many
	Startup    *Startup // of replicas that are ordered during a run; nil: they take requests at once
	Failures   []Failure
	Restart    *Restart // nil: none
	Weight     float64  // of a replica, for routers that read it; 0: 1
	Classes    []int    // of the requests that it serves; nil: all
	Deployment Deployment
	Strategy   Strategy
}

// Objectives are what requests are held against: their class's objective where
// there are classes, else that of all.
type Objectives struct {
	All     metrics.Objective
	Classes []metrics.Objective

	// Share of the requests, whose latencies are recorded beside the percentiles of every
	// run; 0: none. It is the attainment that is asked for where that is at none of these:
	// else scenarios do not depend on it.
	Share float64
}

// Bound tells whether requests are held against anything.
func (o *Objectives) Bound() bool {
	var none metrics.Objective
	return o.All != none || slices.ContainsFunc(o.Classes, func(own metrics.Objective) bool { return own != none })
}

// BoundGaps tells whether gaps between tokens are bounded, of any request.
func (o *Objectives) BoundGaps() bool { return o.gapBounds() != nil }

// gapBounds are by class what gaps between tokens are held against; nil where none is.
func (o *Objectives) gapBounds() []units.Seconds {
	classes := o.Classes
	if len(classes) == 0 {
		classes = []metrics.Objective{o.All}
	}
	bounds, any := make([]units.Seconds, len(classes)), false
	for class, own := range classes {
		bounds[class], any = own.ITL, any || own.ITL > 0
	}
	if !any {
		return nil
	}
	return bounds
}

// Measure says which part of a run counts, when it ends, and how it is simulated.
type Measure struct {
	Warmup, Cooldown Trim
	Drain            bool          // the run goes on after the last arrival until every request has ended
	MaxTime          units.Seconds // 0: no limit

	// Streaming keeps no request once it has ended: percentiles of latencies are
	// within metrics.HistogramResolution, in constant memory.
	Streaming bool

	// Reference simulates step by step instead of in stretches. It agrees to
	// rounding, so that its outcomes have keys of their own.
	Reference bool
}

// Trim is what is cut off one end of a run: a time, or a fraction of the
// arrivals, at least 0 and less than 1.
type Trim struct {
	Time     units.Seconds
	Fraction float64
}
