package sim

import (
	"kneepoint/units"
)

// findShared counts the blocks of a sequence that follow its first ones, up to n in all, and that are to be
// fetched: as far as there are any, more than the replica has itself by the threshold, and
// faster than it would compute them.
func (m *machine) findShared(s *sequence, first, n int) int {
	if !m.shares() || s.peer == nil && m.fleet.sharing.Peers {
		return 0
	}
	h, size := m.fleet.sharing, m.pool.BlockSize
	has := h.holder(s.peer, m.now)
	blocks := first
	for blocks < n && has(m.keyOf(s, blocks)) {
		blocks++
	}
	tokens := min(blocks*size, s.Length()-1)
	if blocks == first || float64(tokens) < h.Threshold*float64(first*size) {
		return 0
	}
	takes := h.time(m.sharedBytes(blocks-first), s.peer, m.fleet.replicas[m.number])
	if takes >= m.promptTime(s, first*size)-m.promptTime(s, tokens) {
		return 0
	}
	return blocks - first
}

// sharedBytes is the size of a prefix's last blocks, with its state, on all accelerators of the replica together.
func (m *machine) sharedBytes(blocks int) units.Bytes {
	return units.Bytes(blocks)*m.pool.SharedBytes + m.pool.SharedState
}

// holder tells which blocks a replica has now, or the store (nil). One that has failed has none.
func (h *sharing) holder(peer *replica, now units.Seconds) func(blockKey) bool {
	if peer == nil {
		h.store.now = now
		return func(key blockKey) bool { return h.store.find(key) >= 0 }
	}
	if !peer.isUp() {
		return func(blockKey) bool { return false }
	}
	peer.runUntil(now) // which takes the blocks of the step under way, that may have been cached ones
	h.fleet.reschedule(peer)
	return peer.memory.offered(now)
}

// offered tells which blocks others may fetch at a time.
func (m *memory) offered(now units.Seconds) func(blockKey) bool {
	return func(key blockKey) bool { return m.offers(key, now) }
}

// fetchShared begins to fetch the blocks of a sequence's load that others have.
func (m *machine) fetchShared(s *sequence) {
	h, to := m.fleet.sharing, m.fleet.replicas[m.number]
	bytes := m.sharedBytes(s.load.shared)
	m.totals.FetchedBytes += bytes
	sent := m.now
	h.network.sendOver(h.sides(s.peer, to), m.now, float64(bytes), func(at units.Seconds) {
		if !to.isUp() {
			return
		}
		m.fleet.touch(to, at, func() {
			m.observeMove(sent, at, bytes, 0)
			m.endLoad(s, to.active && to.async)
		})
	})
}

// held is how many tokens of a request's prompt there are to be fetched by replicas of a pool, and from whom.
func (h *sharing) held(v *visit, pool int, now units.Seconds) sharedPrefix {
	if h.request != v.ID || h.at != now {
		h.request, h.at, h.found = v.ID, now, make([]sharedPrefix, len(h.fleet.config.Pools))
		for i := range h.found {
			h.found[i] = h.find(v, i, now)
		}
	}
	return h.found[pool]
}

// find looks for the longest prefix of a prompt that there is to be fetched. Of several replicas
// it is the first.
func (h *sharing) find(v *visit, pool int, now units.Seconds) sharedPrefix {
	p := &h.fleet.config.Pools[pool]
	var longest sharedPrefix
	if p.SharedBytes == 0 || v.Content == nil {
		return longest
	}
	if h.store != nil {
		longest.tokens = p.prefix(v, h.holder(nil, now))
		return longest
	}
	for _, r := range h.fleet.replicas {
		if r.poolIndex != pool || !r.isUp() {
			continue
		}
		r.advance(now) // of steps that are not committed no block is offered, and some are lost: no prefix is longer then
		if p.prefix(v, r.memory.offered(now)) <= longest.tokens {
			continue
		}
		if tokens := p.prefix(v, h.holder(r, now)); tokens > longest.tokens {
			longest = sharedPrefix{tokens, r}
		}
	}
	return longest
}

// prefix is how many of a request's first tokens are in blocks that somebody has. The last token
// of the prompt is computed in any case.
func (p *Pool) prefix(v *visit, has func(blockKey) bool) int {
	content, named := p.Compression.content(v.Request)
	if content == nil {
		return 0
	}
	named = min(named, p.Compression.Tokens(v.Input)-1)
	n := 0
	for (n+1)*p.BlockSize <= named && has(blockKey{content.At((n+1)*p.BlockSize - 1), n}) {
		n++
	}
	return n * p.BlockSize
}

// nameSource notes from which replica the prompt of a request is to be fetched that goes to another one now.
func (f *fleet) nameSource(v *visit, to *replica, now units.Seconds) {
	v.peer = nil
	if h := f.sharing; h != nil && h.Peers && to.pool.Role != DecodeOnly {
		if found := h.held(v, to.poolIndex, now); found.peer != to {
			v.peer = found.peer
		}
	}
}
