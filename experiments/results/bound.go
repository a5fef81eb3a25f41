package results

import "kneepoint/sim/metrics"

// What LimitingBound says where requests were not served rather than late.
const (
	Rejections = "rejections" // refused
	TimeOuts   = "time-outs"  // gave up waiting
	Losses     = "losses"     // lost with their replica
)

// LimitingBound is the bound of the objective that a curve misses first when the load grows
// beyond its knee: "TTFT", "TPOT", "E2EL", "p99 ITL", or why requests were not served. It is the one that the fewest requests
// meet at the knee, interpolated between the swept points on both sides, or at the least load where the
// knee lies below it. Most of those that miss it then being refused, it is Rejections, and so on. It is ""
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
		{"TTFT", metrics.TTFTAttainment}, {"TPOT", metrics.TPOTAttainment}, {"E2EL", metrics.E2ELAttainment}, {"p99 ITL", metrics.ITLAttainment},
	} {
		if met := at(bound.met); met < least {
			name, least = bound.name, met
		}
	}
	if name == "" {
		return ""
	}
	all, ended := 0.0, map[string]float64{}
	for _, key := range metrics.Outcomes {
		if n := at(key); n > 0 { // unless it has no value
			ended[key] = n
			all += n
		}
	}
	for _, unserved := range []struct{ name, key string }{
		{Rejections, metrics.RejectedRequests}, {TimeOuts, metrics.TimedOutRequests}, {Losses, metrics.LostRequests},
	} {
		if ended[unserved.key]/all > (1-least)/2 {
			return unserved.name
		}
	}
	return name
}
