package experiments

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// copyTree returns a deep copy of the tables and lists of v.
func copyTree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(v))
		for key, x := range v {
			c[key] = copyTree(x)
		}
		return c
	case []map[string]any:
		c := make([]map[string]any, len(v))
		for i, x := range v {
			c[i] = copyTree(x).(map[string]any)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, x := range v {
			c[i] = copyTree(x)
		}
		return c
	}
	return v
}

// overlay returns a copy of base in which the keys of over win, table by table; lists
// are replaced as a whole.
func overlay(base, over map[string]any) map[string]any {
	c := copyTree(base).(map[string]any)
	for key, x := range over {
		inner, ok := c[key].(map[string]any)
		if table, isTable := x.(map[string]any); ok && isTable {
			c[key] = overlay(inner, table)
			continue
		}
		c[key] = copyTree(x)
	}
	return c
}

// setKey sets the value at a dotted path, making tables on the way. In a list of
// tables the path goes on with the name of one of them.
func setKey(tree map[string]any, path string, value any) error {
	if strings.HasPrefix(path+".", "strategy.") && strings.Count(path, ".") < 2 {
		return &badinput.Error{Key: path, Value: value, Problem: "not a key of a strategy", Allowed: "strategy.NAME.KEY"}
	}
	table, key, err := tableOf(tree, path, true)
	if err == nil {
		table[key] = value
	}
	return err
}

// keyAt is the value at a dotted path; nil where there is none.
func keyAt(tree map[string]any, path string) any {
	table, key, _ := tableOf(tree, path, false)
	return table[key]
}

// tableOf is the table that a dotted path leads to, and its key there. Tables that are missing
// are made, or else the table is nil.
func tableOf(tree map[string]any, path string, made bool) (table map[string]any, key string, err error) {
	table, parts := tree, strings.Split(path, ".")
	for len(parts) > 1 {
		next, exists := table[parts[0]]
		if parts, err = ofStrategysPool(tree, next, path, parts); err != nil {
			return nil, "", err
		}
		if !exists && !made {
			return nil, "", nil
		}
		if !exists {
			next = map[string]any{}
			table[parts[0]] = next
		}
		inner, ok := next.(map[string]any)
		switch {
		case ok:
			table, parts = inner, parts[1:]
		case len(parts) > 2 && len(strict.Tables(next)) > 0:
			found, err := namedTable(next, parts[0], path, parts[1:])
			if err != nil {
				return nil, "", err
			}
			table, parts = found.table, found.rest
		default:
			return nil, "", &badinput.Error{
				Key:     strings.TrimSuffix(path, "."+strings.Join(parts[1:], ".")),
				Value:   next,
				Problem: "is not a table, and has no key " + strings.Join(parts[1:], "."),
				Allowed: "a table, as " + path + " is set",
			}
		}
	}
	return table, parts[0], nil
}

// foundTable is a table of a list and the rest of the path, within it.
type foundTable struct {
	table map[string]any
	rest  []string
}

// namedTable finds the one of a list of tables that a path names. Names may contain
// dots, so the longest name that fits wins.
func namedTable(list any, kind, path string, parts []string) (foundTable, error) {
	tables := strict.Tables(list)
	var names []string
	for _, table := range tables {
		if name, _ := table["name"].(string); name != "" {
			names = append(names, name)
		}
	}
	for n := len(parts) - 1; n > 0; n-- {
		for _, table := range tables {
			if table["name"] == strings.Join(parts[:n], ".") {
				return foundTable{table, parts[n:]}, nil
			}
		}
	}
	return foundTable{}, &badinput.Error{Key: path, Problem: fmt.Sprintf("no %s is called %q", strings.TrimSuffix(kind, "s"), parts[0]),
		Allowed: cmp.Or(strings.Join(names, ", "), "a table with that name"), Nearest: badinput.Nearest(parts[0], names)}
}

// Override sets single keys, written key=value as on the command line. A value
// is read as TOML where it is TOML, and as a string otherwise.
func (f *File) Override(assignments []string) error {
	for _, a := range assignments {
		key, text, ok := strings.Cut(a, "=")
		key, text = strings.TrimSpace(key), strings.TrimSpace(text)
		if !ok || key == "" {
			return &badinput.Error{Key: "--set", Value: a, Problem: "not an assignment", Allowed: "KEY=VALUE, like workload.arrival.rate=8"}
		}
		value, ok := parseValue(text)
		if !ok {
			return &badinput.Error{Key: "--set", Value: a, Problem: "more than one assignment", Allowed: "--set once for each key"}
		}
		if err := f.override(key, value); err != nil {
			return err
		}
	}
	return f.checkFinite()
}

// override sets one key. A swept variable that is set to a value is no longer swept.
func (f *File) override(key string, value any) error {
	if key == "sweep" {
		return f.replaceSweep(value)
	}
	if axis, isSweep := strings.CutPrefix(key, "sweep."); isSweep {
		f.overrideSweep(strings.Trim(axis, `"`), value)
		return nil
	}
	var bad *badinput.Error
	if err := setKey(f.tree, key, value); errors.As(err, &bad) {
		return bad.In(f.Path)
	}
	f.dropAxis(key)
	return nil
}

// replaceSweep replaces the sweep of the file; an empty table leaves one point. Its axes
// are in alphabetical order, since a table on the command line has none.
func (f *File) replaceSweep(value any) error {
	sweep, ok := value.(map[string]any)
	if !ok {
		return &badinput.Error{
			File:    f.Path,
			Key:     "sweep",
			Value:   value,
			Problem: "wrong kind of value",
			Allowed: "a table, like {\"workload.arrival.rate\" = [1, 2]}",
		}
	}
	f.axes = nil
	delete(f.tree, "sweep")
	for _, axis := range slices.Sorted(maps.Keys(sweep)) {
		f.overrideSweep(axis, sweep[axis])
	}
	return nil
}

// overrideSweep sets the values of one axis, adding it when it is new.
func (f *File) overrideSweep(axis string, values any) {
	sweep, ok := f.tree["sweep"].(map[string]any)
	if !ok {
		sweep = map[string]any{}
		f.tree["sweep"] = sweep
	}
	if _, known := sweep[axis]; !known && axis != "mode" {
		f.axes = append(f.axes, axis)
	}
	sweep[axis] = values
}

// dropAxis stops sweeping a variable that was set to one value.
func (f *File) dropAxis(path string) {
	i := slices.Index(f.axes, path)
	if i < 0 {
		return
	}
	f.axes = slices.Delete(f.axes, i, i+1)
	sweep, _ := f.tree["sweep"].(map[string]any)
	delete(sweep, path)
	if len(f.axes) == 0 {
		delete(f.tree, "sweep")
	}
}

// parseValue reads a value as TOML, and what is not TOML as text, so that names need no
// quotes. inf and nan are text too, as in files: rate = "inf". It is false where other
// keys follow the value.
func parseValue(text string) (value any, ok bool) {
	var parsed map[string]any
	if text == "inf" || text == "nan" || strict.TooDeep(text) {
		return text, true
	}
	if _, err := toml.Decode("v = "+text, &parsed); err != nil {
		return text, true
	}
	return parsed["v"], len(parsed) == 1
}
