package main

import (
	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// pace is the metrics that tables show of how fast the tokens of an answer come.
type pace struct{ median, tail string }

// paceOf is that of ITL where gaps between tokens have a bound, which is harder to keep than one of their mean; else of TPOT.
func paceOf(slo *results.SLO) pace {
	if slo.ITLp99ms > 0 {
		return pace{metrics.MedianITL, metrics.P99ITL}
	}
	return pace{metrics.MedianTPOT, metrics.P99TPOT}
}
