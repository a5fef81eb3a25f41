package sim

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/units"
)

// series is the decode steps of a batch that does not change. Every sequence
// grows by a token per step, and the duration of a step is affine in the number
// of tokens that are attended to, so the durations are an arithmetic series:
//
//	step j takes first + j·slope, and the first k steps end at
//	anchor + k·first + slope·k(k-1)/2
//
// Both engines compute times by this formula, anchored where the batch changed. If
// each step were added to the end of the last, sums would differ in their last digits
// with how many steps are computed together, and schedules with them; so engines
// agree to the last bit, and no rounding adds up over steps.
type series struct {
	anchor units.Seconds // when step 0 begins
	first  hardware.Cost // of step 0
	slope  hardware.Cost // what a step costs more than the one before
	limit  int           // steps for which the formula holds
	taken  int           // of these, the first ones that have ended
}

// contextGrowth is how the work of a batch that decodes grows from step to step.
type contextGrowth struct {
	steps         int // until a sequence ends or fills the window
	context       int // by how much the tokens attended to grow in a step
	windowContext int // by how much those grow in layers with a window
	padding       int // by how much the padding grows that is read
}

// affineTolerance is the relative deviation of a cost from an affine one up to
// which it counts as rounding.
const affineTolerance = 1e-12

// fitSeries fits the series of at most g.steps steps that begins with the step
// that is set up in work: to the line of such steps, or else through the first and the last
// step. It halves the number of steps until the one in the middle is on the line: the
// time of a step is convex in the context, a maximum of affine functions, and its energy, at a
// time that is affine, concave, a minimum of them, so that then all of them are.
func (m *machine) fitSeries(s *series, g contextGrowth) {
	s.anchor, s.taken = m.now, 0
	if l := m.lines.of(&m.step.work, m.pool.Cost); l != nil && g.context == m.step.work.DecodeRows {
		l.fit(s, m.step.work.DecodeContext, g)
		return
	}
	first := m.costAfter(0, g)
	s.first = first
	for s.limit = g.steps; s.limit > 1; s.limit /= 2 {
		last := s.limit - 1
		s.slope = slope(first, m.costAfter(last, g), last)
		middle, before := m.costAfter(last/2, g), float64(last/2)
		if onLine(float64(first.Time+s.slope.Time*units.Seconds(before)), float64(middle.Time)) &&
			onLine(first.Energy+s.slope.Energy*before, middle.Energy) {
			return
		}
	}
	s.slope = hardware.Cost{}
}

// end has the next step begin a series of its own.
func (s *series) end() { s.limit, s.taken = 0, 0 }

// onLine tells whether a value is that of the line, but for rounding.
func onLine(line, value float64) bool { return math.Abs(value-line) <= affineTolerance*value }

// slope is what each of n steps adds to the cost, from that of the first to that of
// the last.
func slope(first, last hardware.Cost, n int) hardware.Cost {
	return hardware.Cost{
		Time:      (last.Time - first.Time) / units.Seconds(n),
		Bytes:     (last.Bytes - first.Bytes) / units.Bytes(n),
		FLOPs:     (last.FLOPs - first.FLOPs) / units.FLOPs(n),
		LinkBytes: (last.LinkBytes - first.LinkBytes) / units.Bytes(n),
		Energy:    (last.Energy - first.Energy) / float64(n),
	}
}

// costAfter is the cost of the step that follows n others like the one that is set
// up in work.
func (m *machine) costAfter(n int, g contextGrowth) hardware.Cost {
	return m.pool.Cost.Step(m.workAfter(n, g))
}

// workAfter is the work of that step.
func (m *machine) workAfter(n int, g contextGrowth) *hardware.Work {
	other := &m.fleet.other
	*other = m.step.work
	other.DecodeContext += int64(n * g.context)
	other.DecodeWindowContext += int64(n * g.windowContext)
	other.PaddingContext += int64(n * g.padding)
	return other
}

// stepCost is the cost of a step with some work, of one that only decodes from its line.
func (m *machine) stepCost(w *hardware.Work) hardware.Cost {
	if l := m.lines.of(w, m.pool.Cost); l != nil {
		return l.at(w.DecodeContext)
	}
	return m.pool.Cost.Step(w)
}

// remaining is the number of further steps for which the series holds.
func (s *series) remaining() int { return s.limit - s.taken }

// endOf is when the k-th step from now on ends, counted from 1.
func (s *series) endOf(k int) units.Seconds {
	n := units.Seconds(s.taken + k)
	return s.anchor + n*s.first.Time + s.slope.Time*(n*(n-1)/2)
}

// about is how many of the next steps end by a time, but for rounding, and 0 where they take no time: with t to go k is the
// positive root of slope/2·k² + first·k = t.
func (s *series) about(at units.Seconds) int {
	t, slope := float64(at-s.endOf(0)), float64(s.slope.Time)
	first := float64(s.first.Time) + slope*(float64(s.taken)-0.5)
	k := 2 * t / (first + math.Sqrt(first*first+2*slope*t))
	if k > 0 && k < longestStretch {
		return int(k)
	}
	return 0
}

// costOf is the cost of the next n steps together, but for their time, which endOf
// gives to the last bit.
func (s *series) costOf(n int) hardware.Cost {
	steps := float64(n)
	sum := steps*float64(s.taken) + steps*(steps-1)/2 // of the steps' numbers
	return hardware.Cost{
		Bytes:     units.Bytes(steps)*s.first.Bytes + units.Bytes(sum)*s.slope.Bytes,
		FLOPs:     units.FLOPs(steps)*s.first.FLOPs + units.FLOPs(sum)*s.slope.FLOPs,
		LinkBytes: units.Bytes(steps)*s.first.LinkBytes + units.Bytes(sum)*s.slope.LinkBytes,
		Energy:    steps*s.first.Energy + sum*s.slope.Energy,
	}
}
