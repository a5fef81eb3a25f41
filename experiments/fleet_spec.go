package experiments

import (
	"fmt"

	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// FleetSpec is the [fleet] table: who sends requests to which replicas, and what pools
// these are in. Without pools they are those of hardware.replicas.
type FleetSpec struct {
	Router string `toml:"router" oneof:"@routers"`
	RouterKeys
	SignalInterval  units.Seconds  `toml:"signal_interval" check:"nonnegative"` // 0: at every change
	SignalDelay     units.Seconds  `toml:"signal_delay" check:"nonnegative"`
	CountDispatches bool           `toml:"count_dispatches"`
	RegretSamples   int            `toml:"regret_samples" check:"nonnegative" most:"10000"` // requests of a run that are looked back at
	Queue           *QueueSpec     `toml:"queue"`                                           // nil: requests wait at the replicas
	Transfer        *TransferSpec  `toml:"transfer"`                                        // between pools of which some prefill and some decode
	KVSharing       *KVSharingSpec `toml:"kv_sharing"`                                      // of prompts; nil: each replica computes what it has not cached
	Autoscale       *AutoscaleSpec `toml:"autoscale"`                                       // of each pool; nil: all have as many replicas all the time
	Startup         *StartupSpec   `toml:"startup"`                                         // nil: as the engine has it
	Restart         *RestartSpec   `toml:"restart"`                                         // of each pool; nil: none
	Pools           []PoolSpec     `toml:"pool"`
	Failures        []FailureSpec  `toml:"failure"`
}

// SetDefaults is what there is without the table: requests go to the replicas in turn.
func (f *FleetSpec) SetDefaults() { f.Router, f.CountDispatches = "round-robin", true }

// Words are the names in the table of routers.
func (*FleetSpec) Words(string) []string { return policies.Names(routing.Routers) }

// Validate checks what concerns several pools.
func (f *FleetSpec) Validate() error {
	names := map[string]bool{}
	for i, pool := range f.Pools {
		if names[pool.Name] {
			return &badinput.Error{Key: fmt.Sprintf("pool[%d].name", i), Value: pool.Name,
				Problem: "another pool has this name; names must be unique"}
		}
		names[pool.Name] = true
	}
	if err := f.checkSignals(); err != nil {
		return err
	}
	return f.checkRoles()
}

// The most reports of a replica that are on their way at a time, and how often it makes them
// at most: each costs time and memory, whether the router looks at it or not.
const (
	mostReports      = 1000
	shortestInterval = 1e-3
)

// checkSignals refuses reports that are more than anybody sends.
func (f *FleetSpec) checkSignals() error {
	switch interval := f.SignalInterval; {
	case interval == 0:
		return nil
	case interval < shortestInterval:
		return &badinput.Error{Key: "signal_interval", Value: interval.String(), Problem: "too short",
			Allowed: fmt.Sprintf(`"0s", or from %q on`, units.Seconds(shortestInterval))}
	case f.SignalDelay > mostReports*interval:
		return &badinput.Error{Key: "signal_delay", Value: f.SignalDelay.String(),
			Problem: fmt.Sprintf("too long for reports every %s", interval),
			Allowed: fmt.Sprintf("at most %d times signal_interval", mostReports)}
	}
	return nil
}

// checkRoles refuses pools of which some have no use without others that are not there.
func (f *FleetSpec) checkRoles() error {
	first := map[string]*PoolSpec{}
	for i := range f.Pools {
		if pool := &f.Pools[i]; first[pool.Role] == nil {
			first[pool.Role] = pool
		}
	}
	for role, other := range map[string]string{"prefill": "decode", "decode": "prefill"} {
		if pool := first[role]; pool != nil && first[other] == nil {
			return &badinput.Error{
				Key:     fmt.Sprintf("pool %q.role", pool.Name),
				Value:   role,
				Problem: fmt.Sprintf("there is no pool with role = %q, and this one does nothing else than %s", other, role),
				Allowed: fmt.Sprintf(`another pool with role = %q, or role = "both"`, other),
			}
		}
	}
	return nil
}

// PoolSpec is one [[fleet.pool]] table: replicas that are alike. Its own keys of [model],
// [hardware] and [[strategy]] win over those of the strategy, and these over the
// top level's; those of [fleet.autoscale], [fleet.startup] and [fleet.restart] win over the fleet's.
type PoolSpec struct {
	Name      string         `toml:"name" required:"true"`
	Role      string         `toml:"role" oneof:"both prefill decode"`
	Replicas  int            `toml:"replicas" check:"nonnegative" most:"100000"` // at the start of a run
	Weight    float64        `toml:"weight" check:"positive"`
	Classes   []string       `toml:"classes"` // names of clients; none: all
	Model     map[string]any `toml:"model"`
	Hardware  map[string]any `toml:"hardware"`
	Strategy  map[string]any `toml:"strategy"`
	Autoscale map[string]any `toml:"autoscale"`
	Startup   map[string]any `toml:"startup"`
	Restart   map[string]any `toml:"restart"`
}

// SetDefaults is one replica that serves all requests from their start to their end.
func (p *PoolSpec) SetDefaults() { *p = PoolSpec{Role: "both", Replicas: 1, Weight: 1} }

// Validate refuses keys that a pool cannot have of its own.
func (p *PoolSpec) Validate() error {
	if err := oneLine("name", p.Name); err != nil {
		return err
	}
	if value, given := p.Hardware["replicas"]; given {
		return &badinput.Error{Key: "hardware.replicas", Value: value, Problem: "has no effect in a pool",
			Allowed: "replicas, of [[fleet.pool]] itself"}
	}
	for _, key := range []string{"name", "order", "model", "hardware", "fleet"} {
		if value, given := p.Strategy[key]; given {
			return &badinput.Error{Key: "strategy." + key, Value: value, Problem: "has no effect in a pool", Allowed: poolsOwn[key]}
		}
	}
	return nil
}

// poolsOwn says where keys stand that a pool's own strategy cannot have.
var poolsOwn = map[string]string{
	"name":     "name, of [[fleet.pool]] itself",
	"order":    "order, of [[strategy]]: all pools have the same",
	"model":    "[fleet.pool.model]",
	"hardware": "[fleet.pool.hardware]",
	"fleet":    "[strategy.fleet]",
}
