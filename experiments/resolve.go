package experiments

import (
	"errors"
	"fmt"
	"strings"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
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
		return nil, f.named(bad).In(f.Path)
	}
	return e, err
}

// named calls a strategy in a key by its name instead of its number.
func (f *File) named(e *badinput.Error) *badinput.Error {
	tables, _ := f.tree["strategy"].([]map[string]any)
	for i, table := range tables {
		number := fmt.Sprintf("strategy[%d].", i)
		if rest, ok := strings.CutPrefix(e.Key, number); ok && rest != "name" && table["name"] != nil {
			c := *e
			c.Key = fmt.Sprintf("strategy %q.%s", table["name"], rest)
			return &c
		}
	}
	return e
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
	if err := e.checkExpectations(); err != nil {
		return nil, err
	}
	if err := e.checkClaims(); err != nil {
		return nil, err
	}
	if err := e.checkPriorities(); err != nil {
		return nil, err
	}
	cache := &traceCache{}
	for _, p := range e.points {
		for i := range e.Spec.Strategies {
			spec, err := f.resolve(axes, p, i)
			if err == nil {
				err = e.addJobs(spec, p, cache)
			}
			if err != nil {
				return nil, e.located(&e.Spec.Strategies[i], p, err)
			}
		}
	}
	return e, nil
}

// located adds to wrong input of one simulation what led to it: the strategy,
// when it is one of several and the key is its own or it overrides what is built,
// and the swept variables of the table in question.
func (e *Experiment) located(strategy *StrategySpec, p point, err error) error {
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return err
	}
	root, _, _ := strings.Cut(bad.Key, ".")
	var causes []string
	overrides := strategy.Model != nil || strategy.Hardware != nil
	if root == "strategy" && len(e.Spec.Strategies) > 1 || (root == "model" || root == "hardware") && overrides {
		causes = append(causes, fmt.Sprintf("strategy %q", strategy.Name))
	}
	for i, axis := range e.Axes {
		if swept, _, _ := strings.Cut(axis.Path, "."); (swept == root || swept == "strategy") && axis.Path != bad.Key {
			causes = append(causes, fmt.Sprintf("%s = %v", axis.Path, p[i]))
		}
	}
	if len(causes) == 0 {
		return bad
	}
	c := *bad
	c.Problem += " (" + strings.Join(causes, ", ") + ")"
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
	err := strict.Decode(tree, &spec)
	spec.folder = f.Folder
	return spec, err
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
		return badinput.Under("workload", err)
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
