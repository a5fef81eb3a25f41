package experiments

import (
	"fmt"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// FailureSpec is one [[fleet.failure]] table: how replicas are lost, with all that is in
// their memory, or become slow, or their links to others.
type FailureSpec struct {
	Name               string         `toml:"name"` // in paths of keys; empty: there is no path to it
	Pool               string         `toml:"pool"` // empty: each pool has such failures
	Of                 string         `toml:"of" oneof:"replica node pool"`
	Component          string         `toml:"component" oneof:"replica link"` // that fails of each
	ReplicasPerNode    int            `toml:"replicas_per_node" check:"positive" most:"100000" only:"of=node"`
	At                 *units.Seconds `toml:"at" check:"nonnegative"` // from the start of the run
	MTBF               *units.Seconds `toml:"mtbf" check:"positive"`
	Detection          units.Seconds  `toml:"detection" check:"nonnegative"` // until it is noticed
	Repair             *units.Seconds `toml:"repair" check:"nonnegative"`    // nil: never
	RepairDistribution string         `toml:"repair_distribution" oneof:"fixed exponential"`
	Requests           string         `toml:"requests" oneof:"retry lost wait"`
	Slowdown           *float64       `toml:"slowdown" check:"positive" most:"1000"` // nil: they are lost
}

// SetDefaults is a replica whose requests are sent again.
func (f *FailureSpec) SetDefaults() {
	f.Of, f.Component, f.RepairDistribution, f.Requests = "replica", "replica", "fixed", "retry"
}

// shortestMTBF is the least time between failures. With less nothing would ever come to its
// end: a request has to be computed between two of them.
const shortestMTBF units.Seconds = 1

// Validate wants to know when, and of how many replicas.
func (f *FailureSpec) Validate() error {
	if f.Name != "" {
		if err := oneLine("name", f.Name); err != nil {
			return err
		}
	}
	switch {
	case f.At == nil && f.MTBF == nil:
		return &badinput.Error{Key: "at", Problem: "missing: when is the failure?", Allowed: `a time like "600s", or mtbf`}
	case f.At != nil && f.MTBF != nil:
		return &badinput.Error{Key: "at", Value: f.At.String(), Problem: "has no place beside mtbf", Allowed: "one of them"}
	case f.MTBF != nil && *f.MTBF < shortestMTBF:
		return &badinput.Error{Key: "mtbf", Value: f.MTBF.String(), Problem: "too short", Allowed: fmt.Sprintf("from %q on", shortestMTBF)}
	case f.Of == "node" && f.ReplicasPerNode == 0:
		return &badinput.Error{Key: "replicas_per_node", Problem: "missing: how many are lost with a node?", Allowed: "from 1"}
	case f.RepairDistribution != "fixed" && f.Repair == nil:
		return &badinput.Error{Key: "repair_distribution", Value: f.RepairDistribution, Problem: "has no effect without repair",
			Allowed: "repair"}
	case f.Slowdown != nil:
		return f.checkSlowdown()
	}
	return f.checkLink()
}

// checkLink refuses a link that is lost for good, and requests that wait for anything else.
func (f *FailureSpec) checkLink() error {
	switch {
	case f.Requests == "wait" && f.Component != "link":
		return &badinput.Error{Key: "requests", Value: f.Requests, Problem: "nothing is left of what a lost replica has",
			Allowed: `retry or lost, or component = "link"`}
	case f.Requests == "wait" && f.Detection > 0:
		return &badinput.Error{Key: "detection", Value: f.Detection.String(), Problem: `has no effect beside requests = "wait"`,
			Allowed: "one of them"}
	case f.Component == "link" && f.Repair == nil:
		return &badinput.Error{Key: "repair", Problem: "missing: for how long is the link lost?", Allowed: "a time, or a slowdown"}
	}
	return nil
}

// checkSlowdown refuses what is no slowdown, or would never end.
func (f *FailureSpec) checkSlowdown() error {
	switch {
	case *f.Slowdown <= 1:
		return &badinput.Error{Key: "slowdown", Value: *f.Slowdown, Problem: "makes no step longer", Allowed: "above 1"}
	case f.Requests != "retry":
		return &badinput.Error{Key: "requests", Value: f.Requests, Problem: "has no effect beside slowdown: what is slow loses nothing",
			Allowed: "one of them"}
	case f.Detection > 0:
		return &badinput.Error{Key: "detection", Value: f.Detection.String(),
			Problem: "has no effect beside slowdown: what is slow loses nothing",
			Allowed: "one of them"}
	case f.MTBF != nil && f.Repair == nil:
		return &badinput.Error{Key: "repair", Problem: "missing: with an mtbf replicas would become slower again and again",
			Allowed: "a time"}
	}
	return nil
}
