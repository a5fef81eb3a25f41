package strict

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// field is what the tags of one struct field say.
type field struct {
	index    []int
	check    string
	most     float64 // 0: any
	oneof    []string
	required bool
	only     []condition
}

// condition is a sibling of a key, and its values beside which the key has an
// effect.
type condition struct {
	key    string
	values []string
}

// fieldSet is the fields of a struct by key, and their keys in order of
// declaration.
type fieldSet struct {
	keys  []string
	byKey map[string]field
}

// known are the field sets that were read from tags, by type: a file with a sweep
// is decoded once for every point.
var known sync.Map

// fieldsOf is the fields of a struct type. They do not change.
func fieldsOf(t reflect.Type) fieldSet {
	if set, ok := known.Load(t); ok {
		return set.(fieldSet)
	}
	set := readTags(t)
	known.Store(t, set)
	return set
}

// readTags reads the fields of a struct type from its tags.
func readTags(t reflect.Type) fieldSet {
	set := fieldSet{byKey: map[string]field{}}
	lists, _ := reflect.New(t).Interface().(lister)
	for _, sf := range reflect.VisibleFields(t) {
		key := sf.Tag.Get("toml")
		if key == "" || key == "-" || !sf.IsExported() {
			continue
		}
		f := field{
			index:    sf.Index,
			check:    sf.Tag.Get("check"),
			oneof:    expand(strings.Fields(sf.Tag.Get("oneof")), lists),
			most:     most(sf.Tag.Get("most")),
			required: sf.Tag.Get("required") == "true",
		}
		for _, only := range strings.Fields(sf.Tag.Get("only")) {
			sibling, values, _ := strings.Cut(only, "=")
			f.only = append(f.only, condition{sibling, expand(strings.Split(values, ","), lists)})
		}
		set.keys = append(set.keys, key)
		set.byKey[key] = f
	}
	return set
}

// lister is a struct some of whose allowed strings are named elsewhere, so that
// they are written once.
type lister interface{ Words(list string) []string }

// expand puts the words of a list in the place of its name, "@name".
func expand(words []string, lists lister) []string {
	var all []string
	for _, word := range words {
		if name, ok := strings.CutPrefix(word, "@"); ok {
			all = append(all, lists.Words(name)...)
		} else {
			all = append(all, word)
		}
	}
	return all
}

// ineffective returns the first condition under which f has an effect that the
// struct does not meet, and its value instead; nil when f has an effect.
func (set fieldSet) ineffective(f field, in reflect.Value) (unmet *condition, sibling string) {
	for i, c := range f.only {
		sibling := fmt.Sprint(in.FieldByIndex(set.byKey[c.key].index).Interface())
		if !slices.Contains(c.values, sibling) {
			return &f.only[i], sibling
		}
	}
	return nil, ""
}

func (f field) checkString(s string) error {
	if len(f.oneof) > 0 && !slices.Contains(f.oneof, s) {
		return &badinput.Error{Value: s, Problem: "unknown value", Allowed: oneOf(f.oneof),
			Nearest: badinput.Nearest(s, f.oneof)}
	}
	return nil
}

// most reads the tag of the largest number; 0 without one.
func most(tag string) float64 {
	x, _ := strconv.ParseFloat(tag, 64)
	return x
}

func oneOf(values []string) string {
	switch len(values) {
	case 0:
		return ""
	case 1:
		return values[0]
	}
	return "one of " + strings.Join(values, ", ")
}

// checkNumber refuses what is not finite or out of the field's range; v is the
// value as written.
func (f field) checkNumber(v any, x float64) error {
	var problem, allowed string
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		problem = "must be a finite number"
	case f.check == "positive" && x <= 0:
		problem = "must be greater than 0"
	case f.check == "nonnegative" && x < 0:
		problem = "must not be negative"
	case f.check == "fraction" && (x < 0 || x > 1):
		problem = "must be between 0 and 1"
	case f.check == "share" && (x <= 0 || x > 1):
		problem = "must be greater than 0 and at most 1"
	case f.most > 0 && x > f.most:
		problem, allowed = "too large", fmt.Sprintf("at most %.0f", f.most)
	default:
		problem, allowed = units.OutOfRange(x)
	}
	if problem == "" {
		return nil
	}
	return &badinput.Error{Value: v, Problem: problem, Allowed: allowed}
}
