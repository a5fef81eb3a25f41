package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat"
)

// bracket finds a load that meets the target and a larger one that misses it, from
// where the search was told to start. It is false where no load meets it, or all do.
func (s *searcher) bracket(ctx context.Context) (bool, error) {
	for load, step := s.Met, 1; s.found.Met == 0; step++ {
		if err := s.judge(ctx, load); err != nil {
			return false, err
		}
		if load <= s.Least || step == farthest || s.Whole && load <= 1 {
			break
		}
		load = max(s.near(load, 1/stride(step)), s.Least)
	}
	for load, step := s.Missed, 1; s.found.Met > 0 && s.found.Missed == 0; step++ {
		if load > s.found.Met {
			if err := s.judge(ctx, load); err != nil {
				return false, err
			}
		}
		if s.Most > 0 && load >= s.Most || step == farthest {
			break
		}
		if load = s.near(load, stride(step)); s.Most > 0 {
			load = min(load, s.Most)
		}
	}
	return s.found.Met > 0 && s.found.Missed > 0, nil
}

// stride is by how much a step of the search for a bracket changes the load: little at
// first, since it starts where the knee is thought to be.
func stride(step int) float64 { return math.Pow(2, min(1, 0.25*float64(step))) }

// bisect narrows the bracket, in the logarithm of the load, until it is as narrow as the
// probes will be apart or a load in it cannot be told from the knee. It returns a load near the knee.
func (s *searcher) bisect(ctx context.Context) (centre float64, err error) {
	for {
		centre = math.Sqrt(s.found.Met * s.found.Missed)
		if s.Whole {
			centre = math.Round(centre)
		}
		if centre <= s.found.Met || centre >= s.found.Missed ||
			s.found.Missed < s.found.Met*math.Exp(s.width()) || s.found.Requests > s.Limits.Requests/2 {
			return centre, nil
		}
		v, err := s.tell(ctx, centre)
		if err != nil || v == unclear {
			return centre, err
		}
		s.note(centre, v)
	}
}

// judge says of a load whether it meets the target, by the mean where the interval
// does not tell.
func (s *searcher) judge(ctx context.Context, load float64) error {
	v, err := s.tell(ctx, load)
	if v == unclear {
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
		s.found.Met = load
	case misses:
		s.found.Missed = load
	}
}

// tell looks at a load with runs that are doubled in length until their interval
// excludes the target, and where they meet it until their warm-up has ended. It gives up
// where probes around the load would find the knee, or half of what the search may cost
// would be spent. Runs over a horizon have the length that they have.
func (s *searcher) tell(ctx context.Context, load float64) (verdict, error) {
	for {
		l, err := s.look(ctx, load)
		if err != nil {
			return unclear, err
		}
		v := l.verdict(s.Target)
		clear := v == misses || v == meets && l.settled
		longer := s.steady() && s.found.Requests+2*pilotReplications*s.requests <= s.Limits.Requests/2
		if clear || !longer || l.settled && s.within(&l) {
			s.looks = append(s.looks, l)
			s.overload = s.overload || l.saturated && l.share()-s.Target > l.half()
			return v, nil
		}
		s.requests *= 2
	}
}

// look is one at the pilot's replications, without their warm-up.
func (s *searcher) look(ctx context.Context, load float64) (look, error) {
	runs, err := s.observe(ctx, load, firstReplication, pilotReplications)
	if err != nil {
		return look{}, err
	}
	if !s.steady() {
		return newLook(load, firstReplication, runs, 0), nil
	}
	warmUp, settled := warmUp(runs)
	l := newLook(load, firstReplication, runs, warmUp)
	l.settled = l.settled && settled
	return l, nil
}

// within tells whether the interval of a look, as one of the load, is no wider than the
// probes will be apart.
func (s *searcher) within(l *look) bool {
	slope := s.slope()
	return slope > 0 && l.half() < s.width()*slope*s.Target*(1-s.Target)
}

// slope is by how much the logit of the attainment falls with the logarithm of the load,
// by least squares over the looks that are not too far from the target; 0 where they do
// not tell.
func (s *searcher) slope() float64 {
	const farOff = 3 // in logits: 5 % of .5 is as far as .95
	var x, y, weights []float64
	for i := range s.looks {
		l := &s.looks[i]
		if p := l.smoothed(); math.Abs(logit(p)-logit(s.Target)) < farOff {
			x, y, weights = append(x, math.Log(l.load)), append(y, logit(p)), append(weights, p*(1-p))
		}
	}
	if len(x) < 2 {
		return 0
	}
	_, slope := stat.LinearRegression(x, y, weights, false)
	return max(-slope, 0)
}
