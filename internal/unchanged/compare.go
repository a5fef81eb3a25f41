package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// comparison collects what differs between the base and the working tree.
type comparison struct {
	tolerance   float64
	differences []string
	additions   []string // what only the working tree has; no difference
}

func (c *comparison) differ(where, format string, args ...any) {
	c.differences = append(c.differences, where+": "+fmt.Sprintf(format, args...))
}

// add notes something new, once however often it occurs.
func (c *comparison) add(what string) {
	if !slices.Contains(c.additions, what) {
		c.additions = append(c.additions, what)
	}
}

// print lists the first n differences.
func (c *comparison) print(w io.Writer, n int) {
	for _, what := range c.additions {
		fmt.Fprintln(w, "new:", what)
	}
	for _, line := range c.differences[:min(n, len(c.differences))] {
		fmt.Fprintln(w, line)
	}
	if more := len(c.differences) - n; more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
}

// values compares two values of JSON. A field that only the working tree has is
// new; anything else that is not the same is a difference.
func (c *comparison) values(where string, base, work any) {
	switch b := base.(type) {
	case map[string]any:
		if w, ok := work.(map[string]any); ok {
			c.objects(where, b, w)
			return
		}
	case []any:
		if w, ok := work.([]any); ok || nothing(work) && nothing(base) {
			c.lists(where, b, w)
			return
		}
	case float64:
		if w, ok := work.(float64); ok && c.equal(b, w) {
			return
		}
	default:
		if base == work || nothing(base) && nothing(work) {
			return
		}
	}
	c.differ(where, "%s became %s", short(base), short(work))
}

// nothing is true of null and of an empty list, which mean the same.
func nothing(value any) bool {
	list, isList := value.([]any)
	return value == nil || isList && len(list) == 0
}

// equal compares numbers: exactly, unless there is a tolerance.
func (c *comparison) equal(a, b float64) bool {
	return a == b || math.Abs(a-b) <= c.tolerance*max(math.Abs(a), math.Abs(b))
}

func (c *comparison) objects(where string, base, work map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(base)) {
		if w, ok := work[key]; ok {
			c.values(field(where, key), base[key], w)
		} else {
			c.differ(field(where, key), "%s is gone", short(base[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(work)) {
		if _, ok := base[key]; !ok {
			c.add(fmt.Sprintf("field %s of %s", key, kind(where)))
		}
	}
}

// field is the place of a field of an object: "name: results: series" and
// "name: results: series.points".
func field(where, key string) string {
	if strings.HasSuffix(where, ": ") {
		return where + key
	}
	return where + "." + key
}

func (c *comparison) lists(where string, base, work []any) {
	if len(base) != len(work) {
		c.differ(where, "%d entries became %d", len(base), len(work))
	}
	for i := range min(len(base), len(work)) {
		c.values(fmt.Sprintf("%s[%d]", where, i), base[i], work[i])
	}
}

// warnings compares warnings in any order, of which one side may be text and the
// other of several fields: then every field must be found in the text.
func (c *comparison) warnings(where string, base, work any) {
	before, _ := base.([]any)
	now, _ := work.([]any)
	now = slices.Clone(now)
	for _, warning := range before {
		at := slices.IndexFunc(now, func(w any) bool { return sameWarning(warning, w) })
		if at < 0 {
			c.differ(where, "%s is gone", short(warning))
			continue
		}
		now = slices.Delete(now, at, at+1)
	}
	for _, warning := range now {
		c.differ(where, "%s is new", short(warning))
	}
}

func sameWarning(base, work any) bool {
	text, isText := base.(string)
	fields, isObject := work.(map[string]any)
	if !isText || !isObject {
		return fmt.Sprint(base) == fmt.Sprint(work)
	}
	told := 0
	for _, key := range []string{"text", "where"} {
		field, _ := fields[key].(string)
		if !strings.Contains(text, field) {
			return false
		}
		told += len(field)
	}
	return told > 0
}

// texts compares tables line by line and reports the first that differs.
func (c *comparison) texts(where, base, work string) {
	before, now := strings.Split(base, "\n"), strings.Split(work, "\n")
	for i := range max(len(before), len(now)) {
		b, w := lineAt(before, i), lineAt(now, i)
		if b != w {
			c.differ(fmt.Sprintf("%s, line %d", where, i+1), "%s became %s", b, w)
			return
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return fmt.Sprintf("%q", lines[i])
	}
	return "nothing"
}

// short cuts what would not fit on a line.
func short(value any) string {
	text := []rune(fmt.Sprintf("%#v", value))
	if number, ok := value.(float64); ok {
		text = []rune(fmt.Sprint(number))
	}
	if len(text) > 120 {
		return string(text[:120]) + "…"
	}
	return string(text)
}

// bracketed are the numbers of list entries in a place.
var bracketed = regexp.MustCompile(`\[\d+\]`)

// kind is the place without the experiment, and without what tells one entry
// or run from the next.
func kind(where string) string {
	parts := strings.Split(where, ": ")
	path := parts[len(parts)-1]
	if path == "" {
		path = parts[len(parts)-2]
	}
	if len(parts) > 2 && strings.HasPrefix(parts[1], "run of ") {
		path = strings.TrimSuffix("a run's "+parts[2], "'s ")
	}
	return bracketed.ReplaceAllString(path, "")
}
