package experiments

import (
	"maps"

	"kneepoint/experiments/results"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// resolve reads the file at point p into a Spec. With a strategy's index it keeps only
// that one, with its overrides of [model], [hardware] and [fleet] applied; with -1 it keeps all,
// and applies none. The file's tree stays as it is.
func (f *File) resolve(axes []results.Axis, p point, strategy int, common *shared) (Spec, error) {
	var spec Spec
	// The point comes first, so that a swept key of a built-in workload counts as
	// the user's own; the strategy's overrides come last, since they win.
	tree := f.treeAt(axes, p, strategy)
	for i, axis := range axes {
		if err := setKey(tree, axis.Path, p[i]); err != nil {
			return spec, err
		}
	}
	if err := mergeBuiltin(tree, common); err != nil {
		return spec, err
	}
	if workload, err := common.withQuantiles(f.Folder, tree["workload"]); err != nil {
		return spec, badinput.Under("workload", err)
	} else if workload != nil {
		tree["workload"] = workload
	}
	if strategy >= 0 {
		if err := selectStrategy(tree, strategy); err != nil {
			return spec, err
		}
	}
	if err := strict.Decode(tree, &spec); err != nil {
		return spec, withPoolName(tree, err)
	}
	spec.folder = f.Folder
	if strategy < 0 {
		return spec, nil
	}
	if err := spec.resolvePools(tree); err != nil {
		return spec, err
	}
	return spec, spec.eachPool(func(_ *PoolSpec, own *Spec) error { return own.checkDescribed() })
}

// treeAt is a copy of the file's tree. That of one strategy at a point has a sweep of this
// point alone, and no figures, which are of all: to copy these for each would take a long
// sweep minutes.
func (f *File) treeAt(axes []results.Axis, p point, strategy int) map[string]any {
	if strategy < 0 || len(axes) == 0 {
		return copyTree(f.tree).(map[string]any)
	}
	tree, here := maps.Clone(f.tree), map[string]any{}
	for i, axis := range axes {
		here[axis.Path] = []any{p[i]}
	}
	tree["sweep"] = here
	delete(tree, "plot")
	return copyTree(tree).(map[string]any)
}

// mergeBuiltin puts the table of a built-in workload in place of its name; keys beside
// the name win over the table's.
func mergeBuiltin(tree map[string]any, common *shared) error {
	user, _ := tree["workload"].(map[string]any)
	name, _ := user["name"].(string)
	if name == "" {
		return nil
	}
	base, err := common.builtinWorkload(name)
	if err != nil {
		return badinput.Under("workload", err)
	}
	tree["workload"] = workloads.Merge(base, user)
	return nil
}

// selectStrategy keeps one strategy and applies its overrides. These stay in the
// strategy's table too: tables of results and messages tell from them that the
// strategy differs in its deployment.
func selectStrategy(tree map[string]any, index int) error {
	tables := strict.Tables(tree["strategy"])
	table := tables[index]
	tree["strategy"] = []map[string]any{table}
	for _, part := range []string{"model", "hardware", "fleet"} {
		over, ok := table[part].(map[string]any)
		if !ok {
			continue
		}
		base, _ := tree[part].(map[string]any)
		if part == "fleet" {
			var err error
			if over, err = withPools(base, over); err != nil {
				return err
			}
		}
		tree[part] = overlay(base, over)
	}
	return nil
}
