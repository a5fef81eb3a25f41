package experiments

import (
	"cmp"
	"math"
	"slices"
)

// load is one swept load and what was measured there.
type load struct {
	value, attainment, power float64
	saturated                bool
}

// knee finds the largest swept load at which the share of requests that meet
// the objective is at least slo.attainment; without an objective, the load of
// largest throughput / latency. It is nil when the first axis is not a load.
func (e *Experiment) knee(s *Series, slo *SLO) *Knee {
	if len(e.Axes) == 0 || !e.Axes[0].IsLoad() {
		return nil
	}
	var points []load
	for _, p := range s.Points {
		v, ok := Number(p.Value)
		if !ok {
			continue
		}
		at := load{value: v, attainment: math.NaN(), power: math.NaN(), saturated: p.Saturated}
		if x, ok := p.Metrics["slo_attainment"]; ok {
			at.attainment = x.Mean
		}
		if latency, ok := p.Metrics["mean_e2el_ms"]; ok {
			at.power = p.Metrics["request_throughput"].Mean / latency.Mean
		}
		points = append(points, at)
	}
	if len(points) == 0 {
		return nil
	}
	slices.SortFunc(points, func(a, b load) int { return cmp.Compare(a.value, b.value) })
	if !slices.ContainsFunc(points, func(at load) bool { return !math.IsNaN(at.attainment) }) { // nobody has an objective
		return powerKnee(points)
	}
	return attainmentKnee(points, slo.Attainment, e.Axes[0].Geometric())
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
