// Package badinput is the one error type for wrong input: what a user wrote
// that kneepoint will not simulate, told in one line with the file, the key,
// the value, what is allowed and the nearest right spelling.
//
// It knows how to say such things. It must not know when they are true. The
// command line maps this type, and no other, to exit status 2.
package badinput

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"kneepoint/units/printable"
)

// Error is one thing that is wrong with the input. Empty fields are left out
// of the message.
type Error struct {
	File    string // the experiment file, trace or profile
	Line    int    // 1-based; 0 when unknown
	Key     string // dotted path of the key, like "workload.arrival.rate"
	Value   any    // what was written there; nil when nothing was
	Problem string // what is wrong, like "unknown key" or "must be positive"
	Allowed string // what would be right, like "one of static, continuous"
	Nearest string // the nearest right spelling
}

// Error is the whole message, on one line that a terminal shows as it is: keys and names
// of files are a user's own.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	} else if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Key != "" {
		b.WriteString(e.Key)
		if e.Value != nil {
			b.WriteString(" = " + valueText(e.Value))
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Problem)
	if e.Allowed != "" {
		b.WriteString("; allowed: " + e.Allowed)
	}
	if e.Nearest != "" {
		fmt.Fprintf(&b, "; did you mean %q?", e.Nearest)
	}
	return printable.Escape(strings.ReplaceAll(b.String(), "\n", " "))
}

// In returns a copy of e that names file, unless e names one already.
func (e *Error) In(file string) *Error {
	c := *e
	if c.File == "" {
		c.File = file
	}
	return &c
}

// Under returns a copy of e whose key is prefixed with the table that it is in.
func (e *Error) Under(table string) *Error {
	c := *e
	switch {
	case c.Key == "" || table == "":
		c.Key = table + c.Key
	case strings.HasPrefix(c.Key, "["):
		c.Key = table + c.Key
	default:
		c.Key = table + "." + c.Key
	}
	return &c
}

// valueText writes a value as a TOML file has it, cut to a readable length.
func valueText(v any) string {
	s := written(v)
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "..."
	}
	return s
}

// written is a value as a TOML file has it, tables and lists in one line.
func written(v any) string {
	var parts []string
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, key+" = "+written(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, x := range v {
			parts = append(parts, written(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []map[string]any:
		for _, x := range v {
			parts = append(parts, written(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(v)
}
