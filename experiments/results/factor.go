package results

import (
	"math"

	"kneepoint/sim/metrics"
)

// Factor is a metric of one point over that of another one. Low and High are its 95 % interval,
// over pairs of replications that served the same traffic, in the logarithm; NaN where there are
// fewer than three pairs, or all saw the same. Value is NaN where one of both has no value.
type Factor struct{ Value, Low, High float64 }

// HasInterval tells whether the factor has one.
func (f Factor) HasInterval() bool { return !math.IsNaN(f.Low) }

// FactorOf is the factor between two points; either may be nil.
func FactorOf(of, over *Point, metric string) Factor {
	none := Factor{math.NaN(), math.NaN(), math.NaN()}
	if of == nil || over == nil {
		return none
	}
	x := of.mean(metric) / over.mean(metric)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return none
	}
	half := logHalf(of.group, over.group, metric)
	return Factor{x, x * math.Exp(-half), x * math.Exp(half)}
}

// logHalf is half the 95 % interval of ln(x / y) of a metric, x and y being of replications
// that served the same traffic; NaN where there is none.
func logHalf(of, over *group, metric string) float64 {
	if of == nil || over == nil || of.sameTraffic() && over.sameTraffic() {
		return math.NaN()
	}
	_, relative := paired(of.runs, over.runs, metric)
	for i, x := range relative {
		relative[i] = math.Log1p(x)
	}
	return metrics.NewEstimate(relative).Half
}
