package search

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
)

// Judge tells whether enough requests of a scenario meet their objective: with runs of a length,
// in requests, that is doubled until they miss the target, or meet it, their warm-up has ended, and
// they are long against the time that one request tells of others; or until about so many
// requests have been simulated as are allowed. What has not settled by then is not known to meet
// anything: a system that is nearly overloaded fills for a long time.
func Judge(ctx context.Context, s scenario.Scenario, target float64, length, allowed int, o Options) (results.Judgement, error) {
	steady, made := BasisOf(&s) == results.SteadyState, 0
	var j results.Judgement
	for {
		if steady {
			s = endless(s, length)
		}
		runs, err := simulate(ctx, s, steady, firstReplication, pilotReplications, o, &made)
		if err != nil {
			return j, err
		}
		for i := range runs {
			j.Requests += len(runs[i].attained)
		}
		l := settledLook(1, runs, steady)
		if len(l.shares) < fewest {
			return j, fmt.Errorf("requests came in only %d of %d runs", len(l.shares), made)
		}
		settled := !steady || l.settled && float64(l.counted) >= l.correlation()*longEnough(target)
		v := l.verdict(target, surer)
		if v == misses || v == meets && settled || !steady || j.Requests+2*pilotReplications*length > allowed {
			j.Attainment, j.Half, j.Enough = l.share(), l.half(sure), l.probability(target)
			j.Saturated, j.Unsettled = l.saturated, v != misses && !settled
			j.Length, j.WarmUp, j.Runs = l.warmUp+l.counted, l.warmUp, made
			return j, nil
		}
		length *= 2
	}
}

// probability is that the attainment is at least the target, by Student's distribution over the
// replications. An overloaded system misses it, however long it was watched.
func (l *look) probability(target float64) float64 {
	if l.saturated {
		return 0
	}
	error := l.half(sure) / quantile(len(l.shares), sure)
	return distuv.StudentsT{Mu: l.share(), Sigma: error, Nu: float64(len(l.shares) - 1)}.Survival(target)
}
