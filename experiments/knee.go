package experiments

import (
	"math"
	"slices"
)

// loads are the swept variables for which a knee has a meaning: more of them is
// more load.
var loads = []string{"workload.arrival.rate", "workload.arrival.concurrency"}

// load is one swept load and what was measured there.
type load struct {
	value, attainment, power float64
}

// knee finds the largest swept load at which the share of requests that meet
// the objective is at least slo.attainment; without an objective, the load of
// largest throughput / latency. It is nil when the first axis is not a load.
func (e *Experiment) knee(s *Series) *Knee {
	if len(e.Axes) == 0 || !slices.Contains(loads, e.Axes[0].Path) {
		return nil
	}
	var points []load
	for _, p := range s.Points {
		v, ok := toNumber(p.Value)
		if !ok {
			continue
		}
		at := load{value: v, attainment: math.NaN(), power: math.NaN()}
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
	slices.SortFunc(points, func(a, b load) int { return int(math.Copysign(1, a.value-b.value)) })
	if !e.Spec.SLO.Objective().Set() {
		return powerKnee(points)
	}
	return attainmentKnee(points, e.Spec.SLO.Attainment)
}

// attainmentKnee interpolates the attainment between the last load that meets
// the target and the next one.
func attainmentKnee(points []load, target float64) *Knee {
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
		return &Knee{Kind: KneeInterpolated, Value: at.value + share*(next.value-at.value)}
	}
	return &Knee{Kind: KneeBelow, Value: points[0].value}
}

// powerKnee is the swept load of largest throughput / latency.
func powerKnee(points []load) *Knee {
	best := points[0]
	for _, p := range points[1:] {
		if p.power > best.power {
			best = p
		}
	}
	return &Knee{Kind: KneePower, Value: best.value}
}

// toNumber reads a swept value as a number.
func toNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
