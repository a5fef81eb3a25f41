package experiments

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/scenario"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// failuresOf are the tables of failures that concern a pool, as its own file has them.
func failuresOf(fleet, pool map[string]any) []map[string]any {
	var own []map[string]any
	for _, failure := range strict.Tables(fleet["failure"]) {
		if of := failure["pool"]; of != nil && of != pool["name"] {
			continue
		}
		failure = copyTree(failure).(map[string]any)
		delete(failure, "pool")
		own = append(own, failure)
	}
	return own
}

// checkFailures refuses failures of pools that are not there, and two of one name.
func (s *Spec) checkFailures() error {
	if s.Fleet == nil {
		return nil
	}
	var pools, names []string
	for _, pool := range s.Fleet.Pools {
		pools = append(pools, pool.Name)
	}
	for i, f := range s.Fleet.Failures {
		at := fmt.Sprintf("fleet.failure[%d].", i)
		switch {
		case f.Pool != "" && len(pools) == 0:
			return &badinput.Error{Key: at + "pool", Value: f.Pool, Problem: "there are no pools",
				Allowed: "[[fleet.pool]] tables, or no pool"}
		case f.Pool != "" && !slices.Contains(pools, f.Pool):
			return &badinput.Error{Key: at + "pool", Value: f.Pool, Problem: "no pool has this name", Allowed: strings.Join(pools, ", "),
				Nearest: badinput.Nearest(f.Pool, pools)}
		case f.Name != "" && slices.Contains(names, f.Name):
			return &badinput.Error{Key: at + "name", Value: f.Name, Problem: "another failure has this name; names must be unique"}
		}
		names = append(names, f.Name)
	}
	return nil
}

// forScenario is the table as a value.
func (f *FailureSpec) forScenario() scenario.Failure {
	value := scenario.Failure{Detection: f.Detection, Repair: f.Repair,
		ExponentialRepair: f.RepairDistribution == "exponential", Lose: f.Requests == "lost"}
	if f.Slowdown != nil {
		value.Slowdown = *f.Slowdown
	}
	switch f.Of {
	case "replica":
		value.Together = 1
	case "node":
		value.Together = f.ReplicasPerNode
	}
	if f.At != nil {
		value.At = *f.At
	} else {
		value.MTBF = *f.MTBF
	}
	return value
}
