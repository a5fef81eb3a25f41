package results

import (
	"math"

	"kneepoint/sim/metrics"
)

// ScaledAttainment is the share of all requests offered that would meet the objective if
// all its bounds were multiplied by a scale, over the replications. At a scale of 1 it is
// the attainment.
type ScaledAttainment struct {
	Scale      float64          `json:"scale"`
	Attainment metrics.Estimate `json:"attainment"`
}

// byScale are the attainments of the group at metrics.Scales; nil without an objective.
// Where all runs saw the same traffic there are no intervals.
func (g *group) byScale() []ScaledAttainment {
	var all []ScaledAttainment
	for k, scale := range metrics.Scales {
		var values []float64
		for _, run := range g.runs {
			if k < len(run.ByScale) {
				values = append(values, run.ByScale[k])
			}
		}
		if len(values) == 0 {
			return nil
		}
		estimate := metrics.NewEstimate(values)
		if g.sameTraffic() {
			estimate.Half = math.NaN()
		}
		all = append(all, ScaledAttainment{scale, estimate})
	}
	return all
}
