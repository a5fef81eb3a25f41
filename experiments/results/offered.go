package results

import (
	"math"
	"slices"

	"kneepoint/sim/metrics"
)

// ratePath is the swept variable that asks for a rate of requests.
const ratePath = "workload.arrival.rate"

// offeredApart is by how much the offered rate differs from the nominal one where a
// reader must see it.
const offeredApart = 0.05

// OfferedApart tells whether at any point the rate of the requests that were offered,
// over all replications, is 5 % or more from the nominal one, or may be: runs are short, or
// the rate drifts.
func (r *Results) OfferedApart() bool {
	if slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Kind == ShortRun || w.Kind == PartOfProfile }) {
		return true
	}
	for i := range r.Series {
		s := &r.Series[i]
		for k := range s.Points {
			nominal, offered := r.nominalRate(s, k), s.Points[k].mean(metrics.OfferedRate)
			if math.Abs(offered/nominal-1) >= offeredApart {
				return true
			}
		}
	}
	return false
}

// nominalRate is the rate of requests that a point of a curve asks for; NaN where no
// rate says it: of conversations, closed loops, and classes with arrivals of their own.
func (p *Plan) nominalRate(s *Series, point int) float64 {
	t := &p.Facts.Traffic
	if t.Conversations || t.OwnArrivals {
		return math.NaN()
	}
	if asked, swept := p.SettingOf(s, &s.Points[point])[ratePath]; swept {
		if rate, ok := asked.Number(); ok {
			return rate
		}
		return math.NaN()
	}
	if t.Rate == 0 {
		return math.NaN()
	}
	return t.Rate
}

// kneeOffered is the offered rate at the knee of a curve, along the drawn line; nil where
// no rate is swept, the knee is beyond what was, or it is that of the steady state: a
// search has found it with runs so long that they offer the nominal rate.
func (p *Plan) kneeOffered(s *Series) *float64 {
	if s.Knee == nil || s.Knee.Basis == SteadyState || p.Sweep[0].Path != ratePath {
		return nil
	}
	rate := p.MetricAtKnee(s, metrics.OfferedRate)
	if math.IsNaN(rate) {
		return nil
	}
	return &rate
}
