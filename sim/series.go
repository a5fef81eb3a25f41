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
// Both engines take times from this formula, anchored where the batch changed:
// they agree to the last bit, and no error adds up over steps.
type series struct {
	anchor units.Seconds
	first  hardware.Cost // of step 0
	slope  hardware.Cost // from a step to the next
	limit  int           // steps for which it holds
	taken  int           // of these
}

// growth is how a batch that decodes changes from step to step.
type growth struct {
	steps    int // until a sequence ends or fills the window
	rows     int // by how much the tokens attended to grow in a step
	windowed int // by how much those grow in layers with a window
}

// affineTolerance is the relative deviation from an affine cost that is put down
// to rounding.
const affineTolerance = 1e-12

// newSeries fits the series of at most g.steps steps that begins with the step
// that is set up in work, which costs so much: through the first and the last
// step, for as many steps as the one in the middle is on the line. The cost of a
// step is convex, a maximum of affine functions, so that then all of them are.
func (m *machine) newSeries(first hardware.Cost, g growth) series {
	s := series{anchor: m.now, limit: g.steps, first: first}
	for ; s.limit > 1; s.limit /= 2 {
		last := s.limit - 1
		s.slope = slope(first, m.costAfter(last, g), last)
		middle := m.costAfter(last/2, g).Time
		line := first.Time + s.slope.Time*units.Seconds(last/2)
		if math.Abs(float64(middle-line)) <= affineTolerance*float64(middle) {
			return s
		}
	}
	s.slope = hardware.Cost{}
	return s
}

// slope is what each of n steps adds to the cost.
func slope(first, last hardware.Cost, n int) hardware.Cost {
	return hardware.Cost{
		Time:      (last.Time - first.Time) / units.Seconds(n),
		Bytes:     (last.Bytes - first.Bytes) / units.Bytes(n),
		FLOPs:     (last.FLOPs - first.FLOPs) / units.FLOPs(n),
		LinkBytes: (last.LinkBytes - first.LinkBytes) / units.Bytes(n),
	}
}

// costAfter is the cost of the step that follows n others like the one that is set
// up in work.
func (m *machine) costAfter(n int, g growth) hardware.Cost {
	m.step.other = m.step.work
	m.step.other.DecodeContext += int64(n * g.rows)
	m.step.other.DecodeWindowContext += int64(n * g.windowed)
	return m.pool.Cost.Step(&m.step.other)
}

// left is the number of steps that the series still holds for.
func (s *series) left() int { return s.limit - s.taken }

// end is when the k-th step from now on ends.
func (s *series) end(k int) units.Seconds {
	n := units.Seconds(s.taken + k)
	return s.anchor + n*s.first.Time + s.slope.Time*(n*(n-1)/2)
}

// costOf is the cost of the next n steps together, but for their time.
func (s *series) costOf(n int) hardware.Cost {
	steps := float64(n)
	sum := steps*float64(s.taken) + steps*(steps-1)/2 // of the steps' numbers
	return hardware.Cost{
		Bytes:     units.Bytes(steps)*s.first.Bytes + units.Bytes(sum)*s.slope.Bytes,
		FLOPs:     units.FLOPs(steps)*s.first.FLOPs + units.FLOPs(sum)*s.slope.FLOPs,
		LinkBytes: units.Bytes(steps)*s.first.LinkBytes + units.Bytes(sum)*s.slope.LinkBytes,
	}
}
