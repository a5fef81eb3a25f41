package experiments

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/scenario"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// failuresOf are the tables of failures that concern a pool, as its own file has them. Links fail
// where there are any.
func failuresOf(fleet, pool map[string]any) []map[string]any {
	var own []map[string]any
	for _, failure := range strict.Tables(fleet["failure"]) {
		if of := failure["pool"]; of != nil && of != pool["name"] {
			continue
		}
		if role := pool["role"]; failure["component"] == "link" && (role == nil || role == "both") {
			continue
		}
		failure = copyTree(failure).(map[string]any)
		delete(failure, "pool")
		own = append(own, failure)
	}
	return own
}

// checkFailures refuses failures of pools and links that are not there, and two of one name.
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
		if f.Component == "link" {
			if err := s.checkLink(f.Pool); err != nil {
				return badinput.Under(strings.TrimSuffix(at, "."), err)
			}
		}
	}
	return nil
}

// checkLink refuses the failure of a link over which nothing is sent, or in no time.
func (s *Spec) checkLink(pool string) error {
	wrong := func(problem, allowed string) error {
		return &badinput.Error{Key: "component", Value: "link", Problem: problem, Allowed: allowed}
	}
	if !s.apart() {
		return wrong("no replica sends keys and values to others", `pools with role = "prefill" and "decode"`)
	}
	for _, p := range s.Fleet.Pools {
		if p.Name == pool && p.Role == "both" {
			return wrong(fmt.Sprintf("the replicas of pool %q send nothing to others", pool), `one with role = "prefill" or "decode"`)
		}
	}
	if t := s.Fleet.Transfer; t != nil && *t == (TransferSpec{Per: t.Per, When: t.When, Mode: t.Mode, MinTokens: t.MinTokens}) {
		return wrong("keys and values are sent in no time", "latency, link or bandwidth of [fleet.transfer]")
	}
	return nil
}

// forScenario is the table as a value.
func (f *FailureSpec) forScenario() scenario.Failure {
	value := scenario.Failure{Detection: f.Detection, Repair: f.Repair,
		ExponentialRepair: f.RepairDistribution == "exponential", Lose: f.Requests == "lost",
		Link: f.Component == "link", Wait: f.Requests == "wait"}
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
