package experiments

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/scenario"
	"kneepoint/internal/strict"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units/badinput"
)

// router is the entry of the strategy's router; the first one where the file has no fleet.
func (s *Spec) router() routing.Entry {
	if s.Fleet == nil {
		return routing.Routers[0]
	}
	return entry(routing.Routers, s.Fleet.Router)
}

// fleet is the fleet of the only strategy as a value, without the keys that its router does
// not read. That of a fleet that is as without the table is zero.
func (s *Spec) fleet() (scenario.Fleet, error) {
	var f scenario.Fleet
	if s.Fleet == nil {
		return f, nil
	}
	f.Queue, f.RegretSamples = (*scenario.Queue)(s.Fleet.Queue), s.Fleet.RegretSamples
	var err error
	if f.Transfer, err = s.transfer(); err != nil {
		return f, err
	}
	if f.Sharing, err = s.sharing(); err != nil {
		return f, err
	}
	router := s.router()
	if router.Name == routing.Routers[0].Name {
		return f, nil
	}
	f.Router, f.Parameters = router.Name, s.Fleet.parameters(&router)
	if router.Reads("signal_interval") {
		f.SignalInterval, f.SignalDelay = s.Fleet.SignalInterval, s.Fleet.SignalDelay
		f.IgnoreDispatches = !s.Fleet.CountDispatches && (f.SignalInterval > 0 || f.SignalDelay > 0)
	}
	return f, s.checkCaching(&router)
}

// checkCaching refuses a router that asks for cached prefixes where no replica has any.
func (s *Spec) checkCaching(router *routing.Entry) error {
	cached := false
	_ = s.eachPool(func(_ *PoolSpec, own *Spec) error {
		cached = cached || *own.Strategies[0].KV.EnablePrefixCaching
		return nil
	})
	if cached || !router.PrefixCaching {
		return nil
	}
	return &badinput.Error{
		Key:     "fleet.router",
		Value:   router.Name,
		Problem: "looks for cached prefixes, and no replica has prefix caching",
		Allowed: "kv.enable_prefix_caching, or another router",
	}
}

// scenarioPools are the pools of the only strategy as scenarios have them. The only pool
// has no name.
func (s *Spec) scenarioPools(common *shared) ([]scenario.Pool, error) {
	if err := s.checkFailures(); err != nil {
		return nil, err
	}
	var all []scenario.Pool
	err := s.eachPool(func(pool *PoolSpec, own *Spec) error {
		x, err := own.replicas(common)
		if err == nil && pool != nil {
			err = s.completePool(&x, pool)
		}
		if err == nil {
			err = own.scale(&x)
		}
		if err == nil && x.Replicas == 0 && x.Scaling == nil {
			err = &badinput.Error{Key: fmt.Sprintf("fleet.pool %q.replicas", pool.Name), Value: 0, Problem: "there would never be a replica",
				Allowed: "from 1, or [fleet.autoscale] with min_replicas = 0"}
		}
		all = append(all, x)
		return err
	})
	if err != nil || len(s.pools) == 0 {
		return all, err
	}
	if len(all) == 1 {
		all[0].Name = ""
	}
	return all, s.checkServed()
}

// replicas are those that the file describes without pools.
func (s *Spec) replicas(common *shared) (scenario.Pool, error) {
	if err := s.checkDraft(); err != nil {
		return scenario.Pool{}, err
	}
	deployment, err := s.deployment(common)
	return scenario.Pool{Replicas: s.Hardware.Replicas, Deployment: deployment, Strategy: s.Strategies[0].forScenario()}, err
}

// completePool gives a pool what [[fleet.pool]] says of it.
func (s *Spec) completePool(into *scenario.Pool, pool *PoolSpec) error {
	into.Name, into.Replicas = pool.Name, pool.Replicas
	if pool.Role != "both" {
		into.Role = pool.Role
	}
	if pool.Weight != 1 && s.router().Reads("weight") {
		into.Weight = pool.Weight
	}
	names := s.Workload.ClientNames()
	for i, class := range pool.Classes {
		index := slices.Index(names, class)
		if index < 0 || len(s.Workload.Client) == 0 {
			return unknownClass(pool, i, names)
		}
		into.Classes = append(into.Classes, index)
	}
	slices.Sort(into.Classes)
	into.Classes = slices.Compact(into.Classes)
	return nil
}

