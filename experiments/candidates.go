package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// planTables are those that make a file a plan.
var planTables = []string{"plan", "candidate"}

// mostCandidates bounds how many candidates a plan may have.
const mostCandidates = 10_000

// candidate is one way to serve: a strategy, and keys that are set for it.
type candidate struct {
	name     string
	strategy int // of the file
	keys     []choice
}

// choice is a key of a [[candidate]] table with one of its values.
type choice struct {
	path   string
	value  any
	listed bool // in a list: candidates are called by it
}

// candidates are what the [[candidate]] tables describe: of each the product of its lists, the
// first one varying slowest, for each of its strategies. Without tables every strategy is
// one, as the file has it.
func (f *File) candidates() ([]candidate, error) {
	tables := strict.Tables(f.tree["candidate"])
	if f.tree["candidate"] == nil {
		tables = []map[string]any{{}}
	}
	if len(tables) == 0 {
		return nil, &badinput.Error{Key: "candidate", Value: f.tree["candidate"], Problem: "wrong kind of value",
			Allowed: "[[candidate]] tables"}
	}
	var all []candidate
	for i, table := range tables {
		some, err := f.candidatesOf(table, fmt.Sprintf("candidate[%d]", i))
		if err != nil {
			return nil, err
		}
		if all = append(all, some...); len(all) > mostCandidates {
			return nil, &badinput.Error{Key: "candidate", Problem: "too many candidates",
				Allowed: fmt.Sprintf("at most %d", mostCandidates)}
		}
	}
	return all, checkNames(all)
}

// candidatesOf are those of one table.
func (f *File) candidatesOf(table map[string]any, key string) ([]candidate, error) {
	keys := flatten(table, "")
	strategies, err := f.strategiesOf(keys, key)
	if err != nil {
		return nil, err
	}
	name, ok := keys["name"].(string)
	if keys["name"] != nil && !ok {
		return nil, &badinput.Error{Key: key + ".name", Value: keys["name"], Problem: "wrong kind of value", Allowed: "a string"}
	}
	delete(keys, "name")
	delete(keys, "strategies")
	combinations, err := f.combinations(keys, strategies)
	if err != nil {
		return nil, badinput.Under(key, err)
	}
	var all []candidate
	for _, c := range combinations {
		for _, s := range strategies {
			all = append(all, candidate{name: f.nameOf(name, c, s, len(strategies) > 1), strategy: s, keys: c})
		}
	}
	return all, nil
}

// combinations are the product of the values of some keys; more than mostCandidates, which the
// caller refuses, need not be all.
func (f *File) combinations(keys map[string]any, strategies []int) ([][]choice, error) {
	combinations := [][]choice{{}}
	for _, path := range slices.SortedFunc(maps.Keys(keys), byImportance) {
		choices, err := choicesOf(path, keys[path])
		if err == nil {
			err = f.checkOwn(path, strategies)
		}
		if err != nil {
			return nil, err
		}
		var longer [][]choice
		for _, c := range combinations {
			for _, x := range choices {
				longer = append(longer, append(slices.Clip(c), x))
			}
		}
		if combinations = longer; len(combinations) > mostCandidates {
			break
		}
	}
	return combinations, nil
}

// flatten are the values of a table and the tables in it, by their dotted paths.
func flatten(table map[string]any, under string) map[string]any {
	flat := map[string]any{}
	for key, value := range table {
		if inner, ok := value.(map[string]any); ok {
			maps.Copy(flat, flatten(inner, under+key+"."))
			continue
		}
		flat[under+key] = value
	}
	return flat
}

