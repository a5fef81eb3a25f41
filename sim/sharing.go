package sim

import "kneepoint/units"

// Sharing lets replicas use keys and values of prompts that others have computed: copies in a store, or
// what is in the memory of another replica. Whole blocks of prompts are shared, from when
// the step that computes them has ended; answers are not, as with LMCache's defaults. A
// replica fetches what is missing behind its own blocks before it computes the rest,
// where that takes less time.
//
// Source: Qin et al., FAST 2025, "Mooncake", sections 5.2 and 6.1; LMCache, docs.lmcache.ai,
// remote backends and P2P sharing.
type Sharing struct {
	// Peers has a request's prompt fetched from the replica of its pool that has most of it when
	// the request is sent to another one. Otherwise there is a store, to which prompts are
	// copied beside the steps that follow, and that has room for so many Blocks.
	Peers  bool
	Blocks int

	Bandwidth units.BytesPerSecond // of a link, for all accelerators of a replica together, in either direction
	Latency   units.Seconds        // of a fetch or a copy, besides
	Shared    bool                 // one link for all; else each replica has its own

	// Threshold is how many times as many tokens must be there as the replica has itself, at least 1.
	//
	// Source: Qin et al., algorithm 1, kvcache_balancing_threshold.
	Threshold float64
}

// sharing is what replicas share in a run.
type sharing struct {
	Sharing
	fleet   *fleet
	network *network
	hub     sharedLink // where there is one link for all
	store   *copies    // nil with peers

	request int // that was last looked up for routers, and when
	at      units.Seconds
	found   []sharedPrefix // for it, by pool
}

// sharedLink is a link in either direction.
type sharedLink struct{ in, out port }

func newSharedLink() sharedLink { return sharedLink{newPort(1), newPort(1)} }

// sharedPrefix is how many tokens of a prompt there are to be fetched, and from whom: nil from the store.
type sharedPrefix struct {
	tokens int
	peer   *replica
}

// newSharing is that of a fleet; nil where replicas share nothing.
func newSharing(f *fleet, c *Sharing) *sharing {
	if c == nil {
		return nil
	}
	s := &sharing{Sharing: *c, fleet: f, hub: newSharedLink(), request: nobody}
	s.network = &network{fleet: f, bandwidth: c.Bandwidth, latency: c.Latency, awaited: forever}
	if !c.Peers {
		s.store = newCopies([]Tier{{Blocks: c.Blocks}})
	}
	return s
}

// sides are the links from one replica to another, or from or to the store (nil).
func (h *sharing) sides(from, to *replica) []side {
	perByte := 1 / float64(h.Bandwidth)
	if h.Shared {
		if to == nil {
			return []side{{&h.hub.in, perByte}}
		}
		return []side{{&h.hub.out, perByte}}
	}
	var sides []side
	if from != nil {
		sides = append(sides, side{&from.sharedLink.out, perByte})
	}
	if to != nil {
		sides = append(sides, side{&to.sharedLink.in, perByte})
	}
	return sides
}

// time is how long a fetch would take that began now, if those that are under way went on
// beside it:
//
//	Latency + bytes / (Bandwidth / (1 + fetches over the busier link))
func (h *sharing) time(bytes units.Bytes, from, to *replica) units.Seconds {
	busier := 0
	for _, s := range h.sides(from, to) {
		busier = max(busier, len(s.port.deliveries))
	}
	return h.Latency + bytes.At(h.Bandwidth)*units.Seconds(1+busier)
}

// shares tells whether the replica's pool takes part.
func (m *machine) shares() bool { return m.fleet.sharing != nil && m.pool.SharedBytes > 0 }

// offer lets others use blocks that the step under way fills, those of a sequence's prompt, once it has ended.
func (m *machine) offer(s *sequence, filled []*span) {
	if !m.shares() {
		return
	}
	for _, b := range filled {
		if b.to <= s.Prompt/m.pool.BlockSize {
			m.offering = append(m.offering, b)
		}
	}
}

// offerFilled offers the blocks that the step which ends now has filled: to peers at once, and
// in the store when those have come there that it does not have.
func (m *machine) offerFilled(end units.Seconds) {
	if len(m.offering) == 0 {
		return
	}
	h := m.fleet.sharing
	var sent []*blockCopy
	for _, b := range m.offering {
		b.offered = true
		if h.store != nil {
			if c := h.store.insert(b.key(b.from)); c != nil {
				sent = append(sent, c)
			}
		}
	}
	m.offering = m.offering[:0]
	sent = h.store.kept(sent)
	if len(sent) == 0 {
		return
	}
	bytes := float64(len(sent)) * float64(m.pool.SharedBytes)
	from := m.fleet.replicas[m.number]
	copying := h.network.sendOver(h.sides(from, nil), end, bytes, func(at units.Seconds) {
		for _, c := range sent {
			c.ready = at
		}
	})
	copying.from, copying.copies = from, sent
}

// lose gives up the copies that a replica which fails now has not sent whole.
func (h *sharing) lose(from *replica, now units.Seconds) {
	if h == nil {
		return
	}
	for _, d := range h.network.halt(now, func(d *delivery) bool { return d.from == from }) {
		h.store.remove(d.copies)
	}
	h.network.share(now)
}
