package sim

import (
	"math"

	"kneepoint/units"
	"kneepoint/workloads"
)

// memory is the KV blocks of a replica. With prefix caching full blocks of named
// tokens keep their content when no sequence holds them any more, until their memory
// is needed. It only counts the others, which are blank: which of these a sequence
// gets makes no difference. The policy decides within what is free, so that free
// never falls below 0.
type memory struct {
	total     int
	free      int // blocks that no sequence holds, cached ones among them
	blockSize int // tokens of a block

	cached    *blockIndex   // nil without prefix caching
	order     freeBlocks    // in which free blocks are taken, with prefix caching
	oneByOne  bool          // each block is a span of its own
	aging     bool          // how often a block was held does not matter
	ttl       units.Seconds // how long one is found after that; 0: for ever
	copies    *copies       // of cached blocks, in the tiers; nil without tiers
	forgotten []*span       // to use again
	emptied   []*span       // whose blocks were taken last
	decision  int64         // the number of the one that is made, from 1 on
	hits      []*chain      // that it has found
}

// blockKey names a block by its content: the ID of its last token, which is that of
// everything up to there, and its index among the blocks of a sequence.
type blockKey struct {
	id, index int
}

// ownKey names the index-th block of a request that is like no other up to there. IDs
// from workloads are not as low.
func ownKey(request, index int) blockKey { return blockKey{math.MinInt + request, index} }

// own tells whether the block is named as one of a request's own.
func (k blockKey) own() bool { return k.id < math.MinInt/2 }

func newMemory(p *Pool) memory {
	m := memory{total: p.Blocks, free: p.Blocks, blockSize: p.BlockSize, ttl: p.CacheTTL, decision: 1}
	if p.Eviction != nil {
		m.cached, m.order = &blockIndex{}, newFreeBlocks(p.Eviction)
		m.oneByOne, m.aging = p.SharedBytes > 0, p.Eviction.OneQueue()
		m.order.addBlank(m.total)
		m.copies = newCopies(p.Tiers)
	}
	return m
}

// setTime tells the copies in the tiers when they are looked for.
func (m *memory) setTime(now units.Seconds) {
	if m.copies != nil {
		m.copies.now = now
	}
}

// used is the number of blocks that sequences hold.
func (m *memory) used() int { return m.total - m.free }

// key is that of the index-th block of a content.
func (m *memory) key(c *workloads.Content, index int) blockKey {
	return blockKey{c.At((index+1)*m.blockSize - 1), index}
}

// keyFrom is the key of a block of a content, and the index behind the blocks from it on that the same ID names.
func (m *memory) keyFrom(c *workloads.Content, index int) (key blockKey, until int) {
	id, end := c.Name((index+1)*m.blockSize - 1)
	return blockKey{id, index}, end / m.blockSize
}

// expired tells whether a span is found no more at a time, since nobody has held it for too long.
func (m *memory) expired(s *span, now units.Seconds) bool {
	return m.ttl > 0 && len(s.holders) == 0 && now-s.freedAt > m.ttl
}

// finds is a span with a block that is cached at a time; nil where there is none.
func (m *memory) finds(key blockKey, now units.Seconds) *span {
	return m.first(key, func(s *span) bool { return !m.expired(s, now) })
}

// offers tells whether a block is cached at a time of which others may fetch the content.
func (m *memory) offers(key blockKey, now units.Seconds) bool {
	return m.first(key, func(s *span) bool { return s.offered && !m.expired(s, now) }) != nil
}

// first is the first span with a block of a content that is such as is asked for; nil where there is none.
func (m *memory) first(key blockKey, such func(*span) bool) *span {
	return m.cached.find(key).orLater(such)
}

// held is a span with a block of a content that a sequence holds. There may be free ones, too, which
// loads of the same decision are to take.
func (m *memory) held(key blockKey) *span {
	if s := m.first(key, func(s *span) bool { return len(s.holders) > 0 }); s != nil {
		return s
	}
	return m.cached.find(key)
}

// share lets one more sequence hold a span.
func (m *memory) share(s *span, c *chain) {
	if m.copies != nil {
		for i := s.from; i < s.to; i++ {
			m.copies.use(s.key(i))
		}
	}
	if len(s.holders) == 0 {
		m.order.remove(s)
		m.free -= s.len()
	}
	s.holders = append(s.holders, c)
	s.uses++
}

// allocate makes n free blocks used. Those that are cached lose their content. That there are as many is up to the policy
// (policies.Batching): where it planned more, no input is wrong but the program, and it panics rather than go on with blocks that are not there.
func (m *memory) allocate(n int) {
	if m.free -= n; m.free < 0 {
		panic("sim: a decision takes more blocks than are free")
	}
	if m.cached == nil || m.order.takeBlank(n) {
		return
	}
	m.emptied = m.order.take(n, m.emptied[:0])
	for _, s := range m.emptied {
		m.forget(s)
		m.forgotten = append(m.forgotten, s)
	}
}

