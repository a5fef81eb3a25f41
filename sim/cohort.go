package sim

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// cohort is sequences that take turns with others in a pipeline, as totals: they are in
// the same step, or in none. While a step of theirs is under way, what it processes is
// not counted yet.
type cohort struct {
	decoding
	journey  *journey      // nil: their next step is not like their last one
	prompts  units.Seconds // by which prompts lengthened their steps, so far
	frontEnd units.Seconds // likewise front-end work
}

// add adds a sequence that decodes, and whose counts are up to date. Those that did not have
// their last token together have gaps of different lengths before the next one.
func (c *cohort) add(m *machine, s *sequence) {
	if c.count == 0 {
		c.last = s.last
	}
	if s.last != c.last {
		c.stalls = addToken(c.stalls, s)
	}
	c.join(s)
	if c.fillsNamed(s) {
		c.addNaming(s)
	}
	c.journey = nil
	a := m.phaseStart(s)
	a.clocks.prompts += c.prompts
	a.clocks.frontEnd += c.frontEnd
}

// addToken counts a sequence with those whose last token came when its own did.
func addToken(groups []tokenGroup, s *sequence) []tokenGroup {
	i := 0
	for i < len(groups) && groups[i].last != s.last {
		i++
	}
	if i == len(groups) {
		groups = append(groups, tokenGroup{last: s.last})
	}
	groups[i].count++
	if s.inWindow {
		groups[i].inWindow++
	}
	return groups
}

// settle brings a sequence up to date that leaves; what it was in has ended.
func (c *cohort) settle(m *machine, s *sequence) {
	c.synchronize(s)
	s.decoding = false
	a := m.phaseStart(s)
	a.clocks.prompts -= c.prompts
	a.clocks.frontEnd -= c.frontEnd
	a.landed = s.last
}

// dissolve takes all sequences out.
func (c *cohort) dissolve(m *machine, each func(*sequence)) {
	for _, e := range c.ends {
		c.settle(m, e.sequence)
		each(e.sequence)
	}
	c.clear()
	c.journey = nil
}

// land counts a step that ends, and returns how many tokens it generated.
func (c *cohort) land(m *machine, f *flight) (generated int) {
	for _, g := range c.byLastToken(c.last) {
		m.recordGaps(f.end-g.last, g.count, g.inWindow)
	}
	c.gaps.next(c.last, f.end)
	c.advance(1, f.end)
	if f.end > f.start {
		c.prompts += f.prompts
	}
	c.frontEnd += f.start - f.launched
	return c.count
}

// workIn is the work of the n-th step after the one under way.
func (c *cohort) workIn(n int) hardware.Work {
	return hardware.Work{DecodeRows: c.count, LogitRows: c.count, DecodeContext: c.context + int64(n*c.count),
		DecodeWindowContext: c.windowed + int64(n*c.insideWindow)}
}
