package results

import (
	"maps"

	"kneepoint/sim/metrics"
)

// shown are the metrics that tables, curves and knees are made of: those of the whole run,
// but of a closed loop those of its steady state, as far as they are about requests.
func (r *Run) shown() metrics.Values {
	if r.SteadyState == nil {
		return r.Metrics
	}
	values := maps.Clone(r.Metrics)
	maps.Copy(values, r.Steady)
	return values
}
