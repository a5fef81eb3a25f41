package results

import (
	"math"

	"kneepoint/sim/metrics"
)

// LogInterval is the 95 % interval of a metric that is always positive, such as a latency,
// from that of its logarithm over the n replications:
//
//	mean · exp(±h), h = t(0.975, n-1) · s(ln x) / √n
//
// It is as far from the mean, as a ratio, on both sides, and never reaches 0, as one of the
// values themselves does where few replications differ by much. Where no replications are
// known, or all saw the same traffic, h is half the interval of the estimate over its mean, to
// first order. Both ends are NaN where the estimate has no interval.
func (p *Point) LogInterval(metric string) (low, high float64) {
	estimate, ok := p.Metrics[metric]
	if !ok || !(estimate.Mean > 0) || math.IsNaN(estimate.Half) {
		return math.NaN(), math.NaN()
	}
	h := estimate.Half / estimate.Mean
	if p.group != nil && !p.group.sameTraffic() {
		var logs []float64
		for _, run := range p.group.runs {
			logs = append(logs, math.Log(run.shown().Get(metric)))
		}
		h = metrics.NewEstimate(logs).Half
	}
	return estimate.Mean * math.Exp(-h), estimate.Mean * math.Exp(h)
}
