package compare

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Key is one of an experiment that is not the same on both sides; nil where a side lacks it.
type Key struct {
	Path string `json:"path"`
	A    any    `json:"a"`
	B    any    `json:"b"`
}

// notCompared are tables of an experiment that change no run of a point.
var notCompared = []string{"title", "sweep", "search", "expect", "claim", "plot", "replications"}

// differingKeys are the keys that differ between two folders, by path, also those of the strategies that are compared. What is
// swept differs from point to point.
func differingKeys(a, b *Side) []Key {
	if a.Results == b.Results {
		return nil
	}
	return differences(a.keys(), b.keys())
}

// differences are the keys of which two experiments have other values, by path.
func differences(of, over map[string]any) []Key {
	paths := maps.Clone(of)
	maps.Copy(paths, over)
	var all []Key
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if x, y := of[path], over[path]; !reflect.DeepEqual(x, y) {
			all = append(all, Key{path, x, y})
		}
	}
	return all
}

// keysOf are those of an experiment, by path, but for those of its strategies.
func keysOf(experiment map[string]any) map[string]any {
	all := map[string]any{}
	for key, v := range experiment {
		if key != "strategy" && !slices.Contains(notCompared, key) {
			addKeys(all, key, v)
		}
	}
	return all
}

// keys are those of the experiment and of the strategies that are compared.
func (s *Side) keys() map[string]any {
	all := keysOf(s.Results.Experiment)
	s.addStrategies(all, s.Results.Experiment["strategy"])
	for _, axis := range s.Results.Sweep {
		delete(all, axis.Path)
	}
	return all
}

// addStrategies adds the keys of the strategies that are compared; of one alone without its name, which the other side may call
// otherwise.
func (s *Side) addStrategies(all map[string]any, tables any) {
	list, _ := tables.([]any)
	for _, table := range list {
		table, _ := table.(map[string]any)
		name, _ := table["name"].(string)
		if !slices.Contains(s.Strategies, name) {
			continue
		}
		prefix := "strategy"
		if len(s.Strategies) > 1 {
			prefix += "." + name
		}
		addKeys(all, prefix, table)
	}
}

// addKeys adds what is in a table, and below.
func addKeys(all map[string]any, path string, v any) {
	table, isTable := v.(map[string]any)
	if !isTable {
		all[path] = v
		return
	}
	for key, below := range table {
		addKeys(all, path+"."+key, below)
	}
}

// unpaired says why the replications of two sides did not serve the same requests; empty where they did. All strategies of a folder
// do: random numbers depend on seed, replication and purpose alone, and the requests besides on the workload.
func unpaired(a, b *Side) string {
	if a.Results == b.Results {
		return ""
	}
	for _, key := range differingKeys(a, b) {
		if key.Path == "seed" || strings.HasPrefix(key.Path, "workload.") {
			return fmt.Sprintf("%s is %s in the one, %s in the other", key.Path, written(key.A), written(key.B))
		}
	}
	return ""
}

// written is the value of a key in words.
func written(v any) string {
	if v == nil {
		return "not set"
	}
	return fmt.Sprint(v)
}
