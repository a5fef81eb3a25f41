package scenario

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/policies/scaling"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// Scaling changes the number of a pool's replicas during a run.
type Scaling struct {
	Scaler     string // of scaling.Scalers
	Parameters scaling.Parameters
	Min, Max   int // replicas; Max of 0: no limit
}

// Startup is how long a replica takes from its order until it takes requests: the
// provisioning of a node, the pull of its image, and the engine's cold start.
type Startup struct {
	Provisioning, ImagePull units.Seconds

	LoadFrom     hardware.Storage // of the weights; zero: what the engine says
	ColdStart    *units.Seconds   // of the engine until it is ready; nil: by its profile and LoadFrom
	FirstRequest *units.Seconds   // by which the first step takes longer; nil: by the profile

	WarmPool int            // replicas that are kept asleep
	WakeUp   *units.Seconds // of one of these; nil: by the profile

	Exponential bool // times vary so from replica to replica; otherwise they are always the same
	Cold        bool // the replicas of the start of the run are ordered then, too
}

// setScaling sets how the pool's replicas come and go, of the pool with an index.
func (p *Pool) setScaling(pool *sim.Pool, s *Scenario, i int, server *server) (err error) {
	if p.Startup != nil {
		if pool.Startup, err = p.Startup.engine(server); err != nil {
			return err
		}
		if p.Startup.Exponential {
			pool.Startup.Factor = s.startupFactor(i)
		}
	}
	if p.Scaling == nil {
		return nil
	}
	entry, known := policies.Find(scaling.Scalers, p.Scaling.Scaler)
	if !known {
		return unknown("fleet.autoscale.scaler", p.Scaling.Scaler)
	}
	parameters := p.Scaling.Parameters
	parameters.Replicas = p.Replicas
	if parameters.Metric == scaling.SLOAttainment && !s.Objectives.set() {
		return &badinput.Error{Key: "fleet.autoscale.metric", Value: string(parameters.Metric), Problem: "there is no [slo] that requests could meet",
			Allowed: "another metric, or bounds in [slo]"}
	}
	pool.Scaling = &sim.Scaling{
		Scaler: func() scaling.Scaler { return entry.New(parameters) },
		Bounds: scaling.Bounds{Min: p.Scaling.Min, Max: p.Scaling.Max, IdleTimeout: parameters.IdleTimeout},
		Met:    s.Objectives.met,
	}
	return nil
}

// startupFactor multiplies the times of a pool's startups, with a mean of 1.
func (s *Scenario) startupFactor(pool int) func(n int) float64 {
	return func(n int) float64 {
		return workloads.StreamOf(s.Seed, s.Replication, workloads.StreamStartups, n*len(s.Pools)+pool).ExpFloat64()
	}
}

// engine is what the engine knows of a startup: times.
func (u *Startup) engine(server *server) (sim.Startup, error) {
	own, err := u.parts(server)
	if err != nil {
		return own, err
	}
	own.Cold += u.Provisioning + u.ImagePull
	own.WarmPool, own.AtStart = u.WarmPool, u.Cold
	return own, nil
}

// parts are the times of the engine, as they are given or else by its profile.
func (u *Startup) parts(server *server) (times sim.Startup, err error) {
	known := false
	if d := server.deployment; d != nil {
		start, says := d.ColdStart(u.LoadFrom)
		known = says
		times.Cold, times.FirstRequest, times.Warm = start.Ready(), start.FirstRequest, start.WakeUp
	}
	if u.ColdStart != nil {
		times.Cold, known = *u.ColdStart, true
	}
	if u.FirstRequest != nil {
		times.FirstRequest = *u.FirstRequest
	}
	if u.WakeUp != nil {
		times.Warm = *u.WakeUp
	}
	switch {
	case !known:
		return times, &badinput.Error{Key: "fleet.startup.cold_start", Problem: "missing: nothing is known of how the engine starts", Allowed: `a time like "60s"`}
	case u.WarmPool > 0 && u.WakeUp == nil && times.Warm == 0:
		return times, &badinput.Error{Key: "fleet.startup.wake_up", Problem: "missing: nothing is known of how the engine wakes up", Allowed: `a time like "5s"`}
	}
	return times, nil
}

// assumptions are what the times of the engine's cold start rest on besides
// measurements.
func (u *Startup) assumptions(server *server) []string {
	if u == nil || u.ColdStart != nil || server.deployment == nil {
		return nil
	}
	return server.deployment.ColdStartEstimated(u.LoadFrom)
}

// set tells whether any request has an objective.
func (o *Objectives) set() bool {
	any := o.All.Set()
	for _, class := range o.Classes {
		any = any || class.Set()
	}
	return any
}

// met tells whether a completed request meets its objective.
func (o *Objectives) met(r *metrics.Request) bool {
	if len(o.Classes) > 0 {
		return o.Classes[r.Class].Met(r)
	}
	return o.All.Met(r)
}
