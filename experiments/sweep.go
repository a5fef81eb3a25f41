package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// point is one combination of the swept variables' values, in order of the axes.
// Values are what TOML has, since a swept variable may be any key.
type point []any

// axesOf reads and checks the [sweep] table; nil without one. Whether a path is a key
// is found when a point is resolved.
func (f *File) axesOf() ([]results.Axis, error) {
	sweep, present := f.tree["sweep"]
	if !present {
		return nil, nil
	}
	table, ok := sweep.(map[string]any)
	if !ok {
		return nil, &badinput.Error{Key: "sweep", Value: sweep, Problem: "wrong kind of value", Allowed: "a table"}
	}
	if mode, given := table["mode"]; given && mode != "product" && mode != "zip" {
		return nil, &badinput.Error{Key: "sweep.mode", Value: mode, Problem: "unknown value", Allowed: "one of product, zip"}
	}
	var axes []results.Axis
	for _, path := range f.axes {
		list := reflect.ValueOf(table[path])
		key := fmt.Sprintf("sweep.%q", path)
		if list.Kind() != reflect.Slice {
			return nil, &badinput.Error{Key: key, Value: table[path], Problem: "wrong kind of value", Allowed: "a list of values"}
		}
		if list.Len() == 0 {
			return nil, &badinput.Error{Key: key, Problem: "an empty sweep: list at least one value", Allowed: "a list like [1, 2, 4]"}
		}
		values := make([]any, list.Len())
		for i := range values {
			values[i] = list.Index(i).Interface()
		}
		if err := checkSwept(path, values, table["mode"] == "zip"); err != nil {
			return nil, err
		}
		axis := f.axis(newAxis(path, values))
		axis.File = results.ValueOf(keyAt(f.tree, path))
		axes = append(axes, axis)
	}
	if len(axes) == 0 {
		return nil, &badinput.Error{
			Key:     "sweep",
			Problem: "an empty sweep: name at least one variable",
			Allowed: `"workload.arrival.rate" = [1, 2, 4]`,
		}
	}
	return axes, f.checkZip(axes, table["mode"] == "zip")
}

// axis labels an axis by the rest of the file where that matters: the rate of a
// workload of conversations is in conversations per second.
func (f *File) axis(a results.Axis) results.Axis {
	workload, _ := f.tree["workload"].(map[string]any)
	if _, ok := workload["session"]; ok && a.Path == "workload.arrival.rate" {
		a.Label, a.Unit = "conversation rate", "conv/s"
	}
	return a
}

// fixed are the keys that say what an experiment is, and cannot vary within it.
var unsweepable = []string{"title", "seed", "replications", "sweep", "expect", "claim", "curve", "paper", "plot", "strategy"}

// checkSwept refuses variables that cannot be swept, and values that would make
// points which no result could tell apart. Zipped ones may repeat: what they go with
// tells their points apart (see checkZip).
func checkSwept(path string, values []any, zip bool) error {
	key := fmt.Sprintf("sweep.%q", path)
	isName := strings.HasSuffix(path, ".name") && (strings.HasPrefix(path, "strategy.") || strings.HasPrefix(path, "workload.client.") ||
		strings.HasPrefix(path, "fleet.pool."))
	if slices.Contains(unsweepable, path) || isName || strings.HasPrefix(path, "sweep.") {
		return &badinput.Error{
			Key:     key,
			Problem: "is the same for all points and cannot be swept",
			Allowed: "a key of [model], [hardware], [workload], [slo], [measure], [fleet], " +
				"strategy.NAME.KEY, workload.client.NAME.KEY or fleet.pool.NAME.KEY",
		}
	}
	seen := map[string]bool{}
	for _, v := range values {
		if kind := reflect.ValueOf(v).Kind(); kind == reflect.Map || kind == reflect.Slice {
			return &badinput.Error{
				Key:     key,
				Value:   v,
				Problem: "a table or list cannot be swept",
				Allowed: `single values; several variables vary together with mode = "zip"`,
			}
		}
		if text := fmt.Sprint(v); seen[text] && !zip {
			return &badinput.Error{Key: key, Value: v, Problem: "stands twice in the list"}
		} else {
			seen[text] = true
		}
	}
	return nil
}

// checkZip refuses zipped lists of different lengths: a shorter one would silently
// drop values of the others. Of two points at which all values are the same it refuses
// the second.
func (f *File) checkZip(axes []results.Axis, zip bool) error {
	if !zip {
		return nil
	}
	for _, axis := range axes {
		if len(axis.Values) != len(axes[0].Values) {
			return &badinput.Error{Key: fmt.Sprintf("sweep.%q", axis.Path),
				Problem: fmt.Sprintf(
					"has %d values, but %q has %d; zipped lists must be of one length",
					len(axis.Values),
					axes[0].Path,
					len(axes[0].Values),
				)}
		}
	}
	seen := map[string]int{}
	for i, p := range points(axes, true) {
		text := fmt.Sprint(p)
		if first, twice := seen[text]; twice {
			return &badinput.Error{Key: fmt.Sprintf("sweep.%q", axes[0].Path), Value: axes[0].Values[i].Any(),
				Problem: fmt.Sprintf("makes point %d the same as point %d: all zipped values repeat", i+1, first+1),
				Allowed: "another value in one of the lists"}
		}
		seen[text] = i
	}
	return nil
}

// points lists the combinations to simulate: the product of the axes, the first
// one varying fastest, or their i-th values together when zipped. Without axes
// there is one point without values, so that an experiment without a sweep is no
// special case. The first axis varies fastest because curves run along it.
func points(axes []results.Axis, zip bool) []point {
	all := []point{{}}
	if zip && len(axes) > 0 {
		all = make([]point, len(axes[0].Values))
		for i := range all {
			for _, axis := range axes {
				all[i] = append(all[i], axis.Values[i].Any())
			}
		}
		return all
	}
	for n := len(axes) - 1; n >= 0; n-- {
		var longer []point
		for _, p := range all {
			for _, v := range axes[n].Values {
				longer = append(longer, append(point{v.Any()}, p...))
			}
		}
		all = longer
	}
	return all
}
