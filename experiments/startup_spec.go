package experiments

import "kneepoint/units"

// StartupSpec is the [fleet.startup] table: how long a replica takes from its order until
// it takes requests. What it does not say is as the engine's profile has it.
type StartupSpec struct {
	Provisioning units.Seconds  `toml:"provisioning" check:"nonnegative"` // of the node
	ImagePull    units.Seconds  `toml:"image_pull" check:"nonnegative"`
	LoadFrom     string         `toml:"load_from"` // a class of storage, or a bandwidth
	ColdStart    *units.Seconds `toml:"cold_start" check:"nonnegative"`
	FirstRequest *units.Seconds `toml:"first_request" check:"nonnegative"`
	WarmPool     int            `toml:"warm_pool" check:"nonnegative" most:"100000"`
	WakeUp       *units.Seconds `toml:"wake_up" check:"nonnegative"`
	Distribution string         `toml:"distribution" oneof:"fixed exponential"`
	Cold         bool           `toml:"cold"` // the replicas of the start of the run are ordered then, too
}

// SetDefaults has all replicas take the same time.
func (s *StartupSpec) SetDefaults() { s.Distribution = "fixed" }
