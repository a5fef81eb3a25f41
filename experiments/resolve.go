package experiments

import (
	"errors"
	"fmt"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// Experiment is what a file asks for: a sweep of points, strategies at each, and a
// scenario for every strategy at every point, in as many replications.
type Experiment struct {
	File    *File
	Spec    Spec // without sweep values and strategies' overrides
	Axes    []results.Axis
	points  []point
	cells   []cell
	builder *scenario.Builder
}

// cell is a strategy at a point.
type cell struct {
	strategy string
	point    point
	slo      results.SLO
	facts    results.Deployment
	scenario scenario.Scenario // of the first replication
	warnings []results.Warning // that hold before anything is simulated
}

// Check resolves the file and builds every strategy at every point once, so that
// whatever is wrong is found before anything is simulated.
func (f *File) Check() (*Experiment, error) {
	e, err := f.resolveAll(&scenario.Traces{})
	if err == nil {
		err = e.check()
	}
	if err != nil {
		return nil, f.locate(err)
	}
	return e, nil
}

// Resolve reads every key of the file at every point for every strategy. What
// depends on several of them, such as whether the model fits, is found by Check,
// or when a scenario is built. The traces that are replayed are added to traces.
func (f *File) Resolve(traces *scenario.Traces) (*Experiment, error) {
	e, err := f.resolveAll(traces)
	return e, f.locate(err)
}

// locate names the file and the strategy that wrong input concerns.
func (f *File) locate(err error) error {
	var bad *badinput.Error
	if errors.As(err, &bad) {
		return f.named(bad).In(f.Path)
	}
	return err
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

// resolveAll makes the scenario of every strategy at every point.
func (f *File) resolveAll(traces *scenario.Traces) (*Experiment, error) {
	axes, err := f.axesOf()
	if err != nil {
		return nil, err
	}
	// Swept keys may be missing outside the sweep, so the file is read with the
	// first value of each.
	sweep, _ := f.tree["sweep"].(map[string]any)
	e := &Experiment{File: f, Axes: axes, points: points(axes, sweep["mode"] == "zip"), builder: scenario.NewBuilder(traces)}
	common := newShared(f.Traces, traces)
	if e.Spec, err = f.resolve(axes, e.points[0], -1, common); err != nil {
		return nil, err
	}
	if err := e.checkAcrossTables(); err != nil {
		return nil, err
	}
	for _, p := range e.points {
		for i := range e.Spec.Strategies {
			if err := e.addCell(p, i, common); err != nil {
				return nil, e.located(&e.Spec.Strategies[i], p, err)
			}
		}
	}
	return e, nil
}

// checkAcrossTables refuses tables that are about strategies, places or classes
// that are not there.
func (e *Experiment) checkAcrossTables() error {
	for _, check := range []func() error{e.checkExpectations, e.checkClaims, e.checkPriorities} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// addCell resolves a strategy at a point.
func (e *Experiment) addCell(p point, strategy int, common *shared) error {
	spec, err := e.File.resolve(e.Axes, p, strategy, common)
	if err != nil {
		return err
	}
	x, err := spec.scenario(common)
	if err != nil {
		return err
	}
	e.cells = append(e.cells, cell{strategy: spec.Strategies[0].Name, point: p,
		slo: spec.SLO.plain(), facts: spec.deploymentFacts(), scenario: x})
	return nil
}

// check builds every strategy at every point once.
func (e *Experiment) check() error {
	for i := range e.cells {
		c := &e.cells[i]
		rests, err := e.builder.Check(c.scenario, e.Spec.Replications)
		if err != nil {
			return e.located(&e.Spec.Strategies[i%len(e.Spec.Strategies)], c.point, err)
		}
		c.warnings = warningsOf(rests)
	}
	return nil
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
func (f *File) resolve(axes []results.Axis, p point, strategy int, common *shared) (Spec, error) {
	var spec Spec
	tree := copyTree(f.tree).(map[string]any)
	for i, axis := range axes {
		if err := put(tree, axis.Path, p[i]); err != nil {
			return spec, err
		}
	}
	if err := mergeBuiltin(tree, common); err != nil {
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
func mergeBuiltin(tree map[string]any, common *shared) error {
	user, _ := tree["workload"].(map[string]any)
	name, _ := user["name"].(string)
	if name == "" {
		return nil
	}
	base, err := common.builtin(name)
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
