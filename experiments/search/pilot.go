package search

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// bracket finds a load that meets the target and a larger one that misses it, from
// where the search was told to start. It is false where no load meets it, or all do. Loads at which hardly any request comes
// do neither.
func (s *searcher) bracket(ctx context.Context) (bool, error) {
	for load, step := s.Question.Met, 1; s.met == 0; step++ {
		if err := s.judge(ctx, load); err != nil {
			return false, err
		}
		if load <= s.Easiest || step == farthest {
			break
		}
		load = max(s.near(load, 1/s.stepBack(load, step)), s.Easiest)
	}
	for load, step := s.Question.Missed, 1; s.missed == 0; step++ {
		if load > s.met {
			if err := s.judge(ctx, load); err != nil {
				return false, err
			}
		}
		if s.Hardest > 0 && load >= s.Hardest || step == farthest {
			break
		}
		if load = s.near(load, stride(step)); s.Hardest > 0 {
			load = min(load, s.Hardest)
		}
	}
	return s.met > 0 && s.missed > 0, nil
}

// stepBack is by how much a load that missed the target is to be eased: by more where nearly all requests missed,
// and else to where the looks at larger loads have the target as good as met.
func (s *searcher) stepBack(load float64, step int) float64 {
	if len(s.looks) == 0 {
		return mostStride
	}
	last := &s.looks[len(s.looks)-1]
	short := logit(s.Target) - logit(last.smoothed())
	slope := s.slope()
	switch {
	case short > farOff:
		return mostStride
	case slope > 0:
		return min(max(math.Exp((short+apart)/slope), stride(1)), mostStride)
	}
	return stride(step)
}

// mostStride is the longest step.
const mostStride = 4

// stride is by how much a step of the search for a bracket changes the load: little at
// first, since it starts where the knee is thought to be.
func stride(step int) float64 { return math.Pow(2, min(1, 0.25*float64(step))) }

// bisect narrows the bracket, in the logarithm of the load, until it is as narrow as the
// probes will be apart or a load in it cannot be told from the knee. It returns a load near the knee.
func (s *searcher) bisect(ctx context.Context) (centre float64, err error) {
	for {
		centre = s.guess(math.Sqrt(s.met * s.missed))
		if s.Whole { // one between them, as long as there is one
			centre = min(max(s.hardship(s.load(centre)), s.beside(s.met, 1)), s.beside(s.missed, -1))
		}
		narrow := !s.exacting() && s.missed < s.met*math.Exp(s.width())
		if centre <= s.met || centre >= s.missed || narrow || s.found.Requests > s.Limits.Requests/2 {
			return centre, nil
		}
		v, err := s.tell(ctx, centre)
		if err != nil || v == unclear || v == untold {
			return s.near(s.guess(centre), 1), err
		}
		if s.note(centre, v); s.placing(s.nearestLook()) {
			return s.near(s.guess(centre), 1), nil
		}
	}
}

// placing tells whether a look that told on which side of the knee it is also tells where that is: no further away than the probes are
// from each other.
func (s *searcher) placing(l *look) bool {
	return !s.exacting() && l.settled && s.within(l) && s.distance(l) < 2*apart
}

// guess is where the look nearest to the target and the slope have the knee, or where these are at odds with the bracket the line
// between its ends, but not too near an end: the ends come nearer to each other whichever of them moves. It is the middle where
// they do not tell.
func (s *searcher) guess(middle float64) float64 {
	const least = 0.15 // of the bracket
	slope := s.slope()
	if slope == 0 {
		return middle
	}
	nearest := s.nearestLook()
	off := logit(nearest.smoothed()) - logit(s.Target)
	guess := nearest.load * math.Exp(off/slope)
	if between := s.steepness(); between > 0 && (guess <= s.met || guess >= s.missed) {
		guess = nearest.load * math.Exp(off/between)
	}
	first, last := s.met*math.Pow(s.missed/s.met, least), s.missed*math.Pow(s.met/s.missed, least)
	return min(max(guess, first), last)
}

