package results

import "kneepoint/sim/metrics"

// Rejections is what LimitingBound says where requests were refused rather than late.
const Rejections = "rejections"

// LimitingBound is the bound of the objective that a curve misses first when the load grows
// beyond its knee: "TTFT", "TPOT", "E2EL", or Rejections. It is the one that the fewest requests
// meet at the knee, interpolated between the swept points on both sides, or at the least load where the
// knee lies below it. Most of those that miss it then being refused, it is Rejections. It is ""
// where no load beyond the knee was swept.
func (p *Plan) LimitingBound(s *Series) string {
	if s.Knee == nil || s.Knee.Target == 0 || s.Knee.Kind == KneeBeyond {
		return ""
	}
	at := func(metric string) float64 { return p.MetricAtKnee(s, metric) }
	if s.Knee.Kind == KneeBelow {
		at = p.PointAt(s, Place{Word: Lowest}).mean
	}
	name, least := "", 1.0
	for _, bound := range []struct{ name, met string }{
		{"TTFT", metrics.TTFTAttainment}, {"TPOT", metrics.TPOTAttainment}, {"E2EL", metrics.E2ELAttainment},
	} {
		if met := at(bound.met); met < least {
			name, least = bound.name, met
		}
	}
	rejected := at(metrics.RejectedRequests)
	if all := at(metrics.CompletedRequests) + rejected + at(metrics.UnfinishedRequests); name != "" && rejected/all > (1-least)/2 {
		return Rejections
	}
	return name
}
