package experiments

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// A strategy has pools of its own, a list as [fleet] has it, or changes keys of those of [fleet]: then
// its fleet.pool is a table with a table for each pool that it changes, by the pool's name. These are laid over the list when the
// strategy is selected, so that it does not matter which of the two is set first.

// ofStrategysPool makes the name of a pool one part of a path that leads to a key of it in a strategy which has no
// list of pools. Names may contain dots.
func ofStrategysPool(tree map[string]any, pools any, path string, parts []string) ([]string, error) {
	inFleet := strings.HasPrefix(path, "strategy.") && strings.HasSuffix(path, ".fleet."+strings.Join(parts, "."))
	if !inFleet || parts[0] != "pool" || len(parts) < 3 || len(strict.Tables(pools)) > 0 {
		return parts, nil
	}
	fleet, _ := tree["fleet"].(map[string]any)
	found, err := namedTable(fleet["pool"], "pool", path, parts[1:])
	if err != nil {
		return nil, err
	}
	name, _ := found.table["name"].(string)
	return append([]string{"pool", name}, found.rest...), nil
}

// withPools is what a strategy says of its fleet, with the list of its pools: those of the fleet that it overrides, and what it
// says of them by their names laid over these.
func withPools(fleet, over map[string]any) (map[string]any, error) {
	changes, isTable := over["pool"].(map[string]any)
	if !isTable {
		return over, nil
	}
	list := strict.Tables(copyTree(fleet["pool"]))
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		key := "strategy.fleet.pool." + name
		found, err := namedTable(list, "pool", key, []string{name, ""})
		if err != nil {
			return nil, err
		}
		change, ok := changes[name].(map[string]any)
		if !ok {
			return nil, &badinput.Error{Key: key, Value: changes[name], Problem: "wrong kind of value", Allowed: "a table"}
		}
		if other, given := change["name"]; given {
			return nil, &badinput.Error{Key: key + ".name", Value: other, Problem: fmt.Sprintf("pool %q has a name", name),
				Allowed: "other keys of it"}
		}
		maps.Copy(found.table, overlay(found.table, change))
	}
	over = maps.Clone(over)
	over["pool"] = list
	return over, nil
}