// nearestLook is the look whose attainment is nearest to the target.
func (s *searcher) nearestLook() *look {
	nearest := &s.looks[0]
	for i := range s.looks {
		if l := &s.looks[i]; s.distance(l) < s.distance(nearest) {
			nearest = l
		}
	}
	return nearest
}

// distance is that of a look's attainment from the target, in logits.
func (s *searcher) distance(l *look) float64 { return math.Abs(logit(l.smoothed()) - logit(s.Target)) }

// judge says of a load whether it meets the target, by the mean where the interval
// does not tell.
func (s *searcher) judge(ctx context.Context, load float64) error {
	v, err := s.tell(ctx, load)
	if v == unclear {
		s.doubted[load] = true
		v = misses
		if l := &s.looks[len(s.looks)-1]; l.share() >= s.Target {
			v = meets
		}
	}
	s.note(load, v)
	return err
}

// note narrows the bracket.
func (s *searcher) note(load float64, v verdict) {
	switch v {
	case meets:
		s.met = load
	case misses:
		s.missed = load
	}
}

// tell looks at a load with runs that become longer until their interval
// excludes the target, and where they meet it until their warm-up has ended. It gives up
// where probes around the load would find the knee, or half of what the search may cost
// would be spent. Runs over a horizon have the length that they have.
func (s *searcher) tell(ctx context.Context, load float64) (verdict, error) {
	for {
		l, err := s.look(ctx, load)
		if err != nil {
			return unclear, err
		}
		s.see(l)
		v := l.verdict(s.Target, s.sureness())
		if v == unclear && s.scarce(&l) {
			return untold, nil
		}
		if s.clear(&l) || !s.mayBeLonger() || !s.exacting() && l.settled && s.within(&l) {
			s.overload = s.overload || l.saturated && l.share()-s.Target > l.half(sure)
			return v, nil
		}
		s.requests = l.longer(s.tellingHalf(&l), s.sureness(), s.requests, s.longest())
	}
}

// see adds a look to those that are asked where the knee is, in place of one with shorter runs at the same load.
func (s *searcher) see(l look) {
	s.looks = slices.DeleteFunc(s.looks, func(before look) bool { return before.load == l.load })
	s.looks = append(s.looks, l)
	if l.settled {
		s.settled = append(s.settled, l)
	}
}

// clear tells whether a look tells of its load on which side of the knee it is.
func (s *searcher) clear(l *look) bool {
	v := l.verdict(s.Target, s.sureness())
	return (v == misses || v == meets && l.settled) && !s.tooFew(l)
}

// enough tells whether a look needs no more runs of the length that it has: far from the target, where the probes' length does
// not follow from it, if it tells, and else if longer ones have to tell.
func (s *searcher) enough(l *look) bool {
	return s.clear(l) && s.distance(l) > alike || s.mayBeLonger() && !s.clear(l) && l.foretold(s.sureness(), 1) > s.tellingHalf(l)
}

// tellingHalf is half of an interval around what a look shows that would tell on which side of the knee it is, or that
// the knee is so near that probes would find it.
func (s *searcher) tellingHalf(l *look) float64 {
	half := l.distanceFrom(s.Target)
	if !s.exacting() {
		half = max(half, s.nearby())
	}
	return half
}

// longest is the length that runs may have, if half of what the search may cost is not to be spent by the next look.
func (s *searcher) longest() int {
	return (s.Limits.Requests/2 - s.found.Requests) / pilotReplications
}

// mayBeLonger tells whether there may be longer runs.
func (s *searcher) mayBeLonger() bool { return s.steady() && 2*s.requests <= s.longest() }

// tooFew tells whether a verdict that no probes follow would rest on runs with few independent misses, or
// few that meet the objective where few are to: their mean is skewed, and an interval around it is not where it should be.
func (s *searcher) tooFew(l *look) bool {
	const misses = 10 // of each run
	far := l.saturated || l.share() < s.Target && s.distance(l) > alike
	return s.exacting() && !far && float64(l.counted) < misses*max(l.correlation, s.correlation())/min(s.Target, 1-s.Target)
}

