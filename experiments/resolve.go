package experiments

import (
	"errors"
	"fmt"

	"kneepoint/internal/badinput"
	"kneepoint/internal/strict"
	"kneepoint/workloads"
)

// Experiment is a checked experiment: every simulation that it consists of can
// be built.
type Experiment struct {
	File   *File
	Spec   Spec // without sweep values and strategies' overrides
	Axes   []Axis
	points []point
	jobs   []job
}

// Check resolves every point for every strategy, and builds each once, so that
// whatever is wrong is found before anything is simulated.
func (f *File) Check() (*Experiment, error) {
	e, err := f.check()
	var bad *badinput.Error
	if errors.As(err, &bad) {
		return nil, bad.In(f.Path)
	}
	return e, err
}

func (f *File) check() (*Experiment, error) {
	axes, err := f.axesOf()
	if err != nil {
		return nil, err
	}
	e := &Experiment{File: f, Axes: axes}
	// Swept keys may be missing outside the sweep, so the file is read with the
	// first value of each.
	sweep, _ := f.tree["sweep"].(map[string]any)
	e.points = points(axes, sweep["mode"] == "zip")
	if e.Spec, err = f.resolve(axes, e.points[0], -1); err != nil {
		return nil, err
	}
	cache := &traceCache{}
	for _, p := range e.points {
		for i := range e.Spec.Strategies {
			spec, err := f.resolve(axes, p, i)
			if err != nil {
				return nil, err
			}
			if err := e.addJobs(spec, p, cache); err != nil {
				return nil, atPoint(fmt.Sprintf("strategy %q", spec.Strategies[0].Name), axes, p, err)
			}
		}
	}
	return e, nil
}

// underTable prefixes the key of wrong input with the table it stands in.
func underTable(table string, err error) error {
	var bad *badinput.Error
	if errors.As(err, &bad) {
		return bad.Under(table)
	}
	return err
}

// atPoint tells at which point an error was found, when there are several.
func atPoint(strategy string, axes []Axis, p point, err error) error {
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return err
	}
	c := *bad
	c.Problem += " (" + strategy
	for i, axis := range axes {
		c.Problem += fmt.Sprintf(", %s = %v", axis.Path, p[i])
	}
	c.Problem += ")"
	return &c
}

// resolve reads the file at point p. With a strategy's index it keeps only that
// one, with its overrides of [model] and [hardware] applied.
func (f *File) resolve(axes []Axis, p point, strategy int) (Spec, error) {
	var spec Spec
	tree := copyTree(f.tree).(map[string]any)
	for i, axis := range axes {
		if err := put(tree, axis.Path, p[i]); err != nil {
			return spec, err
		}
	}
	if err := mergeBuiltin(tree); err != nil {
		return spec, err
	}
	if strategy >= 0 {
		selectStrategy(tree, strategy)
	}
	return spec, strict.Decode(tree, &spec)
}

// mergeBuiltin replaces the name of a built-in workload by what it stands for.
func mergeBuiltin(tree map[string]any) error {
	user, _ := tree["workload"].(map[string]any)
	name, _ := user["name"].(string)
	if name == "" {
		return nil
	}
	base, err := workloads.Builtin(name)
	if err != nil {
		return underTable("workload", err)
	}
	tree["workload"] = workloads.Merge(base, user)
	return nil
}

// selectStrategy keeps one strategy and applies its overrides.
func selectStrategy(tree map[string]any, index int) {
	tables, _ := tree["strategy"].([]map[string]any)
	table := tables[index]
	tree["strategy"] = []map[string]any{table}
	for _, part := range []string{"model", "hardware"} {
		over, ok := table[part].(map[string]any)
		if !ok {
			continue
		}
		base, _ := tree[part].(map[string]any)
		tree[part] = overlay(base, over)
	}
}