// strategiesOf are the numbers of the strategies that a table names; all without.
func (f *File) strategiesOf(keys map[string]any, key string) ([]int, error) {
	var names []string
	for _, s := range strict.Tables(f.tree["strategy"]) {
		name, _ := s["name"].(string)
		names = append(names, name)
	}
	given := keys["strategies"]
	if given == nil {
		all := make([]int, len(names))
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	list, ok := given.([]any)
	if !ok || len(list) == 0 {
		return nil, &badinput.Error{Key: key + ".strategies", Value: given, Problem: "wrong kind of value",
			Allowed: "a list of names of strategies"}
	}
	var chosen []int
	for _, x := range list {
		name, _ := x.(string)
		i := slices.Index(names, name)
		if i < 0 || slices.Contains(chosen, i) {
			return nil, &badinput.Error{Key: key + ".strategies", Value: x, Problem: "no strategy of this name, or twice",
				Allowed: strings.Join(names, ", "), Nearest: badinput.Nearest(name, names)}
		}
		chosen = append(chosen, i)
	}
	return chosen, nil
}

// servingTables are those whose keys say how the demand is served; the others say what it is.
var servingTables = []string{"model", "hardware", "fleet", "strategy"}

// choicesOf are the values that a key of a candidate has.
func choicesOf(path string, value any) ([]choice, error) {
	root, _, inner := strings.Cut(path, ".")
	if !inner || !slices.Contains(servingTables, root) {
		return nil, &badinput.Error{Key: path, Value: value, Problem: "no key of a candidate",
			Allowed: "name, strategies, and keys of [model], [hardware], [fleet] and strategy.NAME"}
	}
	list := reflect.ValueOf(value)
	if list.Kind() != reflect.Slice {
		return []choice{{path: path, value: value}}, nil
	}
	if list.Len() == 0 {
		return nil, &badinput.Error{Key: path, Problem: "an empty list: no candidate", Allowed: "at least one value"}
	}
	var choices []choice
	for i := range list.Len() {
		x := list.Index(i).Interface()
		if kind := reflect.ValueOf(x).Kind(); kind == reflect.Map || kind == reflect.Slice {
			return nil, &badinput.Error{Key: path, Value: x, Problem: "a table or list cannot be one of several values",
				Allowed: "single values"}
		}
		if slices.ContainsFunc(choices, func(c choice) bool { return c.value == x }) {
			return nil, &badinput.Error{Key: path, Value: x, Problem: "stands twice in the list"}
		}
		choices = append(choices, choice{path: path, value: x, listed: true})
	}
	return choices, nil
}

// checkOwn refuses a key that a strategy's own table overrides, and one of a strategy that the
// candidate does not use, or not alone.
func (f *File) checkOwn(path string, strategies []int) error {
	tables := strict.Tables(f.tree["strategy"])
	for _, i := range strategies {
		if keyAt(tables[i], path) != nil {
			return &badinput.Error{Key: path, Problem: fmt.Sprintf("has no effect: strategy %q has its own", tables[i]["name"])}
		}
		if strings.HasPrefix(path, poolPath) && keyAt(tables[i], "fleet.pool") != nil {
			return &badinput.Error{Key: path, Problem: fmt.Sprintf("has no effect: strategy %q has pools of its own", tables[i]["name"]),
				Allowed: fmt.Sprintf("strategy.%s.%s", tables[i]["name"], path)}
		}
		if rest, ok := strings.CutPrefix(path, "strategy."); ok && !strings.HasPrefix(rest, fmt.Sprintf("%s.", tables[i]["name"])) {
			return &badinput.Error{Key: path, Problem: fmt.Sprintf("has no effect on strategy %q", tables[i]["name"]),
				Allowed: "in a candidate whose strategies are that one"}
		}
	}
	return nil
}

// importance is the order in which names tell what candidates are.
var importance = []string{"hardware.accelerator", "hardware.tp", "hardware.pp", "hardware.ep", "hardware.dp",
	"model.weights", "model.activations", "model.kv", "model.other_weights"}

func byImportance(a, b string) int {
	rank := func(path string) int {
		if i := slices.Index(importance, path); i >= 0 {
			return i
		}
		return len(importance)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// nameOf is the name of a candidate: that of its table, its accelerator, the other values that
// are in a list, and its strategy where there are several.
func (f *File) nameOf(table string, keys []choice, strategy int, several bool) string {
	var parts []string
	if table != "" {
		parts = append(parts, table)
	}
	for _, c := range keys {
		switch {
		case c.path == "hardware.accelerator" && (c.listed || table == ""), strings.HasPrefix(c.path, "model.") && c.listed:
			parts = append(parts, fmt.Sprint(c.value))
		case c.listed:
			parts = append(parts, fmt.Sprintf("%s %v", shortPath(c.path), c.value))
		}
	}
	if name, _ := strict.Tables(f.tree["strategy"])[strategy]["name"].(string); several || len(parts) == 0 {
		parts = append(parts, name)
	}
	return strings.Join(parts, ", ")
}

// poolPath is where the keys of pools are.
const poolPath = "fleet.pool."

// shortPath is the end of a key's path, after the name of its pool where it is a pool's.
func shortPath(path string) string {
	last := path[strings.LastIndex(path, ".")+1:]
	if _, inPool, ok := strings.Cut(path, poolPath); ok {
		pool, _, _ := strings.Cut(inPool, ".")
		return pool + " " + last
	}
	return last
}

// checkNames refuses candidates that an answer could not tell apart.
func checkNames(all []candidate) error {
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.name] {
			return &badinput.Error{Key: "candidate", Problem: fmt.Sprintf("two candidates are called %q", c.name),
				Allowed: "a name in each [[candidate]], or other values"}
		}
		seen[c.name] = true
	}
	return nil
}

// fileOf is the file of a candidate alone.
func (f *File) fileOf(c *candidate) (*File, error) {
	tree := copyTree(f.tree).(map[string]any)
	for _, table := range append([]string{"expect"}, planTables...) {
		delete(tree, table)
	}
	for _, k := range c.keys {
		if err := setKey(tree, k.path, copyTree(k.value)); err != nil {
			return nil, err
		}
	}
	tree["strategy"] = strict.Tables(tree["strategy"])[c.strategy : c.strategy+1]
	return &File{Name: f.Name, Path: f.Path, Folder: f.Folder, Traces: f.Traces, tree: tree}, nil
}