// unknownClass is the error of a class of a pool that no client has.
func unknownClass(pool *PoolSpec, i int, names []string) error {
	err := &badinput.Error{
		Key:     fmt.Sprintf("fleet.pool %q.classes[%d]", pool.Name, i),
		Value:   pool.Classes[i],
		Problem: "no client has this name",
		Allowed: strings.Join(names, ", "),
		Nearest: badinput.Nearest(pool.Classes[i], names),
	}
	if len(names) == 0 {
		err.Problem, err.Allowed = "there are no classes of clients", "[[workload.client]] tables, or no classes"
	}
	return err
}

// checkServed refuses classes of requests that no pool serves to their end.
func (s *Spec) checkServed() error {
	names := s.Workload.ClientNames()
	for _, class := range names {
		roles := map[string]bool{}
		for _, pool := range s.Fleet.Pools {
			if len(pool.Classes) == 0 || slices.Contains(pool.Classes, class) {
				roles[pool.Role] = true
			}
		}
		missing := ""
		switch {
		case roles["decode"] && !roles["prefill"]:
			missing = "prefill"
		case roles["prefill"] && !roles["decode"]:
			missing = "decode"
		case !roles["prefill"] && !roles["both"]:
			missing = "both"
		default:
			continue
		}
		return &badinput.Error{
			Key:     "fleet.pool",
			Problem: fmt.Sprintf("requests of client %q have no pool with role = %q", class, missing),
			Allowed: "a pool that names it in classes, or one without classes",
		}
	}
	return nil
}

// fleetUses are the keys of fleets that not every one reads: hardware.replicas where
// there are no pools, and what the router looks at.
func (s *Spec) fleetUses() []keyUse {
	uses := []keyUse{{s.Hardware.Replicas != 1, len(s.pools) == 0, badinput.Error{
		Key:     "hardware.replicas",
		Value:   s.Hardware.Replicas,
		Problem: "has no effect beside [[fleet.pool]]",
		Allowed: "replicas of the pools",
	}}}
	if s.Fleet == nil {
		return uses
	}
	uses = append(uses, keyUse{s.Fleet.Transfer != nil, s.apart(), badinput.Error{
		Key:     "fleet.transfer",
		Problem: "has no effect: no pool sends keys and values",
		Allowed: `only beside pools with role = "prefill" and role = "decode"`,
	}})
	router, f := s.router(), s.Fleet
	uses = append(uses, keyUse{f.RegretSamples > 0, len(s.pools) > 0 || s.Hardware.Replicas > 1 || f.Autoscale != nil, badinput.Error{
		Key:     "fleet.regret_samples",
		Value:   f.RegretSamples,
		Problem: "has no effect: there is no other replica to send a request to",
		Allowed: "only with several replicas",
	}})
	parameters := f.parameters(&router)
	use := func(key, full string, value any, changed bool) {
		wrong := badinput.Error{
			Key:     full,
			Value:   value,
			Problem: fmt.Sprintf("has no effect with router = %q", router.Name),
			Allowed: "only with router one of " + strings.Join(readers(key), ", "),
		}
		if router.Reads(key) {
			wrong.Problem += fmt.Sprintf(" and index = %q", parameters.Index)
			wrong.Allowed = fmt.Sprintf("only with index = %q", routing.ApproximateIndex)
		}
		uses = append(uses, keyUse{changed, router.ReadsWith(key, &parameters), wrong})
	}
	given := strict.Encode(&f.RouterKeys)
	for _, key := range slices.Sorted(maps.Keys(given)) {
		use(key, "fleet."+key, given[key], true)
	}
	use("signal_interval", "fleet.signal_interval", f.SignalInterval.String(), f.SignalInterval != 0)
	use("signal_delay", "fleet.signal_delay", f.SignalDelay.String(), f.SignalDelay != 0)
	use("count_dispatches", "fleet.count_dispatches", f.CountDispatches, !f.CountDispatches)
	for _, pool := range f.Pools {
		use("weight", fmt.Sprintf("fleet.pool %q.weight", pool.Name), pool.Weight, pool.Weight != 1)
		if limit, given := pool.Strategy["max_waiting"]; given && pool.Role == "decode" {
			uses = append(uses, keyUse{true, f.Transfer != nil && f.Transfer.MinTokens > 0, badinput.Error{
				Key:     fmt.Sprintf("fleet.pool %q.strategy.max_waiting", pool.Name),
				Value:   limit,
				Problem: "has no effect: no request is refused whose prompt another pool has computed",
				Allowed: "max_waiting of the pool that prefills, or fleet.transfer.min_tokens",
			}})
		}
	}
	return uses
}

// readers are the routers that read a key.
func readers(key string) []string {
	return policies.Names(policies.Where(routing.Routers, func(r routing.Entry) bool { return r.Reads(key) }))
}
