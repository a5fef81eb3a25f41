package sim

import "slices"

// gather turns the sequences that decode into cohorts: those of each step under way, and those
// that are in none. It is false when there is another with something to process, of which
// totals know nothing. It looks before it changes anything.
func (e *cohorts) gather() bool {
	for _, v := range e.running {
		if s := e.sequences.all[v.ID]; s.Pending() > 0 && !s.goesOn() {
			return false
		}
	}
	ready := e.members[:0]
	for i, v := range e.running {
		s := e.sequences.all[v.ID]
		if s.slot = i; s.Pending() > 0 {
			ready = append(ready, s)
		}
	}
	for _, f := range e.flights {
		e.gatherFlight(f)
	}
	e.members = ready
	e.addAll(e.ready, ready)
	e.gathered, e.quiet = true, 0
	return true
}

// gatherFlight turns the sequences of a step under way that decode into its cohort, as they were
// when it was launched. Those that end a prompt with it, or a recovery, keep their tasks.
func (e *cohorts) gatherFlight(f *flight) {
	decoding := func(s *sequence) bool {
		return s.InFlight == 1 && s.Generated > 0 && s.phase == decodes && !s.Recovers && !s.Returned && !slices.Contains(f.prefilled, s)
	}
	var members []*sequence
	for _, s := range f.sampled {
		if decoding(s) {
			members = append(members, s)
		}
	}
	if len(members) == 0 {
		return
	}
	f.sequences = slices.DeleteFunc(f.sequences, decoding)
	f.sampled = slices.DeleteFunc(f.sampled, decoding)
	for _, s := range members {
		s.InFlight--
		s.Computed--
	}
	f.cohort = e.newCohort()
	e.addAll(f.cohort, members)
}

// addAll adds sequences to an empty cohort, that go on as they did where they were all of a course.
func (e *cohorts) addAll(c *cohort, members []*sequence) {
	for _, s := range members {
		c.add(e.machine, s)
	}
	if len(members) == 0 {
		return
	}
	first := members[0].journey
	if first == nil || first.rows != len(members) || slices.ContainsFunc(members, func(s *sequence) bool { return s.journey != first }) {
		return
	}
	c.journey = first
}

// scatter brings every sequence up to date and dissolves the cohorts, for a policy that must
// look at the sequences one by one.
func (e *cohorts) scatter() {
	if !e.gathered {
		return
	}
	e.gathered = false
	e.compact()
	for _, f := range e.flights {
		if c := f.cohort; c != nil {
			f.cohort = nil
			on := c.journey
			c.dissolve(e.machine, func(s *sequence) { s.journey = on; e.boardAgain(f, s) })
			e.empty = append(e.empty, c)
		}
	}
	on := e.ready.journey
	e.ready.dissolve(e.machine, func(s *sequence) { s.journey = on })
}

// boardAgain counts what a step under way processes of a sequence that was part of its cohort.
func (e *cohorts) boardAgain(f *flight, s *sequence) {
	s.tokens = 1
	e.boardSequence(f, s)
	s.Blocks = max(s.Blocks, e.pool.blocksFor(s.Computed))
	s.certain = s.Computed
}

// synchronize implements engine.
func (e *cohorts) synchronize() { e.scatter() }
