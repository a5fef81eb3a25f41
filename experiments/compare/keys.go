package compare

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Key is one of an experiment that is not the same on both sides, or a table of a list that one side has alone; nil where a side
// lacks it.
type Key struct {
	Path string `json:"path"`
	A    any    `json:"a"`
	B    any    `json:"b"`
}

// Text is the value of a key in words: strings as they are, all else as JSON writes it.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "not set"
	case string:
		return v
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // of what was read from JSON
	}
	return string(text)
}

// differingTables are the keys that differ between two tables, in the order of their paths.
func differingTables(a, b map[string]any) []Key {
	var all []Key
	for _, key := range union(a, b) {
		all = append(all, differing(key, a[key], b[key])...)
	}
	return all
}

// differing are the keys at a path, or below it, that differ. A table that one side lacks is one of no keys, unless it is of a list:
// there it is one difference, not as many as it has keys.
func differing(path string, a, b any) []Key {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	var all []Key
	if of, over, are := both(a, b, asTable); are {
		for _, key := range union(of, over) {
			all = append(all, differing(path+"."+key, of[key], over[key])...)
		}
		return all
	}
	if of, over, are := both(a, b, asList); are {
		for _, name := range union(of, over) {
			x, y := of[name], over[name]
			if below := path + "." + name; x == nil || y == nil {
				all = append(all, Key{below, x, y})
			} else {
				all = append(all, differing(below, x, y)...)
			}
		}
		return all
	}
	return []Key{{path, a, b}}
}

// union are the keys of two tables, sorted.
func union(a, b map[string]any) []string {
	all := maps.Clone(a)
	if all == nil {
		return slices.Sorted(maps.Keys(b))
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// both tells whether two values are of a kind, or one of them is and the other is not there.
func both(a, b any, as func(any) map[string]any) (of, over map[string]any, are bool) {
	of, over = as(a), as(b)
	return of, over, (of != nil || a == nil) && (over != nil || b == nil)
}

// asTable is a table; nil for anything else.
func asTable(v any) map[string]any {
	table, _ := v.(map[string]any)
	return table
}

// asList are the tables of a list by name, or by number from 1 on where not each has a name of its own; nil for anything else.
func asList(v any) map[string]any {
	list, _ := v.([]any)
	named, numbered := map[string]any{}, map[string]any{}
	for i, element := range list {
		if asTable(element) == nil {
			return nil
		}
		named[nameOf(element)], numbered[strconv.Itoa(i+1)] = element, element
	}
	switch {
	case len(list) == 0:
		return nil
	case len(named) < len(list) || named[""] != nil:
		return numbered
	}
	return named
}

// nameOf is the name of a table of a list; empty where it has none.
func nameOf(table any) string {
	name, _ := asTable(table)["name"].(string)
	return name
}
