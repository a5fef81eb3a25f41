package sim

import "kneepoint/units"

// publish lets others find from now on the full blocks of the sequence's named tokens among its
// first tokens.
func (m *machine) publish(s *sequence, tokens int, now units.Seconds) {
	if s.Offloaded {
		m.publishCopies(s, tokens)
		return
	}
	before := m.memory.copies.waiting()
	for n := m.namedBlocks(s, tokens); s.cached.blocks < n; {
		first, spans := s.cached.blocks, len(s.cached.spans)
		key, until := m.memory.keyFrom(s.content, first)
		m.memory.publish(&s.cached, key.id, min(n, until)-first, now)
		m.offer(s, s.cached.spans[spans:])
	}
	if m.memory.copies.waiting() > before {
		m.storing = append(m.storing, s)
	}
}

// publishCopies lets others find the copies of a sequence's full blocks that move to the
// first tier as they are computed.
func (m *machine) publishCopies(s *sequence, tokens int) {
	if s.content == nil {
		return
	}
	for i := s.Computed / m.pool.BlockSize; i < min(s.named, tokens)/m.pool.BlockSize; i++ {
		m.memory.copies.add(m.memory.key(s.content, i), true)
	}
}

// keepOwn names the full blocks of a sequence that is preempted, those that nobody else
// can ask for, too: it finds them itself when it comes back, if they are still there.
// Tokens that were not known when its last step was planned fill no block by name, such as
// those that were guessed right in it: that happens when blocks are handed out, and it
// had no turn since. With asynchronous scheduling the output of a step gives names too.
func (m *machine) keepOwn(s *sequence) {
	if m.async && s.last != m.now {
		s.certain = s.Computed
	}
	m.registerFirst(s, s.certain/m.pool.BlockSize)
}

// nameRest names the blocks that the last tokens of a sequence have filled when the output
// of a step has come, which the plan of the next one did not know. No copies are made of
// them, which is for a plan to order.
//
// Source: vllm/v1/core/sched/async_scheduler.py, _update_request_with_output.
func (m *machine) nameRest(s *sequence) {
	s.certain = max(s.certain, s.Computed)
	m.registerFirst(s, m.namedBlocks(s, s.Computed))
}

// nameOutput does so for all sequences when a step was planned ahead. But for guesses
// that were right the plan has named all of those that have a task, and others can wait
// until they have one, or end.
func (m *machine) nameOutput() {
	if !m.ahead || m.pool.Acceptance == nil {
		return
	}
	for _, v := range m.running {
		m.nameRest(m.sequences.all[v.ID])
	}
}

// registerFirst names the first n blocks of a sequence.
func (m *machine) registerFirst(s *sequence, n int) {
	for m.memory.cached != nil && s.cached.blocks < n {
		m.memory.register(&s.cached, m.keyOf(s, s.cached.blocks).id, 1, m.changed)
	}
}
