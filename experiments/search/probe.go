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
	// requests, and as what is in the system is remembered, which takes longer where misses are few. What is left of the warm-up is then
	// far within the interval.
	relaxation = 10
	// events is how many independent requests of each run should miss the objective, or
	// meet it where few are to: of means of fewer the skewness is not known either.
	events = 1.5

	apart      = 0.5  // logits of the attainment, from the middle of the probes to each
	nearest    = 1    // times the tolerance, or the usual one, of ln(load), likewise
	widest     = 0.35 // of ln(load), likewise, at a tolerance of 1; it goes with the square root, as the curve's distance from a chord
	alike      = 1.5  // logits from the target within which looks are like one at the knee
	probeLoads = 2
	mostRounds = 5

	// outside is how far from the probes the knee may be, as a share of what they are apart: there the line through them is
	// as far from a parabola as it is in their middle.
	outside = 0.2

	// hidden is by how much of the correlation more the probes have than the pilot's looks, in the median: these end
	// when they tell something, which they sooner do by chance.
	hidden = 0.5
)

// probe simulates fresh replications at two loads around the knee. Where the knee turns
// out to lie elsewhere, or the runs to be short against their correlation, it begins
// again, as far as the limit allows.
func (s *searcher) probe(ctx context.Context, centre float64) error {
	width := s.width()
	for round := 1; ; round++ {
		warmUp := s.warmUp()
		s.plan(width, warmUp)
		first := firstReplication + round*replicationSet
		if err := s.probesAt(ctx, s.probeLoads(centre, width), first, warmUp); err != nil || len(s.found.Probes) == 0 {
			return err
		}
		narrower := s.narrower(width)
		if round == mostRounds || s.placed() && narrower == width || s.affordable() < float64(s.count)*min(float64(s.requests), s.least()) {
			return nil
		}
		centre, width = s.nextCentre(), narrower
	}
}

// probesAt simulates replications at loads, and more where the interval of the knee is wider than was asked for, up to as many
// again. At each load they have random numbers of their own, so that what they say of the knee together is twice as sure.
func (s *searcher) probesAt(ctx context.Context, loads []float64, first, warmUp int) error {
	all := make([][]sample, len(loads))
	for more := s.count; more > 0; {
		for i, load := range loads {
			runs, err := s.observe(ctx, load, first+i*probeSet+len(all[i]), more)
			if err != nil {
				return err
			}
			all[i] = append(all[i], runs...)
		}
		looks := s.probesOf(loads, first, all, warmUp)
		if looks == nil {
			return nil
		}
		s.looks = looks // which tell more of slope and correlation than the pilot's
		if len(all[0]) > s.count {
			break
		}
		more = s.missing()
	}
	return nil
}

// missing is how many replications more it takes for half the interval of the knee to be within the tolerance; none where they
// would be in the wrong place.
func (s *searcher) missing() int {
	if !s.placed() {
		return 0
	}
	k := s.found.Knee()
	times := math.Log(*k.High / *k.Low) / (2 * s.Tolerance)
	if times <= 1 {
		return 0
	}
	const room = 1.1 // for what the deviation is off by
	count := float64(s.count)
	more := min(max(count*(room*times*times-1), count/5), count, s.affordable()/float64(s.requests))
	return int(more)
}

// placed tells whether the knee lies between the probes or near them, and whether these are long enough.
func (s *searcher) placed() bool {
	k := s.found.Knee()
	if k == nil || k.Kind != results.KneeSearched {
		return false
	}
	knee, first, last := s.hardship(k.Value), s.looks[0].load, s.looks[len(s.looks)-1].load
	slack := math.Pow(last/first, outside)
	short := s.steady() && float64(2*s.looks[0].counted) < s.least()
	return knee*slack >= first && knee <= last*slack && !short
}

// narrower is how far from their middle probes should be that turn out to be so far apart that the curve between them is off the line
// through them, since it is steeper than the pilot had it; else the width that they have.
func (s *searcher) narrower(width float64) float64 {
	const tooFar, less = 2, 1.5 // times as far apart as they should be, and as near as they may be
	first, last := &s.looks[0], &s.looks[len(s.looks)-1]
	between := (logit(first.smoothed()) - logit(last.smoothed())) / (2 * apart)
	next := max(width/between, s.nearest())
	if between > tooFar && next < width/less {
		return next
	}
	return width
}

// nextCentre is where the probes have the knee, no further outside them than half of what they are apart.
func (s *searcher) nextCentre() float64 {
	first, last := &s.looks[0], &s.looks[len(s.looks)-1]
	further := math.Sqrt(last.load / first.load)
	knee := last.load * further
	if fit := s.found.Knee(); fit != nil && fit.Kind == results.KneeSearched {
		knee = s.hardship(fit.Value)
	} else if first.share() < s.Target {
		knee = first.load / further
	}
	return min(max(knee, first.load/further), last.load*further)
}

