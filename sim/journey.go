package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// journey is the decode steps of sequences that take turns with others in a pipeline,
// as long as they stay together: what such steps cost is a series, and so is the time in
// each stage. Every engine of a pipeline takes times from here, so that they agree to
// the last bit.
type journey struct {
	series        // but for the anchor
	pool   *Pool  // whose costs these are
	rows   int    // sequences
	stages []ramp // how long a step occupies each stage
}

// ramp is a time that changes by the same from step to step.
type ramp struct{ first, slope units.Seconds }

// newJourney fits that of the step that is set up, which its sequences repeat as
// growth says: through the first and the last step, as fitSeries does.
func (p *pipeline) newJourney(growth contextGrowth) *journey {
	c := &journey{pool: p.pool, rows: p.step.work.DecodeRows, stages: make([]ramp, len(p.free))}
	p.fitSeries(&c.series, growth)
	p.stages.StageTimes(&p.step.work, p.times)
	for i, t := range p.times {
		c.stages[i].first = t
	}
	for ; c.limit > 1 && !p.onJourney(c, growth); c.limit /= 2 {
	}
	if c.limit <= 1 {
		c.limit, c.slope = 1, hardware.Cost{}
	}
	return c
}

// onJourney fits the times in the stages, and tells whether those of the step in the middle
// are on the lines.
func (p *pipeline) onJourney(c *journey, growth contextGrowth) bool {
	last := c.limit - 1
	p.stages.StageTimes(p.workAfter(last, growth), p.times)
	for i := range c.stages {
		l := &c.stages[i]
		l.slope = (p.times[i] - l.first) / units.Seconds(last)
	}
	p.stages.StageTimes(p.workAfter(last/2, growth), p.times)
	for i, l := range c.stages {
		if !onLine(float64(l.at(last/2)), float64(p.times[i])) {
			return false
		}
	}
	return true
}

// at is the time of a step, counted from 0.
func (r ramp) at(step int) units.Seconds { return r.first + r.slope*units.Seconds(step) }

// holds tells whether the next step of some sequences, which all had their last one in j, is as that says.
func (j *journey) holds(rows int, pool *Pool) bool {
	return j != nil && j.rows == rows && j.pool == pool && j.remaining() > 0
}

// cost is that of the next step.
func (j *journey) cost() hardware.Cost {
	cost := j.costOf(1)
	cost.Time = j.first.Time + j.slope.Time*units.Seconds(j.taken)
	return cost
}

// costBefore is that of the step before it.
func (j *journey) costBefore() hardware.Cost {
	before := *j
	before.taken--
	return before.cost()
}

// timeOf is how long the next n steps take, each in an empty pipeline.
func (j *journey) timeOf(n int) units.Seconds {
	steps := units.Seconds(n)
	return steps*j.first.Time + j.slope.Time*(steps*units.Seconds(j.taken)+steps*(steps-1)/2)
}

// stageTimes fills times with those of the next step.
func (j *journey) stageTimes(times []units.Seconds) {
	for i, l := range j.stages {
		times[i] = l.at(j.taken)
	}
}

// repeats tells whether the step that is set up is one of sequences that decode, none of which
// has just come, as their next one will be.
func (m *machine) repeats() bool {
	w := &m.step.work
	return m.decision.Joining() == 0 && w.DecodeRows > 0 && len(w.Prefill) == 0 && w.DraftRows+w.PaddingRows == 0 && w.PaddingContext == 0
}

// journeyOf is that of the step that is set up, in which sequences have a task each; nil
// where it is not one of many alike.
func (p *pipeline) journeyOf(members []*sequence) *journey {
	var c *journey
	if p.repeats() {
		c = members[0].journey
		for _, s := range members {
			if s.journey != c {
				c = nil
			}
		}
		if !c.holds(len(members), p.pool) {
			c = p.newJourney(growthOf(members, p.window))
		}
	}
	for _, s := range members {
		s.journey = c
	}
	return c
}
