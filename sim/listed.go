package sim

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/policies"
)

// listed is the sequences that decode, of a batch for which the policy decides from totals though
// their engine looks at each of them: what those totals are, and what their part in a step
// does. Their own counts are always up to date.
type listed struct {
	machine   *machine
	sequences []*sequence
}

// inTotals tells whether the sequences of a machine that decode can be listed: they go
// nowhere, and their blocks do not come free before their end.
func inTotals(m *machine) bool { return len(m.pool.Tiers) == 0 && m.pool.Windows.Groups == 0 }

// begin lists nobody.
func (l *listed) begin() {
	v := l.machine.view
	v.Prefilling, v.Rows = nil, l
	v.Decoding, v.Overrunning, v.Paged, v.Context = 0, 0, 0, 0
	l.sequences = l.sequences[:0]
}

// add lists a sequence.
func (l *listed) add(s *sequence) {
	v := l.machine.view
	if s.Ended {
		v.Overrunning++
	} else {
		v.Decoding++
	}
	if s.Reserved == 0 {
		v.Paged++
	}
	v.Context += int64(s.Computed + 1)
	l.sequences = append(l.sequences, s)
}

// goesOn tells whether a sequence has one token to process, and nothing to make up for.
func (s *sequence) goesOn() bool {
	return s.Decodes() && !s.Recovers && !s.Returned && s.phase != recovers
}

// Demand implements policies.Rows.
func (l *listed) Demand(share policies.Share) (blocks int, ok bool) {
	for _, s := range l.sequences {
		more, fits := l.demand(s, &share)
		if !fits {
			return 0, false
		}
		blocks += more
	}
	return blocks, true
}

// demand is the number of blocks that a sequence needs for its share of a step.
func (l *listed) demand(s *sequence, share *policies.Share) (blocks int, ok bool) {
	m := l.machine
	longest := math.MaxInt
	if share.Limited {
		longest = m.view.Longest(&s.Sequence)
	}
	slots, ok := share.SlotsOf(&s.Sequence, longest)
	if slots <= s.Blocks*m.pool.BlockSize {
		return 0, ok
	}
	return m.pool.blocksFor(slots) - s.Blocks, ok
}

// foresee implements totals.
func (l *listed) foresee(m *machine, d *policies.Decision) {
	blocks, _ := l.Demand(d.Share)
	m.foresight.blocks += blocks
	for _, s := range l.sequences {
		if l.names(s) {
			m.foreseeContent(s, min(s.Computed+1, m.known(s)))
		}
	}
}

// names tells whether a sequence is to fill blocks that others may find.
func (l *listed) names(s *sequence) bool {
	return l.machine.memory.cached != nil && s.cached.blocks < min(s.named, s.Prompt+s.output)/l.machine.pool.BlockSize
}

// takeShares gives each sequence what it has of the step that is decided, and adds what it attends to to the
// work. It returns how many got a token from the step before.
func (l *listed) takeShares(work *hardware.Work) (steady int) {
	m := l.machine
	share := &m.decision.Share
	for _, s := range l.sequences {
		if more, _ := l.demand(s, share); more > 0 {
			m.memory.allocate(more)
			s.Blocks += more
		}
		s.certain = min(s.Computed+1, m.known(s))
		m.publish(s, s.certain, m.now)
		s.tokens, s.draft, s.nodes, s.accepted = 1, share.Draft, share.Nodes, 0
		work.DecodeContext += int64(s.Computed + 1)
		work.DecodeWindowContext += int64(min(s.Computed+1, m.window))
		if s.last == m.now && !s.Ended && !s.guest {
			steady++
		}
		s.guest = false
	}
	return steady
}

// addShares adds the shares of a number of sequences to a step's work, whose context is
// there already; see addGuesses.
func addShares(work *hardware.Work, share *policies.Share, rows int) {
	work.DecodeRows, work.LogitRows = rows, rows*(1+share.Nodes)
	if share.Draft > 0 {
		work.DraftRows, work.DraftPasses = rows*share.Nodes, share.Draft
		work.DraftContext = int64(share.Nodes)*work.DecodeContext + int64(rows*(share.Nodes*(share.Draft+1)/2))
	}
}
