package results

import "kneepoint/sim/metrics"

// meanWhy averages the parts of latencies over runs that differ in their random
// numbers, which keeps their sums: the mean of the statistic. The bottleneck is
// that of most runs, of equally many the first one's. Runs in which nothing
// completed have no parts.
func meanWhy(runs []*Run) *metrics.Why {
	why := &metrics.Why{
		TTFT: meanSplit(runs, func(w *metrics.Why) metrics.Split { return w.TTFT }),
		E2EL: meanSplit(runs, func(w *metrics.Why) metrics.Split { return w.E2EL }),
	}
	votes := map[metrics.Bottleneck]int{}
	for _, run := range runs {
		votes[run.Why.Bottleneck]++
	}
	for _, run := range runs {
		if votes[run.Why.Bottleneck] > votes[why.Bottleneck] {
			why.Bottleneck = run.Why.Bottleneck
		}
	}
	return why
}

// meanSplit averages the parts of one latency over the runs that have any, statistic
// by statistic: a streamed run has fewer statistics than others.
func meanSplit(runs []*Run, of func(*metrics.Why) metrics.Split) metrics.Split {
	var n float64
	for _, run := range runs {
		if len(of(run.Why)) > 0 {
			n++
		}
	}
	mean := metrics.Split{}
	for _, run := range runs {
		for name, parts := range of(run.Why) {
			sum := mean[name]
			sum.Add(&parts, 1/n)
			mean[name] = sum
		}
	}
	return mean
}
