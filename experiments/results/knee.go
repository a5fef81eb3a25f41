package results

import (
	"cmp"
	"math"
	"slices"

	"kneepoint/sim/metrics"
)

// KneeKind says what is known of a knee.
type KneeKind string

const (
	// KneeInterpolated lies between two swept points: the last one that meets
	// the objective and the first that does not.
	KneeInterpolated KneeKind = "interpolated"
	// KneeBeyond means that every swept point meets the objective: the knee is
	// at the last point or beyond it.
	KneeBeyond KneeKind = "beyond"
	// KneeBelow means that no swept point meets the objective, or without one
	// that all saturate.
	KneeBelow KneeKind = "below"
	// KneePower is Kleinrock's power knee, the swept point of largest
	// throughput / latency, used without an SLO.
	KneePower KneeKind = "power"
)

// Knee is the largest load that still meets the service level objective.
type Knee struct {
	Kind  KneeKind `json:"kind"`
	Value float64  `json:"value"` // of the first swept variable, in its unit; for KneeBelow the lowest load
}

// load is one swept load and what was measured there.
type load struct {
	value, attainment, power float64
	saturated                bool
}

// knee finds the largest swept load at which the share of requests that meet
// the objective is at least target; without an objective, the load of largest
// throughput / latency. It is nil when the first axis is not a load.
func (p *Plan) knee(s *Series, target float64) *Knee {
	if len(p.Sweep) == 0 || !p.Sweep[0].IsLoad() {
		return nil
	}
	loads := s.loads()
	if len(loads) == 0 {
		return nil
	}
	if !slices.ContainsFunc(loads, func(at load) bool { return !math.IsNaN(at.attainment) }) { // nobody has an objective
		return powerKnee(loads)
	}
	return attainmentKnee(loads, target, p.Sweep[0].Geometric())
}

// loads are the points of a curve whose swept value is a number, by that number.
func (s *Series) loads() []load {
	var all []load
	for i := range s.Points {
		point := &s.Points[i]
		v, ok := point.Value.Number()
		if !ok {
			continue
		}
		all = append(all, load{value: v, attainment: point.mean(metrics.Attainment), saturated: point.Saturated == Yes,
			power: point.mean(metrics.RequestThroughput) / point.mean(metrics.MeanE2EL)})
	}
	slices.SortFunc(all, func(a, b load) int { return cmp.Compare(a.value, b.value) })
	return all
}

// attainmentKnee interpolates the attainment between the last load that meets
// the target and the next one: along the line that a figure draws, which is
// straight over the logarithm of the load where the axis is geometric.
func attainmentKnee(points []load, target float64, geometric bool) *Knee {
	for i := len(points) - 1; i >= 0; i-- {
		at := points[i]
		if !(at.attainment >= target) {
			continue
		}
		if i == len(points)-1 {
			return &Knee{Kind: KneeBeyond, Value: at.value}
		}
		next := points[i+1]
		share := (at.attainment - target) / (at.attainment - next.attainment)
		if math.IsNaN(share) {
			share = 0
		}
		value := at.value + share*(next.value-at.value)
		if geometric {
			value = at.value * math.Pow(next.value/at.value, share)
		}
		return &Knee{Kind: KneeInterpolated, Value: value}
	}
	return &Knee{Kind: KneeBelow, Value: points[0].value}
}

// powerKnee is the swept load of largest throughput / latency, among those that
// do not saturate: where one does, latency depends on the length of the run.
func powerKnee(points []load) *Knee {
	knee := &Knee{Kind: KneeBelow, Value: points[0].value}
	power := math.Inf(-1)
	for _, p := range points {
		if !p.saturated && p.power > power {
			knee, power = &Knee{Kind: KneePower, Value: p.value}, p.power
		}
	}
	return knee
}
