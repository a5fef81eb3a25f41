package results

import "kneepoint/sim/metrics"

// meanWhy averages the parts of latencies over runs that differ in their random
// numbers, which keeps their sums: the mean of the statistic. The bottleneck is
// that of most runs, of equally many the first one's. Runs in which nothing
// completed have no parts.
func meanWhy(runs []*Run) *metrics.Why {
	why := &metrics.Why{TTFT: metrics.Split{}, E2EL: metrics.Split{}}
	votes := map[metrics.Bottleneck]int{}
	for _, run := range runs {
		votes[run.Why.Bottleneck]++
	}
	for _, run := range runs {
		if votes[run.Why.Bottleneck] > votes[why.Bottleneck] {
			why.Bottleneck = run.Why.Bottleneck
		}
	}
	var n float64
	for _, run := range runs {
		if len(run.Why.E2EL) > 0 {
			n++
		}
	}
	for _, run := range runs {
		addSplit(why.TTFT, run.Why.TTFT, 1/n)
		addSplit(why.E2EL, run.Why.E2EL, 1/n)
	}
	return why
}

// addSplit adds a share of parts, statistic by statistic: a streamed run has fewer
// statistics than others.
func addSplit(to, from metrics.Split, share float64) {
	for name, parts := range from {
		sum := to[name]
		sum.Add(&parts, share)
		to[name] = sum
	}
}
