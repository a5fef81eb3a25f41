package experiments

import (
	"kneepoint/experiments/scenario"
	"kneepoint/units"
)

// RestartSpec is the [fleet.restart] table: a rolling restart of the replicas of a pool.
type RestartSpec struct {
	At             units.Seconds `toml:"at" required:"true" check:"nonnegative"` // from the start of the run
	MaxUnavailable int           `toml:"max_unavailable" check:"positive" most:"100000"`
}

// SetDefaults has one replica away at a time.
func (r *RestartSpec) SetDefaults() { r.MaxUnavailable = 1 }

// forScenario is the table as a value; nil without one.
func (r *RestartSpec) forScenario() *scenario.Restart {
	if r == nil {
		return nil
	}
	return &scenario.Restart{At: r.At, Together: r.MaxUnavailable}
}
