package search

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
)

// Ask is what a judgement is to find out.
type Ask struct {
	Target  float64 // share of the requests
	Length  int     // of the first runs, in requests
	Allowed int     // requests, about, of which a target near 1 has more

	// Lasting is the correlation of misses under a larger load of the same kind, where they last longer; 0: none is known.
	Lasting float64

	// Least is how many requests it takes at least, about, to tell that the target is met: as many as did not settle a larger load. A few runs
	// without an episode of misses tell too soon.
	Least int

	// Tentative is one that longer runs follow where the target is met: it leaves episodes of misses to them of which it sees none.
	Tentative bool
}

// Judge tells whether enough requests of a scenario meet their objective: with a few runs,
// with all of them where these do not tell, then with longer ones, until their warm-up has ended, and
// they are long against the time that one request tells of others, and from then on with more of them; until they miss the target, or meet
// it, or about so many requests have been simulated as are allowed. What has not settled by then is not
// known to meet anything: a system that is nearly overloaded fills for a long time.
func Judge(ctx context.Context, s scenario.Scenario, ask Ask, o Options) (results.Judgement, error) {
	o.glance = true
	j := newJudging(ask, BasisOf(&s) == results.SteadyState)
	j.sample = func(ctx context.Context, requests, first, count int) ([]sample, error) {
		if j.steady {
			s = endless(s, requests)
		}
		return simulate(ctx, s, j.steady, first, count, o, &j.judgement.Runs)
	}
	return j.judge(ctx)
}

// newJudging is one that has simulated nothing yet.
func newJudging(ask Ask, steady bool) *judging {
	j := &judging{Ask: ask, length: ask.Length, steady: steady}
	j.Allowed = allowedAt(ask.Target, ask.Allowed)
	j.longest = longestOf(ask.Length, j.Allowed)
	return j
}

// judge looks until it is told, or no more requests are allowed.
func (j *judging) judge(ctx context.Context) (results.Judgement, error) {
	observe := func(first, count int) ([]sample, error) { return j.observe(ctx, first, count) }
	for {
		runs, l, err := inStages(j.enough, observe, j.lookAt)
		if err == nil && j.settled(&l) && j.length >= j.Allowed/mostRuns {
			l, err = j.untilTold(runs, l, observe)
		}
		if err != nil {
			return j.judgement, err
		}
		if len(l.shares) < fewest {
			return j.judgement, &TooFewError{len(l.shares), j.judgement.Runs}
		}
		if j.told(&l) || !j.mayBeLonger() || j.settled(&l) && j.affordable(&l) < 1 {
			return j.judgementOf(&l), nil
		}
		j.length = l.longer(l.distanceFrom(j.Target), surer, j.length, j.longest)
	}
}

// mostRuns is about how many runs there are at most: of more, longer ones show better how long misses last.
const mostRuns = 200

// untilTold adds runs that are long enough to those that do not tell, as many as are thought to, and half as many again at least. It ends
// where they turn out to be too short.
func (j *judging) untilTold(runs []sample, l look, observe func(first, count int) ([]sample, error)) (look, error) {
	for j.steady && !j.told(&l) && j.settled(&l) {
		half, few := l.half(surer)/l.distanceFrom(j.Target), float64(len(runs))
		more := int(min(max(few*(half*half-1), few/2), j.affordable(&l)))
		if more < 1 {
			return l, nil
		}
		added, err := observe(firstReplication+len(runs), more)
		if err != nil {
			return l, err
		}
		runs = append(runs, added...)
		l = j.lookAt(runs)
	}
	return l, nil
}

// affordable is how many more runs there may be: all have tellingPart of the requests that are allowed then.
func (j *judging) affordable(l *look) float64 {
	telling := tellingPart*float64(j.Allowed) - float64(l.requests)
	return min(telling, float64(j.Allowed-j.judgement.Requests)) / float64(j.length)
}

// tellingPart is the share of the requests that are allowed which the last look may have: those before it are shorter.
const tellingPart = 2. / 3

// judging is a judgement under way.
type judging struct {
	Ask
	sample          func(ctx context.Context, requests, first, count int) ([]sample, error)
	steady          bool
	length, longest int // of the runs, in requests
	judgement       results.Judgement
}