// probesOf are looks at loads, which become the probes that were found; there are none where hardly a run has requests.
func (s *searcher) probesOf(loads []float64, first int, all [][]sample, warmUp int) []look {
	s.found.Probes = nil
	busy := busyEverywhere(all)
	if len(busy[0]) < fewest {
		return nil
	}
	var looks []look
	for i, load := range loads {
		l := newLook(load, first+i*probeSet, busy[i], warmUp)
		looks = append(looks, l)
		s.found.Probes = append(s.found.Probes, l.probe(s.load(load)))
	}
	return looks
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

// warmUp is how many requests of each probe's runs do not count: twice as many as tell as much as one, after which e⁻⁴ is left of
// an empty start where it is forgotten at one rate (of which the correlation is twice the time constant), and no less
// than the median of what the pilot left out where about as many requests met the objective; where nothing like it was
// seen, at any load. A single look may leave out ten times as many by chance. What the probes
// themselves show is not asked: the rule prefers to leave out what is unlike the rest, and the interval would be too narrow.
func (s *searcher) warmUp() int {
	if !s.steady() {
		return 0
	}
	var near, all []int
	for i := range s.settled {
		l := &s.settled[i]
		all = append(all, l.warmUp)
		if s.distance(l) < alike {
			near = append(near, l.warmUp)
		}
	}
	if near == nil {
		near = all
	}
	least := 2 * int(s.foreseen())
	if near == nil {
		return least
	}
	slices.Sort(near)
	return max(near[len(near)/2], least)
}

// width is how far apart probes are, in ln(load): so far that the logit of the attainment
// changes by about a half, but not so near that their noise hides the slope, nor so far apart that the curve between them
// is off its chord by more than some percent of the tolerance.
func (s *searcher) width() float64 {
	tolerance := cmp.Or(s.Tolerance, Tolerance)
	width := math.Log(s.missed/s.met) / 2
	if slope := s.slope(); slope > 0 {
		width = apart / slope
	}
	return min(max(width, s.nearest()), widest*math.Sqrt(tolerance))
}

// nearest is the least that probes are from their middle.
func (s *searcher) nearest() float64 {
	return nearest * min(cmp.Or(s.Tolerance, Tolerance), Tolerance)
}

// probeLoads are the loads, each once.
func (s *searcher) probeLoads(centre, width float64) []float64 {
	loads := []float64{s.possible(s.near(centre, math.Exp(-width))), s.possible(s.near(centre, math.Exp(width)))}
	return slices.Compact(loads)
}

// plan sets the length of the probes' runs, and how many there are at each load at first,
// so that half the interval of the knee is about the tolerance: with n requests
// in all at each of two loads, τ of which tell as much as one independent one, and p the target,
//
//	half of ln(load) = t √(τ p(1-p)/(2n)) / (slope p(1-p))
//
// A steady state takes longer runs, a horizon more of them. Of a steady state whose slope near the target is not known yet n is the least, since it
// would be overestimated: the probes show the slope, and what is missing then. Half of what may be spent is left for as many runs more, or other loads.
func (s *searcher) plan(width float64, warmUp int) {
	const usual, least = 5, 3 // times the warm-up; of a run as many requests as half of them may not count at its end
	t, p := quantile(probeLoads*replications-1, sure), s.Target
	slope, tolerance := cmp.Or(s.slope(), apart/width), cmp.Or(s.Tolerance, Tolerance)
	needed := s.foreseen() * t * t / (probeLoads * p * (1 - p) * slope * slope * tolerance * tolerance)
	if _, known := s.localSlope(); !known && s.steady() {
		needed = 0
	}
	most := s.affordable() / 2
	if !s.steady() {
		s.count = min(max(int(min(needed, most)/float64(s.requests)), replications), mostReplications)
		return
	}
	s.count = int(min(max(needed/s.least(), fewReplications), replications))
	each := min(max(needed/float64(s.count), s.least()), most/float64(s.count))
	s.requests = max(int(each)+warmUp, least*warmUp, min(usual*warmUp, int(most)/s.count))
}

// least is how many requests a run should have at least.
func (s *searcher) least() float64 {
	return max(longEnough(s.Target, events)*s.foreseen(), relaxation*s.memory())
}

// longEnough is how many times as long as its correlation a run should be at least, for a number of independent misses.
func longEnough(target, misses float64) float64 {
	return max(relaxation, misses/min(target, 1-target))
}

// affordable is how many requests may still be simulated at each of the probes' loads.
func (s *searcher) affordable() float64 {
	return max(0, float64(s.Limits.Requests-s.found.Requests)/probeLoads)
}

// correlation is the geometric mean of that of the looks nearest to the target, from easier loads where it is less to harder ones: a
// single look may have three times as much by chance.
func (s *searcher) correlation() float64 {
	return math.Exp(s.nearTarget(func(l *look) float64 { return math.Log(l.correlation) }))
}

// memory is the mean of for how long the same looks remember what is in the system.
func (s *searcher) memory() float64 {
	return s.nearTarget(func(l *look) float64 { return l.memory })
}

// nearTarget is the mean of what the looks nearest to the target say, or what the nearest says where none is near; 1 without any.
func (s *searcher) nearTarget(of func(*look) float64) float64 {
	sum, n := 0.0, 0.0
	closest, distance := of(&look{correlation: 1}), math.Inf(1)
	for i := range s.looks {
		l := &s.looks[i]
		d := s.distance(l)
		if d < distance {
			closest, distance = of(l), d
		}
		if d < alike {
			sum, n = sum+of(l), n+1
		}
	}
	if n > 0 {
		return sum / n
	}
	return closest
}

// foreseen is the correlation that probes are thought to have.
func (s *searcher) foreseen() float64 {
	c := s.correlation()
	if len(s.found.Probes) == 0 {
		c += hidden * (c - 1)
	}
	return c
}
