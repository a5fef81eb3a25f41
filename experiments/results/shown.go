package results

import (
	"maps"

	"kneepoint/sim/metrics"
)

// Shown are the metrics that tables, curves and knees are made of: those of the whole run,
// but of a closed loop those of its steady state, as far as they are about requests.
func (r *Run) Shown() metrics.Values {
	if r.SteadyState == nil {
		return r.Metrics
	}
	values := maps.Clone(r.Metrics)
	maps.Copy(values, r.Steady)
	return values
}

// showsSteady tells whether what is shown of a metric is that of the steady state.
func (r *Run) showsSteady(key string) bool {
	_, there := r.Steady[key]
	return r.SteadyState != nil && there
}

// windowed are the metrics of the measuring window, beside those that are shown.
func (r *Run) windowed() metrics.Values {
	if r.SteadyState != nil {
		return nil
	}
	return r.Steady
}
