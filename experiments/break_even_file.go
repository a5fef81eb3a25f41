package experiments

import (
	"math"
	"regexp"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// asksBreakEvens tells whether a search asks where strategies are as good as each other or as a number, and for no knees.
func (s *SearchSpec) asksBreakEvens() bool { return s != nil && s.Metric != "" }

// SearchesBreakEvens tells whether Knees searches break-evens.
func (e *Experiment) SearchesBreakEvens() bool { return e.Spec.Search.asksBreakEvens() }

// quantity is a number with its unit.
var quantity = regexp.MustCompile(`^[0-9.]+\s*([A-Za-z]+(?:/[a-z]+)?)$`)

// variedOf is what a search for break-evens varies, which may be any number, and both ends and the middle of its range, which are checked
// before anything is simulated.
func (f *File) variedOf(spec *SearchSpec) (searchable, []any, error) {
	load := searchable{path: spec.Load}
	for _, check := range []func(*SearchSpec) error{f.checkOver, f.checkClient} {
		if err := badinput.Under("search", check(spec)); err != nil {
			return load, nil, err
		}
	}
	if known, err := searchableOf(spec.Load); err == nil {
		load.whole = known.whole
	}
	if text, isText := f.valueOf(spec.Load).(string); isText {
		parts := quantity.FindStringSubmatch(text)
		if parts == nil {
			return load, nil, &badinput.Error{Key: "search.load", Value: spec.Load, Problem: "is no number, but " + text,
				Allowed: "a key whose value is a number, or one with a unit"}
		}
		load.unit = parts[1]
	}
	low, high := *spec.Min, *spec.Max
	var values []any
	for _, x := range []float64{low, math.Sqrt(low * high), high} {
		values = append(values, load.value(x))
	}
	return load, slices.Compact(values), nil
}

// checkOver refuses a strategy that others cannot be compared with.
func (f *File) checkOver(spec *SearchSpec) error {
	names, over := namesOf(f.tree["strategy"]), spec.Over
	switch {
	case over == "":
		return nil
	case !slices.Contains(names, over):
		return &badinput.Error{Key: "over", Value: over, Problem: "no strategy of this name", Nearest: badinput.Nearest(over, names)}
	case len(names) < 2:
		return &badinput.Error{Key: "over", Value: over, Problem: "is the only strategy, and has no other to be compared with"}
	}
	return nil
}

// checkClient refuses a class of requests that is not there.
func (f *File) checkClient(spec *SearchSpec) error {
	names := namesOf(keyAt(f.tree, "workload.client"))
	if spec.Client == "" || slices.Contains(names, spec.Client) {
		return nil
	}
	return &badinput.Error{Key: "client", Value: spec.Client, Problem: "no [[workload.client]] of this name",
		Nearest: badinput.Nearest(spec.Client, names)}
}

// namesOf are those of the tables of a list that have one.
func namesOf(list any) []string {
	var names []string
	for _, table := range strict.Tables(list) {
		if name, _ := table["name"].(string); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// valueOf is the file's value at a path: the first swept one, or else that of its table.
func (f *File) valueOf(path string) any {
	sweep, _ := f.tree["sweep"].(map[string]any)
	if values, ok := sweep[path].([]any); ok && len(values) > 0 {
		return values[0]
	}
	return keyAt(f.tree, path)
}

// compared are the curves of a plan whose break-evens are searched: all for a bound, and else of every other strategy and the one that
// they are compared with, at the same values of the other swept variables.
func compared(plan *results.Plan, over string) []comparison {
	var all []comparison
	curves := plan.Curves()
	for i := range curves {
		s := &curves[i]
		if over == "" {
			all = append(all, comparison{s: s})
		}
		for k := range curves {
			if base := &curves[k]; s.Strategy != over && base.Strategy == over && results.SameFixed(s, base) {
				all = append(all, comparison{s, base})
			}
		}
	}
	return all
}

// comparison is a curve and the one that it is compared with; nil where that is a number.
type comparison struct{ s, over *results.Series }
