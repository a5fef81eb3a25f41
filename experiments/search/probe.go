package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"kneepoint/experiments/results"
)

const (
	// relaxation is how many times as long as its correlation a run should be at least, in
	// requests. What is left of the warm-up is then far within the interval.
	relaxation = 10
	// events is how many independent requests of each run should miss the objective, or
	// meet it where few are to: means of fewer are too skewed for Student's distribution.
	events = 1.5

	apart      = 0.5  // logits of the attainment, from the middle probe to the others
	widest     = 0.05 // of ln(load), likewise
	alike      = 1.5  // logits from the target within which looks are like one at the knee
	probeLoads = 3
	mostRounds = 3
)

// probe simulates fresh replications at three loads around the knee. Where the knee turns
// out to lie elsewhere, or the runs to be short against their correlation, it begins
// again, as far as the limit allows.
func (s *searcher) probe(ctx context.Context, centre float64) error {
	width, warmUp := s.width(), s.warmUp()
	for round := 1; ; round++ {
		looks, err := s.probesAt(ctx, s.probeLoads(centre, width), firstReplication+round*replicationSet, s.plan(width, warmUp), warmUp)
		if err != nil || looks == nil {
			return err
		}
		s.looks = looks // which tell more of slope and correlation than the pilot's
		knee, first, last := s.knee(), looks[0].load, looks[len(looks)-1].load
		centred := knee >= first && knee <= last
		short := s.steady() && float64(2*looks[0].counted) < s.least()
		if round == mostRounds || centred && !short || s.affordable() < float64(replications*s.requests) {
			return nil
		}
		centre = min(max(knee, first), last)
	}
}

// knee is the knee that was found so far, as a hardship.
func (s *searcher) knee() float64 {
	f := s.finding()
	return s.hardship(f.Knee().Value)
}

// probesAt simulates replications at loads, which become the probes that were found; there are none where
// hardly a run has requests.
func (s *searcher) probesAt(ctx context.Context, loads []float64, first, count, warmUp int) ([]look, error) {
	var looks []look
	s.found.Probes = nil
	all := make([][]sample, len(loads))
	for i, load := range loads {
		var err error
		if all[i], err = s.observe(ctx, load, first, count); err != nil {
			return nil, err
		}
	}
	busy := busyEverywhere(all)
	if len(busy[0]) < fewest {
		return nil, nil
	}
	for i, load := range loads {
		l := newLook(load, first, busy[i], warmUp)
		looks = append(looks, l)
		s.found.Probes = append(s.found.Probes, l.probe(s.load(load)))
	}
	return looks, nil
}

// busyEverywhere are the replications in which requests came at all loads, since an interval compares replications.
func busyEverywhere(all [][]sample) [][]sample {
	busy := make([][]sample, len(all))
	for r := range all[0] {
		if slices.ContainsFunc(all, func(runs []sample) bool { return len(runs[r].attained) == 0 }) {
			continue
		}
		for i, runs := range all {
			busy[i] = append(busy[i], runs[r])
		}
	}
	return busy
}

// probe is a look at a load as results have it.
func (l *look) probe(load float64) results.Probe {
	return results.Probe{Load: load, WarmUp: l.warmUp, Counted: l.counted, First: l.first, Attained: l.shares}
}

// warmUp is how many requests of each probe's runs do not count: the most that the pilot
// found where about as many requests met the objective; where nothing like it was seen, at any
// load. The probes' own would depend on what it leaves: the rule prefers to leave out what is unlike
// the rest, and the interval would be too narrow.
func (s *searcher) warmUp() int {
	near, all := -1, 0
	for i := range s.looks {
		l := &s.looks[i]
		all = max(all, l.warmUp)
		if s.distance(l) < alike {
			near = max(near, l.warmUp)
		}
	}
	if near < 0 {
		return all
	}
	return near
}

// width is how far apart probes are, in ln(load): so far that the logit of the attainment
// changes by about a half, between the tolerance and a tenth. Further apart they would
// show that it does not fall along a line.
func (s *searcher) width() float64 {
	if slope := s.slope(); slope > 0 {
		return min(max(apart/slope, s.Tolerance), widest)
	}
	return min(max(math.Log(s.missed/s.met)/2, s.Tolerance), widest)
}

// probeLoads are the loads, each once.
func (s *searcher) probeLoads(centre, width float64) []float64 {
	loads := []float64{s.near(centre, math.Exp(-width)), centre, s.near(centre, math.Exp(width))}
	return slices.Compact(loads)
}

// plan sets the length of the probes' runs, and returns how many there are at each load,
// so that half the interval of the knee is about the tolerance: with n requests
// in all at a load, τ of which tell as much as one independent one, and p the target,
//
//	half of ln(load) = t √(τ p(1-p)/n) / (slope p(1-p))
//
// A steady state takes longer runs, a horizon more of them.
func (s *searcher) plan(width float64, warmUp int) (count int) {
	t, p := quantile(replications, sure), s.Target
	slope := cmp.Or(s.slope(), apart/width)
	needed := s.correlation() * t * t / (p * (1 - p) * slope * slope * s.Tolerance * s.Tolerance)
	needed = min(needed, s.affordable())
	if !s.steady() {
		return min(max(int(needed/float64(s.requests)), replications), mostReplications)
	}
	count = int(min(max(needed/s.least(), fewReplications), replications))
	each := max(needed, min(s.least()*float64(count), s.affordable())) / float64(count)
	s.requests = max(int(each), 4*warmUp, s.Length)
	return count
}

// least is how many requests a run should have at least.
func (s *searcher) least() float64 {
	return longEnough(s.Target) * s.correlation()
}

// longEnough is how many times as long as its correlation a run should be at least.
func longEnough(target float64) float64 { return max(relaxation, events/min(target, 1-target)) }

// affordable is how many requests may still be simulated at each of the probes' loads.
func (s *searcher) affordable() float64 {
	return max(0, float64(s.Limits.Requests-s.found.Requests)/probeLoads)
}

// correlation is the mean of that of the looks nearest to the target.
func (s *searcher) correlation() float64 {
	sum, n := 0.0, 0.0
	nearest, distance := 1.0, math.Inf(1)
	for i := range s.looks {
		l := &s.looks[i]
		d := s.distance(l)
		if d < distance {
			nearest, distance = l.correlation(), d
		}
		if d < alike {
			sum, n = sum+l.correlation(), n+1
		}
	}
	if n == 0 {
		return nearest
	}
	return max(sum/n, 1)
}
