package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Energy is what the accelerators draw above their idle power in a step of this work and cost,
// see hardware.Power. In a pipeline those of one stage work at a time. All tokens of the step
// count, wanted or not, and guesses; the drafter's own arithmetic does not.
func (m *Model) Energy(c *hardware.Cost, w *hardware.Work) float64 {
	return m.power.Joules(m.working(), c.Time, c.Bytes, m.computed(c, w))
}

// computed is the FLOPs of all of a step's tokens.
func (m *Model) computed(c *hardware.Cost, w *hardware.Work) units.FLOPs {
	return c.FLOPs + c.DraftFLOPs + units.FLOPs(unwanted(w))*m.totals.tokenFLOPs
}

// slowDown lengthens a step's kernels as a cap on power asks for, see hardware.Power.Clock. The
// clock follows the mean power over some milliseconds, so that a step has one.
func (m *Model) slowDown(k *kernels, w *hardware.Work) {
	var c hardware.Cost
	m.addAmounts(&c, w)
	clock := units.Seconds(m.power.Clock(m.power.Demand(m.working(), k.all, c.Bytes, m.computed(&c, w))))
	k.capped = k.all/clock - k.all
	k.all, k.logits = k.all/clock, k.logits/clock
}

// working is the number of accelerators that work on a step at a time.
func (m *Model) working() float64 { return float64(m.deployment.ranks()) }

// unwanted is the number of a step's tokens that are padding, or were computed before.
func unwanted(w *hardware.Work) int {
	n := w.PaddingRows
	for _, c := range w.Prefill {
		n += min(c.Tokens, c.Recomputed+c.Padding)
	}
	return n
}
