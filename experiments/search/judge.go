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
// requests have been simulated as are allowed, of which a target near 1 has more. What has not settled by then is not known to meet
// anything: a system that is nearly overloaded fills for a long time.
func Judge(ctx context.Context, s scenario.Scenario, target float64, length, allowed int, o Options) (results.Judgement, error) {
	steady, made := BasisOf(&s) == results.SteadyState, 0
	allowed, o.glance = allowedAt(target, allowed), true
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
			return j, &TooFewError{len(l.shares), made}
		}
		settled := !steady || l.settled && float64(l.counted) >= l.correlation*longEnough(target, judged)
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

// judged is how many independent requests of each run are to miss the objective, of whose mean Student's distribution is asked.
const judged = 2

// inAll is how many times as many requests there are in all as in one of the last runs: these are ten, and those
// before them were half as long each time; with some room.
const inAll = 40

// allowedAt is how many requests a judgement may take: as many as a target asks for, up to those of a search.
func allowedAt(target float64, allowed int) int {
	return max(allowed, min(inAll*int(longEnough(target, judged)), MostRequests))
}

// TooFewError says that requests came in too few runs to tell anything: their horizon is short.
type TooFewError struct{ Busy, Runs int }

func (e *TooFewError) Error() string {
	return fmt.Sprintf("requests came in only %d of %d runs", e.Busy, e.Runs)
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
