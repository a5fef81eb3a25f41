package results

import (
	"math"

	"kneepoint/sim/metrics"
)

// Interval is the 95 % interval of a metric over the replications, within the values that it
// can take; NaN where it has none. Of a time it is that of the logarithm of n values:
//
//	mean · exp(±h), h = t(0.975, n-1) · s(ln x) / √n
//
// It is as far from the mean, as a ratio, on both sides, and never reaches 0, as one of the
// values themselves does where few replications differ by much. Where no replications are
// known, or all saw the same traffic, h is half the interval of the estimate over its mean, to
// first order.
func (p *Point) Interval(metric string) (low, high float64) {
	estimate, ok := p.Metrics[metric]
	if !ok {
		return math.NaN(), math.NaN()
	}
	of := p.of
	if of == nil {
		of = (*Run).Shown
	}
	definition, _ := metrics.Lookup(metric)
	return intervalOf(definition, estimate, valuesOf(p.group.samples(of), metric))
}

// OfClass is the point of one class of requests alone, with its metrics and their
// intervals.
func (p *Point) OfClass(class int) Point {
	one := *p
	one.Metrics, one.Clients, one.of = p.Clients[class].Metrics, nil, ofClass(class)
	return one
}

// logInterval is that of a time; values are those of the replications, none where
// they are not known or say nothing of its precision.
func logInterval(estimate metrics.Estimate, values []float64) (low, high float64) {
	if !(estimate.Mean > 0) || math.IsNaN(estimate.Half) {
		return math.NaN(), math.NaN()
	}
	h := estimate.Half / estimate.Mean
	if len(values) > 0 {
		logs := make([]float64, len(values))
		for i, x := range values {
			logs[i] = math.Log(x)
		}
		h = metrics.NewEstimate(logs).Half
	}
	return estimate.Mean * math.Exp(-h), estimate.Mean * math.Exp(h)
}

// intervalOf is the 95 % interval of a metric within the values that it can take: of a time
// that of its logarithm, unless it is 0 in a replication, and of all else mean ± half, not below
// 0, and of a share not above 1.
func intervalOf(d metrics.Definition, estimate metrics.Estimate, values []float64) (low, high float64) {
	if d.Unit == "ms" || d.Unit == "s" {
		if low, high = logInterval(estimate, values); !math.IsNaN(low) {
			return low, high
		}
	}
	low, high = max(estimate.Low(), 0), estimate.High()
	if d.Kind == metrics.Ratio || d.Kind == metrics.YesNo {
		high = min(high, 1)
	}
	return low, high
}

// samples are what each replication has of something, as far as they tell how precise its mean
// is: nil where they are not known, or all saw the same traffic.
func (g *group) samples(of func(*Run) metrics.Values) []metrics.Values {
	if g == nil || g.sameTraffic() {
		return nil
	}
	all := make([]metrics.Values, len(g.runs))
	for i, run := range g.runs {
		all[i] = of(run)
	}
	return all
}

// valuesOf is one metric of each; NaN where it has no value.
func valuesOf(all []metrics.Values, key string) []float64 {
	values := make([]float64, len(all))
	for i := range all {
		values[i] = all[i].Get(key)
	}
	return values
}
