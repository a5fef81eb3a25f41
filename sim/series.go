package sim

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/internal/units"
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
	anchor       units.Seconds
	first, slope units.Seconds
	limit        int // steps for which it holds
	taken        int // of these
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

// newSeries fits the series of at most g.steps steps that begins with the work w
// at the time anchor, and whose first step takes so long: through the first and the last step, for as many steps as
// the one in the middle is on the line. The cost of a step is convex, a maximum
// of affine functions, so that then all of them are.
func newSeries(anchor, first units.Seconds, cost hardware.CostModel, w *hardware.Work, g growth) series {
	s := series{anchor: anchor, limit: g.steps, first: first}
	for ; s.limit > 1; s.limit /= 2 {
		last := s.limit - 1
		s.slope = (timeAfter(cost, w, g, last) - s.first) / units.Seconds(last)
		middle := timeAfter(cost, w, g, last/2)
		line := s.first + s.slope*units.Seconds(last/2)
		if math.Abs(float64(middle-line)) <= affineTolerance*float64(middle) {
			return s
		}
	}
	s.slope = 0
	return s
}

// timeAfter is the duration of the step that follows n others like w.
func timeAfter(cost hardware.CostModel, w *hardware.Work, g growth, n int) units.Seconds {
	later := grown(w, g, n)
	return cost.Step(&later).Time
}

// grown is the work of the step that follows n others like w.
func grown(w *hardware.Work, g growth, n int) hardware.Work {
	later := *w
	later.DecodeContext += int64(n * g.rows)
	later.DecodeWindowContext += int64(n * g.windowed)
	return later
}

// left is the number of steps that the series still holds for.
func (s *series) left() int { return s.limit - s.taken }

// end is when the k-th step from now on ends.
func (s *series) end(k int) units.Seconds {
	n := units.Seconds(s.taken + k)
	return s.anchor + n*s.first + s.slope*(n*(n-1)/2)
}
