package experiments

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/internal/strict"
	"kneepoint/policies"
	"kneepoint/policies/scaling"
	"kneepoint/units/badinput"
)

// scale gives a pool what decides how many replicas it has during a run, what takes them away,
// and how long a new one takes.
func (s *Spec) scale(pool *scenario.Pool) (err error) {
	if s.Fleet == nil {
		return nil
	}
	if a := s.Fleet.Autoscale; a != nil {
		if err := a.begin(pool); err != nil {
			return badinput.Under("fleet.autoscale", err)
		}
	}
	for i := range s.Fleet.Failures {
		pool.Failures = append(pool.Failures, s.Fleet.Failures[i].forScenario())
	}
	pool.Restart = s.Fleet.Restart.forScenario()
	up := s.Fleet.Startup
	if !s.Fleet.startsReplicas() {
		return nil
	}
	pool.Startup, err = up.forScenario()
	return badinput.Under("fleet.startup", err)
}

// startsReplicas tells whether replicas start during a run, or at its start.
func (f *FleetSpec) startsReplicas() bool {
	repaired := func(f FailureSpec) bool { return f.Repair != nil && f.Slowdown == nil && f.Component == "replica" }
	return f.Autoscale != nil || f.Restart != nil || f.Startup != nil && f.Startup.Cold || slices.ContainsFunc(f.Failures, repaired)
}

// begin gives a pool the scaler, and the replicas that a schedule begins with.
func (a *AutoscaleSpec) begin(pool *scenario.Pool) error {
	p := a.parameters()
	if len(p.Steps) > 0 {
		pool.Replicas = p.Steps[0].Replicas
	}
	switch n := pool.Replicas; {
	case n < a.MinReplicas:
		return &badinput.Error{Key: "min_replicas", Value: a.MinReplicas, Problem: "is more than the replicas that there are at the start",
			Allowed: fmt.Sprintf("0 to %d, or more replicas", n)}
	case a.MaxReplicas > 0 && n > a.MaxReplicas:
		return &badinput.Error{Key: "max_replicas", Value: a.MaxReplicas, Problem: "is less than the replicas that there are at the start",
			Allowed: fmt.Sprintf("from %d, or fewer replicas", n)}
	}
	pool.Scaling = &scenario.Scaling{Scaler: a.Scaler, Parameters: p, Min: a.MinReplicas, Max: a.MaxReplicas}
	return nil
}

// forScenario is the table as a value, with the storage's bandwidth in place of its name.
// Without a table all is as the engine's profile has it.
func (s *StartupSpec) forScenario() (*scenario.Startup, error) {
	if s == nil {
		return &scenario.Startup{}, nil
	}
	up := &scenario.Startup{Provisioning: s.Provisioning, ImagePull: s.ImagePull, ColdStart: s.ColdStart, FirstRequest: s.FirstRequest,
		WarmPool: s.WarmPool, WakeUp: s.WakeUp, Exponential: s.Distribution == "exponential", Cold: s.Cold}
	if s.LoadFrom == "" {
		return up, nil
	}
	var err error
	up.LoadFrom, err = hardware.ParseStorage(s.LoadFrom)
	return up, badinput.At("load_from", err)
}

// scalingUses are the keys that not every scaler reads, or that only matter where replicas
// start.
func (s *Spec) scalingUses() []keyUse {
	if s.Fleet == nil {
		return nil
	}
	var uses []keyUse
	use := func(key string, changed, read bool, why, allowed string) {
		uses = append(uses, keyUse{changed, read, badinput.Error{Key: key, Problem: "has no effect " + why, Allowed: allowed}})
	}
	if a := s.Fleet.Autoscale; a != nil {
		given := strict.Encode(&a.ScalerKeys)
		for _, key := range slices.Sorted(maps.Keys(given)) {
			if key == "idle_timeout" && a.MinReplicas > 0 {
				use("fleet.autoscale.idle_timeout", true, false, "with min_replicas above 0", "min_replicas = 0")
				continue
			}
			readers := policies.Names(policies.Where(scaling.Scalers, func(e scaling.Entry) bool { return e.Reads(key) }))
			use("fleet.autoscale."+key, true, a.entry().Reads(key), fmt.Sprintf("with scaler = %q", a.Scaler),
				"only with scaler one of "+strings.Join(readers, ", "))
		}
	}
	if up := s.Fleet.Startup; up != nil {
		use("fleet.startup", true, s.Fleet.startsReplicas(), "where no replica starts",
			"cold = true, [fleet.autoscale], [fleet.restart], or a failure with repair")
		use("fleet.startup.load_from", up.LoadFrom != "", up.ColdStart == nil, "beside cold_start, which has the weights in it", "one of them")
		use("fleet.startup.warm_pool", up.WarmPool > 0, s.Fleet.Autoscale != nil, "where no replica comes or goes", "[fleet.autoscale]")
		use("fleet.startup.wake_up", up.WakeUp != nil, up.WarmPool > 0, "without a warm_pool: no replica sleeps", "warm_pool from 1")
	}
	return uses
}
