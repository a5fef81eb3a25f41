package workloads

import (
	"maps"

	"kneepoint/internal/strict"
)

// Merge lays a user's [workload] table over that of a built-in workload, and
// returns a new table.
//
// A user's arrival table that names a process, or input or output table that
// names a type, replaces that part; one that does not changes it key by key. A
// trace replaces arrivals and lengths, a session what it says itself: its users
// the arrivals, its input and output the lengths. What every client has of its own
// is left out. Outputs keep their correlation with the base's inputs only.
func Merge(base, user map[string]any) map[string]any {
	merged := maps.Clone(base)
	if merged == nil {
		merged = map[string]any{}
	}
	if _, ok := user["trace"]; ok {
		delete(merged, "arrival")
		delete(merged, "input")
		delete(merged, "output")
	}
	session, _ := user["session"].(map[string]any)
	for own, part := range map[string]string{"users": "arrival", "input": "input", "output": "output"} {
		if _, ok := session[own]; ok {
			delete(merged, part)
		}
	}
	for _, part := range []string{"arrival", "input", "output"} {
		if everyTableHas(user["client"], part) {
			delete(merged, part)
		}
	}
	if changesInput(user) {
		merged["output"] = uncorrelated(merged["output"])
	}
	for key, value := range user {
		merged[key] = mergePart(key, merged[key], value)
	}
	if merged["output"] == nil {
		delete(merged, "output")
	}
	return merged
}

// changesInput reports whether a user's table has a law of inputs of its own, anywhere.
func changesInput(user map[string]any) bool {
	input, _ := user["input"].(map[string]any)
	session, _ := user["session"].(map[string]any)
	for _, law := range append(strict.Tables(user["client"]), session) {
		if law["input"] != nil || law["first_input"] != nil {
			return true
		}
	}
	return input["type"] != nil
}

// uncorrelated is the base's table of outputs, without their correlation with inputs
// that are no longer those of the base.
func uncorrelated(output any) any {
	table, ok := output.(map[string]any)
	if !ok {
		return output
	}
	table = maps.Clone(table)
	delete(table, "correlation")
	return table
}

// everyTableHas reports whether a list of tables is not empty and has the key in
// each.
func everyTableHas(list any, key string) bool {
	tables := strict.Tables(list)
	for _, table := range tables {
		if _, ok := table[key]; !ok {
			return false
		}
	}
	return len(tables) > 0
}

// mergePart returns what a user's value makes of a part of the base: tables are merged
// key by key, unless the user's names a law, whose keys are others. Anything else
// replaces what the base has.
func mergePart(key string, base, user any) any {
	baseTable, ok := base.(map[string]any)
	userTable, ok2 := user.(map[string]any)
	if !ok || !ok2 {
		return user
	}
	law := map[string]string{"arrival": "process", "input": "type", "output": "type"}[key]
	if _, named := userTable[law]; named {
		return user
	}
	merged := maps.Clone(baseTable) // the base stays as it is
	for key, value := range userTable {
		merged[key] = mergePart(key, merged[key], value)
		for _, other := range replaced[key] {
			if userTable[other] == nil {
				delete(merged, other)
			}
		}
	}
	return merged
}

// replaced are the keys that say the same in another way, and whose place a key therefore
// takes.
var replaced = map[string][]string{
	"cv":         {"burstiness"},
	"burstiness": {"cv"},
	"rate":       {"stages", "ramp"},
	"stages":     {"rate", "hourly", "hour", "ramp"},
	"hourly":     {"stages", "ramp"},
	"ramp":       {"rate", "hourly", "hour", "stages"},
}
