package sim

import (
	"math"

	"kneepoint/units"
)

// gaps counts the gaps between tokens of sequences that have their tokens together, and how many of them are longer
// than the bounds that requests are held against. They are added up for all; what a sequence has of them is the difference
// between when it joined and when it leaves, so that steps cost the same however many sequences there are. The first gap of a sequence is its
// own: it may have waited for longer than the others. Without a bound nothing is counted.
type gaps struct {
	machine *machine
	count   int64       // so far
	late    []int64     // of these, those longer than the bound, by class
	fresh   []*sequence // that had no token together with the others yet
}

// newGaps counts nothing where whole answers are sent at once.
func newGaps(m *machine) gaps {
	g := gaps{machine: m}
	if !m.pool.WholeAnswers {
		g.late = make([]int64, len(m.fleet.config.GapBounds))
	}
	return g
}

// noneYet is a sequence's count of gaps before it has had a token together with the others.
const noneYet = -1

// join adds a sequence.
func (g *gaps) join(s *sequence) {
	if len(g.late) > 0 {
		s.gaps = noneYet
		g.fresh = append(g.fresh, s)
	}
}

// next counts the gap before the next token of all, which comes at a time: those that are not fresh had their last one together.
func (g *gaps) next(last, at units.Seconds) {
	if len(g.late) == 0 {
		return
	}
	g.add(at-last, 0, 1)
	for _, s := range g.fresh {
		g.machine.countGap(s, at-s.last)
		g.hold(s)
	}
	g.fresh = g.fresh[:0]
}

// nextSeries counts the gaps before the next n tokens of all, of which the first comes a gap after a time, and each gap is longer than the
// one before by a slope.
func (g *gaps) nextSeries(now, gap, slope units.Seconds, n int) {
	if g.next(now, now+gap); len(g.late) > 0 && n > 1 {
		g.add(gap+slope, slope, n-1)
	}
}

// add counts the next n gaps of all, of which each is longer than the one before by a slope.
func (g *gaps) add(gap, slope units.Seconds, n int) {
	for class, bound := range g.machine.fleet.config.GapBounds {
		g.late[class] += int64(longer(gap, slope, n, bound))
	}
	g.count += int64(n)
}

// hold has the gaps of a sequence counted from now on.
func (g *gaps) hold(s *sequence) {
	if len(g.late) > 0 {
		s.gaps, s.lateGaps = g.count, g.late[g.machine.classOf(s)]
	}
}

// settle gives a sequence what was counted since it joined.
func (g *gaps) settle(s *sequence) {
	if len(g.late) == 0 || s.gaps == noneYet {
		return
	}
	r := g.machine.fleet.record.Of(s.request)
	r.Gaps += int32(g.count - s.gaps)
	r.LateGaps += int32(g.late[r.Class] - s.lateGaps)
	g.hold(s)
}

// clear forgets the sequences, which are settled.
func (g *gaps) clear() { g.fresh = g.fresh[:0] }

// countGap counts a gap between tokens of a sequence by itself.
func (m *machine) countGap(s *sequence, gap units.Seconds) {
	bounds := m.fleet.config.GapBounds
	if len(bounds) == 0 || m.pool.WholeAnswers {
		return
	}
	r := m.fleet.record.Of(s.request)
	r.Gaps++
	r.LateGaps += int32(longer(gap, 0, 1, bounds[r.Class]))
}

func (m *machine) classOf(s *sequence) int16 { return m.fleet.record.Of(s.request).Class }

// tie is the share of a bound by which a gap must be longer to count as longer: steps that take just as long as the
// bound are now a rounding longer and now a rounding shorter.
const tie = 1e-6

// longer is how many of n gaps, the first of which is given and each of which is longer than the one before by a slope, are longer
// than a bound; none where it is 0.
func longer(gap, slope units.Seconds, n int, bound units.Seconds) int {
	if bound == 0 {
		return 0
	}
	over := func(i int) bool { return gap+slope*units.Seconds(i) > bound*(1+tie) }
	first, last := over(0), over(n-1)
	switch {
	case first && last:
		return n
	case !first && !last:
		return 0
	}
	steps := int(math.Abs(float64((bound*(1+tie) - gap) / slope))) // about where the bound is crossed
	steps = min(max(steps, 0), n-1)
	for steps > 0 && over(steps) != first {
		steps--
	}
	for over(steps) == first {
		steps++
	}
	if first {
		return steps
	}
	return n - steps
}
