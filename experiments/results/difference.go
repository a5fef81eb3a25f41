package results

import (
	"math"
	"slices"

	"kneepoint/sim/metrics"
)

// Difference compares a strategy with the first one at the same point, paired
// by replication: both served the same traffic. Each estimate is that of the
// mean difference.
type Difference struct {
	Strategy string  `json:"strategy"`
	Baseline string  `json:"baseline"`
	Point    Setting `json:"point"`

	// Relative is (strategy - baseline) / baseline, a share, and Absolute is
	// strategy - baseline in the metric's unit; both by metric. A metric without
	// values in both runs of any pair is absent.
	Relative map[string]metrics.Estimate `json:"relative"`
	Absolute map[string]metrics.Estimate `json:"absolute"`
}

// comparedMetrics are the metrics whose differences between strategies are
// estimated, with those of the pace that has a bound.
func comparedMetrics(pace Pace) []string {
	compared := []string{metrics.P99TTFT, metrics.P99TPOT, metrics.MedianTTFT, metrics.MedianTPOT, metrics.MeanE2EL,
		metrics.OutputThroughput, metrics.Goodput, metrics.Attainment}
	for _, key := range []string{pace.Median, pace.Tail} {
		if !slices.Contains(compared, key) {
			compared = append(compared, key)
		}
	}
	return compared
}

// differences pairs every strategy with the first one, at the same point.
func (p *Plan) differences(groups []group) []Difference {
	var all []Difference
	n, compared := len(p.Strategies), comparedMetrics(p.SLO.Pace())
	for i := range groups {
		g, base := &groups[i], &groups[i-i%n]
		if i%n == 0 || len(g.runs) == 0 || len(base.runs) == 0 {
			continue
		}
		d := Difference{Strategy: g.strategy, Baseline: base.strategy, Point: p.SettingAt(g.point),
			Relative: map[string]metrics.Estimate{}, Absolute: map[string]metrics.Estimate{}}
		for _, key := range compared {
			absolute, relative := paired(g.runs, base.runs, key)
			put := func(in map[string]metrics.Estimate, values []float64) {
				if estimate := metrics.NewEstimate(values); estimate.N > 0 {
					if g.sameTraffic() && base.sameTraffic() {
						estimate.Half = math.NaN()
					}
					in[key] = estimate
				}
			}
			put(d.Absolute, absolute)
			put(d.Relative, relative)
		}
		all = append(all, d)
	}
	return all
}

// paired is run - base, and that over base, for each replication that both
// have. A relative difference from zero has no value.
func paired(runs, bases []*Run, key string) (absolute, relative []float64) {
	for _, run := range runs {
		for _, base := range bases {
			if run.Replication != base.Replication {
				continue
			}
			b := base.Shown().Get(key)
			d := run.Shown().Get(key) - b
			absolute = append(absolute, d)
			if x := d / b; !math.IsInf(x, 0) {
				relative = append(relative, x)
			}
		}
	}
	return absolute, relative
}