// publish registers the next n blocks of a sequence at a time, and copies them to the tiers.
func (m *memory) publish(c *chain, id, n int, now units.Seconds) {
	if m.copies != nil {
		for i := range n {
			m.copies.add(blockKey{id, c.blocks + i}, false)
		}
	}
	m.register(c, id, n, now)
}

// register makes the next n blocks of a sequence, blank ones that it holds and fills, cached ones at a time, which an
// ID names. There may be others of the same content already, which are found before them.
func (m *memory) register(c *chain, id, n int, now units.Seconds) {
	for end := c.blocks + n; c.blocks < end; {
		key := blockKey{id, c.blocks}
		m.forgetExpired(key, now)
		if last := c.end(); m.grows(last, key) {
			m.grow(last, end)
			c.blocks = last.to
		} else {
			c.add(m.newSpan(key, c))
		}
	}
}

// grows tells whether a span goes on with a block that is the only one of its content: where only the sequence that
// fills it holds the span, and nobody found it in the decision that is made, who is to hold no more of it. Nor is there another that
// has filled blocks which have no name yet.
func (m *memory) grows(s *span, key blockKey) bool {
	return s != nil && s.id == key.id && s.to == key.index && len(s.holders) == 1 && (m.aging || s.uses == 1) &&
		s.later == s && s.foundIn != m.decision && !m.oneByOne && s.named.filler == nil && s.named.at(key.index) == nil
}

// grow lets a span go on up to an index, or to the first block of which there is one already.
func (m *memory) grow(s *span, end int) {
	s.to = s.named.behind(s, end)
}

// newSpan makes a blank block a span that a sequence holds.
func (m *memory) newSpan(key blockKey, c *chain) *span {
	s := m.unused()
	*s = span{id: key.id, from: key.index, to: key.index + 1, holders: append(s.holders[:0], c), uses: 1, earlier: s, later: s}
	s.node.span = s
	if first := m.cached.find(key); first != nil {
		first = m.part(first, key.index, key.index+1)
		s.earlier, s.later, s.named = first.earlier, first, first.named
		s.earlier.later, s.later.earlier = s, s
	} else {
		m.cached.put(s)
	}
	return s
}

// unused is memory for a span: of one that was forgotten, or else new one for several, since those
// of a sequence are used in a row.
func (m *memory) unused() *span {
	if len(m.forgotten) == 0 {
		more := make([]span, 8)
		for i := range more {
			m.forgotten = append(m.forgotten, &more[i])
		}
	}
	last := len(m.forgotten) - 1
	s := m.forgotten[last]
	m.forgotten = m.forgotten[:last]
	return s
}

// part makes the blocks of a span between two indices, the second of which is not among them, one of their own.
func (m *memory) part(s *span, from, to int) *span {
	if s.from < from {
		_, s = m.cut(s, from)
	}
	if to < s.to {
		s, _ = m.cut(s, to)
	}
	return s
}

// cut makes two spans of one, the second of which begins at an index, and is the one that was there.
func (m *memory) cut(s *span, at int) (head, tail *span) {
	head, tail = m.unused(), s
	holders := append(head.holders[:0], s.holders...)
	*head = *s
	head.holders, head.earlier, head.later, head.node.span = holders, head, head, head
	head.to, tail.from = at, at
	m.cached.put(head)
	if len(s.holders) == 0 {
		m.order.cut(head, tail)
	}
	for _, c := range s.holders {
		c.cut(head, tail)
	}
	for _, c := range m.hits {
		c.cut(head, tail)
	}
	return head, tail
}

// forgetExpired makes those blocks of a content blank ones that are found no more. As long as nobody
// fills another one they only look cached, and when they are taken that makes no difference.
func (m *memory) forgetExpired(key blockKey, now units.Seconds) {
	if m.ttl == 0 {
		return
	}
	for s := m.cached.find(key); s != nil && m.expired(s, now); s = m.cached.find(key) {
		s = m.part(s, key.index, key.index+1)
		m.forget(s)
		m.order.blank(s)
	}
}

// forget has a span found no more.
func (m *memory) forget(s *span) {
	switch {
	case s.later == s:
		m.cached.remove(s)
		return
	case s.named.has(s):
		m.cached.put(s.later)
	}
	s.earlier.later, s.later.earlier = s.later, s.earlier
	s.earlier, s.later = nil, nil
}

// release gives back at a time the blocks of a sequence: their number in all, and the
// cached ones among them, which are its first ones. The last is freed first, so that
// the ends of prefixes are taken before their starts: a block without those before it
// is of no use.
func (m *memory) release(blocks int, cached *chain, now units.Seconds) {
	m.releaseBlank(blocks - cached.blocks)
	for i := len(cached.spans) - 1; i >= 0; i-- {
		s := cached.spans[i]
		if s.leave(cached); len(s.holders) == 0 {
			m.free += s.len()
			s.freedAt = now
			m.order.add(s)
		}
	}
	cached.reset()
}

// releaseBlank gives back blocks that are not cached.
func (m *memory) releaseBlank(n int) {
	m.free += n
	if m.cached != nil {
		m.order.addBlank(n)
	}
}
