package experiments

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// resolvePools reads the file of one strategy as each pool of its fleet has it: the pool's
// own keys over the strategy's, and these over the top level's.
func (s *Spec) resolvePools(tree map[string]any) error {
	fleet, _ := tree["fleet"].(map[string]any)
	for i, pool := range strict.Tables(fleet["pool"]) {
		var own Spec
		if err := strict.Decode(treeOfPool(tree, pool), &own); err != nil {
			return ofPool(err, &s.Fleet.Pools[i])
		}
		own.folder = s.folder
		s.pools = append(s.pools, own)
	}
	return nil
}

// treeOfPool is the tree of one strategy in which what a pool says wins. Of the fleet it has
// what is each pool's.
func treeOfPool(tree, pool map[string]any) map[string]any {
	own := maps.Clone(tree)
	for _, part := range []string{"model", "hardware"} {
		base, _ := tree[part].(map[string]any)
		over, _ := pool[part].(map[string]any)
		own[part] = overlay(base, over)
	}
	shared, _ := tree["fleet"].(map[string]any)
	fleet := map[string]any{}
	for _, part := range []string{"autoscale", "startup", "restart"} {
		base, _ := shared[part].(map[string]any)
		over, _ := pool[part].(map[string]any)
		if base != nil || over != nil {
			fleet[part] = overlay(base, over)
		}
	}
	if failures := failuresOf(shared, pool); len(failures) > 0 {
		fleet["failure"] = failures
	}
	own["fleet"] = fleet
	over, _ := pool["strategy"].(map[string]any)
	own["strategy"] = []map[string]any{overlay(strict.Tables(tree["strategy"])[0], over)}
	return own
}

// eachPool calls do with the file as each pool has it, or as it is, and nil, where there are
// no pools. Wrong input is that of the pool.
func (s *Spec) eachPool(do func(pool *PoolSpec, own *Spec) error) error {
	if len(s.pools) == 0 {
		return do(nil, s)
	}
	for i := range s.pools {
		pool := &s.Fleet.Pools[i]
		if err := do(pool, &s.pools[i]); err != nil {
			return ofPool(err, pool)
		}
	}
	return nil
}

// ofPool says which pool wrong input concerns: in its key where the pool's own table has
// that, and else behind the problem.
func ofPool(err error, pool *PoolSpec) error {
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return err
	}
	c := *bad
	own := map[string]map[string]any{"model": pool.Model, "hardware": pool.Hardware, "strategy": pool.Strategy,
		"autoscale": pool.Autoscale, "startup": pool.Startup, "restart": pool.Restart}
	key := strings.TrimPrefix(strings.Replace(bad.Key, "strategy[0].", "strategy.", 1), "fleet.")
	table, rest, _ := strings.Cut(key, ".")
	if name := strings.FieldsFunc(rest, func(r rune) bool { return r == '.' || r == '[' }); len(name) > 0 && own[table][name[0]] != nil {
		c.Key = fmt.Sprintf("fleet.pool %q.%s", pool.Name, key)
	} else {
		c.Problem += fmt.Sprintf(" (pool %q)", pool.Name)
	}
	return &c
}

// withPoolName calls a pool in a key by its name instead of its number, as the tree has it.
func withPoolName(tree map[string]any, err error) error {
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return err
	}
	fleet, _ := tree["fleet"].(map[string]any)
	for i, pool := range strict.Tables(fleet["pool"]) {
		number := fmt.Sprintf("fleet.pool[%d].", i)
		if rest, ok := strings.CutPrefix(bad.Key, number); ok && rest != "name" && pool["name"] != nil {
			c := *bad
			c.Key = fmt.Sprintf("fleet.pool %q.%s", pool["name"], rest)
			return &c
		}
	}
	return err
}
