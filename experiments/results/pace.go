package results

import "kneepoint/sim/metrics"

// Pace is the metrics that tell how fast the tokens of an answer come.
type Pace struct{ Median, Tail string }

// Pace is that of ITL where gaps between tokens have a bound, which is harder to keep than one of their mean; else of TPOT.
func (s *SLO) Pace() Pace {
	if s.ITLp99ms > 0 {
		return Pace{metrics.MedianITL, metrics.P99ITL}
	}
	return Pace{metrics.MedianTPOT, metrics.P99TPOT}
}