// scarce tells whether so few requests came within the horizon that at many a load which misses the target they would seem
// to meet it: if a load that just meets it had fewer than ten misses.
func (s *searcher) scarce(l *look) bool {
	const misses = 10
	return !s.steady() && float64(l.requests) < misses/min(s.Target, 1-s.Target)
}

// sureness is that of verdicts: where no probes follow them it is higher, since a load that is looked at again and again
// with longer runs has several chances to be misjudged.
func (s *searcher) sureness() float64 {
	if s.exacting() {
		return surer
	}
	return sure
}

// look is one at the pilot's replications, without their warm-up. Where over a horizon they have too few requests, it is
// one at all that there may be.
func (s *searcher) look(ctx context.Context, load float64) (look, error) {
	observe := func(first, count int) ([]sample, error) { return s.observe(ctx, load, first, count) }
	of := func(runs []sample) look { return settledLook(load, runs, s.steady()) }
	if s.steady() {
		_, l, err := inStages(s.enough, observe, of)
		return l, err
	}
	runs, err := observe(firstReplication, pilotReplications)
	if err != nil {
		return look{}, err
	}
	if l := of(runs); !s.scarce(&l) || l.verdict(s.Target, s.sureness()) != unclear {
		return l, nil
	}
	if runs, err = observe(firstReplication, mostReplications); err != nil {
		return look{}, err
	}
	return of(runs), nil
}

// settledLook is a look at the pilot's replications: of a steady state without their warm-up.
func settledLook(load float64, runs []sample, steady bool) look {
	if !steady {
		return newLook(load, firstReplication, runs, 0)
	}
	warmUp, settled := warmUp(runs)
	l := newLook(load, firstReplication, runs, warmUp)
	l.settled = l.settled && settled
	return l
}

// within tells whether a look places the knee between the probes or near them, so that it is hardly ever further off than they may be
// moved, by enough misses to believe it.
func (s *searcher) within(l *look) bool {
	const misses = 4 // independent ones
	return l.half(sure) < s.nearby() && float64(l.requests) >= misses*l.correlation/min(s.Target, 1-s.Target)
}

// nearby is the attainment's distance from the target, near which the probes find the knee; 0 where the slope is not known.
func (s *searcher) nearby() float64 {
	const further = 2.25 // times as far as a probe is from the middle
	return further * s.width() * s.slope() * s.Target * (1 - s.Target)
}

// farOff is how many logits from the target nothing is told of it: 5 % of .5 is as far as .95.
const farOff = 3

// slope is by how much the logit of the attainment falls with the logarithm of the load: near the target, or where that is not known
// in the bracket, at whose ends hardly any request misses or most do, so that it is likely to be less.
func (s *searcher) slope() float64 {
	if slope, known := s.localSlope(); known {
		return slope
	}
	return s.steepness()
}

// localSlope is that by least squares over the looks that are not too far from the target, and past their warm-up: of an overloaded
// system those that are not show an attainment that it would not keep. It is not known of fewer than two.
func (s *searcher) localSlope() (slope float64, known bool) {
	var x, y, weights []float64
	for i := range s.looks {
		l := &s.looks[i]
		if p := l.smoothed(); s.distance(l) < farOff && l.settled && !l.saturated {
			x, y, weights = append(x, math.Log(l.load)), append(y, logit(p)), append(weights, p*(1-p))
		}
	}
	if len(x) < 2 {
		return 0, false
	}
	_, slope = stat.LinearRegression(x, y, weights, false)
	return max(-slope, 0), true
}

// steepness is the slope between the hardest load that met the target and the easiest that missed it.
func (s *searcher) steepness() float64 {
	var met, missed *look
	for i := range s.looks {
		switch l := &s.looks[i]; l.load {
		case s.met:
			met = l
		case s.missed:
			missed = l
		}
	}
	if met == nil || missed == nil {
		return 0
	}
	return max((logit(met.smoothed())-logit(missed.smoothed()))/math.Log(missed.load/met.load), 0)
}