// observe simulates replications of the present length.
func (j *judging) observe(ctx context.Context, first, count int) ([]sample, error) {
	runs, err := j.sample(ctx, j.length, first, count)
	for i := range runs {
		j.judgement.Requests += len(runs[i].attained)
	}
	return runs, err
}

// told tells whether a look needs no longer runs.
func (j *judging) told(l *look) bool {
	v := l.verdict(j.Target, surer)
	return v == misses || v == meets && j.settled(l) && j.judgement.Requests >= j.Least
}

// enough tells whether a look needs no more runs of the length that it has: where longer ones have to tell, it has enough.
func (j *judging) enough(l *look) bool {
	return j.told(l) || j.mayBeLonger() && len(l.shares) >= fewest && l.foretold(surer, 1) > l.distanceFrom(j.Target)
}

// mayBeLonger tells whether there may be longer runs.
func (j *judging) mayBeLonger() bool {
	return j.steady && 2*j.length <= j.longest && j.judgement.Requests+2*fewPilots*j.length <= j.Allowed
}

func (j *judging) lookAt(runs []sample) look {
	l := settledLook(1, runs, j.steady)
	if !j.Tentative || l.share() < j.Target {
		l.lastingMost = j.lastingMost(&l)
	}
	return l
}

// lastingMost is the correlation that misses have at most: what is remembered of the system, and that under a larger load.
func (j *judging) lastingMost(l *look) float64 {
	if j.Lasting > 0 {
		return min(l.memory, j.Lasting)
	}
	return l.memory
}

// settled tells whether the runs of a look are past their warm-up, and long against the time that one request tells of others, and that it
// is remembered what is in the system. Where arrivals at constant gaps beat with steps of constant length waits rise and fall without an end, and the
// longest runs are past it that find the system no fuller in the end, and wait no longer.
func (j *judging) settled(l *look) bool {
	const fuller = 1 // requests
	past := l.settled || !j.mayBeLonger() && l.growth < fuller && !l.rising
	return !j.steady || past && float64(l.counted) >= j.least(l)
}

// least is how many requests a run has at least.
func (j *judging) least(l *look) float64 {
	return max(l.correlation*longEnough(j.Target, judged), forgotten*l.memory)
}

// judgementOf is what a look says.
func (j *judging) judgementOf(l *look) results.Judgement {
	found := j.judgement
	found.Attainment, found.Half, found.Surer, found.Enough = l.share(), l.half(sure), l.half(surer), l.probability(j.Target)
	found.Saturated, found.Unsettled = l.saturated, l.verdict(j.Target, surer) != misses && !j.settled(l)
	if l.memory > 0 {
		most := *l
		most.lastingMost = j.lastingMost(l)
		found.Lasting = most.lasting(surer)
	}
	switch spread := *l; {
	case !found.Clear(j.Target):
		found.Needed = j.needed(l)
	case !j.settled(l): // of what still fills nothing says how long misses last, and it is told all the same
		spread.lastingMost = 0
		found.Half = spread.half(sure)
	}
	found.Length, found.WarmUp = l.warmUp+l.counted, l.warmUp
	return found
}

// mostNeeded bounds what is said of how many requests it takes.
const mostNeeded = 1e12

// needed is about how many requests it takes to tell, those included that were simulated, if the attainment is what it looks like: half the
// interval falls with the root of their number. 0: runs as the file states them end there.
func (j *judging) needed(l *look) int {
	if !j.steady {
		return 0
	}
	times, counted := l.half(surer)/l.distanceFrom(j.Target), float64(l.requests)
	if least := pilotReplications * j.least(l); !j.settled(l) {
		counted = max(counted, 2*least) // all shorter runs have as many
	}
	return int(min(counted*max(times*times, 2)/tellingPart, mostNeeded))
}

// longestOf is the length that runs may have, if they are doubled as long as all of them together have no more requests than are allowed.
func longestOf(length, allowed int) int {
	for all := pilotReplications * length; all+2*pilotReplications*length <= allowed; all += pilotReplications * length {
		length *= 2
	}
	return length
}

// judged is how many independent requests of each run are to miss the objective, of whose mean Student's distribution is asked.
const judged = 2

// forgotten is how many times as long as it is remembered what is in the system a run is at least.
const forgotten = 2

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
