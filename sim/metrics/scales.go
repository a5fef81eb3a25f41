package metrics

import (
	"math"
	"sort"

	"kneepoint/units"
)

// scaleCount is how many Scales there are, and statedScale the index of 1 among them.
const (
	scaleCount  = 21
	statedScale = 8
)

// Scales are the factors by which all bounds of an objective are multiplied to see how much
// stricter or looser it could be: 2^(k/4) from 1/4 to 8.
var Scales = func() (all [scaleCount]float64) {
	for k := range all {
		all[k] = math.Exp2(float64(k-statedScale) / 4)
	}
	return all
}()

// leastScale is the index of the least of the Scales that a ratio does not exceed; scaleCount: it exceeds all.
func leastScale(ratio float64) int {
	if ratio <= Scales[0] { // as without bounds
		return 0
	}
	return sort.SearchFloat64s(Scales[:], ratio)
}

// ratio is the largest of a completed request's latencies over their bounds: what the
// bounds would have to be multiplied by for the request to just meet them, 0 without any. A
// quotient of floating-point numbers is at most 1 just where the first is at most the second,
// so that a request with a ratio of at most 1 meets its objective, and no other does.
func (o Objective) ratio(r *Request) float64 {
	tpot, _ := r.TPOT()
	return max(over(r.TTFT(), o.TTFT), over(tpot, o.TPOT), over(r.E2EL(), o.E2EL))
}

func over(x, bound units.Seconds) float64 {
	if bound == 0 {
		return 0
	}
	return float64(x / bound)
}

// AttainmentByScale is, for each of the Scales f, the share of all requests offered that
// would meet every bound if all were multiplied by f: the distribution P(r ≤ f) of their
// ratios r. At a factor of 1 it is the metric Attainment. With window it is of the requests
// inside the measuring window. It is nil without an objective, where no request was
// offered, and where gaps between tokens are bounded: it is not known how many of them would be longer than other bounds.
func AttainmentByScale(rec *Record, slo Objective, window bool) []float64 {
	t := rec.tally(slo, window)
	if bounds := loosest(rec.Classes, slo); !bounds.Set() || bounds.ITL > 0 || t.offered() == 0 {
		return nil
	}
	shares, met := make([]float64, scaleCount), 0.0
	for k, requests := range t.byScale {
		met += requests
		shares[k] = met / t.offered()
	}
	return shares
}
