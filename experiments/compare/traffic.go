package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/results"
)

// notCompared are tables of an experiment that change no run of a point.
var notCompared = []string{"title", "sweep", "search", "expect", "claim", "plot", "replications"}

// differingKeys are the keys that differ between two folders, by path, also those of the strategies that are compared. What is
// swept differs from point to point.
func differingKeys(a, b *Side) []Key {
	keys := differingTables(a.tables(), b.tables())
	return slices.DeleteFunc(keys, func(key Key) bool {
		return slices.ContainsFunc(a.Results.Sweep, func(axis results.Axis) bool { return axis.Path == key.Path })
	})
}

// tablesOf are the tables of an experiment that change a run.
func tablesOf(experiment map[string]any) map[string]any {
	all := map[string]any{}
	for key, v := range experiment {
		if !slices.Contains(notCompared, key) {
			all[key] = v
		}
	}
	return all
}

// tables are those of the experiment and of the strategies that are compared; one alone without its name, as the other side may call its
// own otherwise.
func (s *Side) tables() map[string]any {
	all := tablesOf(s.Results.Experiment)
	list, _ := s.Results.Experiment["strategy"].([]any)
	var compared []any
	for _, table := range list {
		if slices.Contains(s.Strategies, nameOf(table)) {
			compared = append(compared, table)
		}
	}
	if all["strategy"] = compared; len(compared) == 1 {
		alone := maps.Clone(asTable(compared[0]))
		delete(alone, "name")
		all["strategy"] = alone
	}
	return all
}

// unpaired says why the replications of two sides did not serve the same requests; empty where they did. All strategies of a folder
// do: random numbers depend on seed, replication and purpose alone, and the requests besides on the workload.
func unpaired(a, b *Side) string {
	if a.Results == b.Results {
		return ""
	}
	for _, key := range differingKeys(a, b) {
		if key.Path == "seed" || strings.HasPrefix(key.Path, "workload.") {
			return fmt.Sprintf("%s is %s in the one, %s in the other", key.Path, Text(key.A), Text(key.B))
		}
	}
	return ""
}
