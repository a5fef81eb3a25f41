package routing

// cache is what an index remembers of a replica: its holdings, from the one that was used
// longest ago to the last one. Of nodes that follow each other the one behind is older:
// nothing that the replica has follows the oldest.
type cache struct {
	number   int // of the replica
	index    int // among the replicas, when it was there last
	capacity int // blocks
	blocks   int // of all holdings
	requests int // that it was sent
	ring     holding

	match   int // the last one in which it had blocks
	matched int // how many
}

// holding is the first blocks of a node that a replica has, or unnamed ones, which are
// alike: those that no other holding parts are one.
type holding struct {
	by     *cache
	node   *node // nil: unnamed ones
	blocks int   // at least 1; 0 of the ring's, which is between the newest and the oldest
	used   int   // the last request of the replica that used it

	older, newer *holding
}

func newCache(number, capacity int) *cache {
	c := &cache{number: number, capacity: capacity}
	c.ring.older, c.ring.newer = &c.ring, &c.ring
	return c
}

func (c *cache) oldest() *holding { return c.ring.newer }
func (c *cache) newest() *holding { return c.ring.older }

// use makes the replica have what a prompt shares of a node, and that the newest.
func (c *cache) use(s step) {
	h := s.node.heldBy(c)
	if h == nil {
		h = &holding{by: c, node: s.node}
		s.node.holders = append(s.node.holders, h)
	} else {
		h.unlink()
	}
	if s.shared > h.blocks {
		c.blocks += s.shared - h.blocks
		h.blocks = s.shared
	}
	h.used = c.requests
	h.follow(c.newest())
}

// useUnnamed makes the replica have blocks that are like no other, as the newest.
func (c *cache) useUnnamed(blocks int) {
	if blocks == 0 {
		return
	}
	c.blocks += blocks
	if c.newest().unnamed() {
		c.newest().blocks += blocks
		return
	}
	h := &holding{by: c, blocks: blocks}
	h.follow(c.newest())
}

func (h *holding) unnamed() bool { return h.node == nil && h.blocks > 0 }

// follow puts a holding right behind an older one.
func (h *holding) follow(older *holding) {
	h.older, h.newer = older, older.newer
	h.older.newer, h.newer.older = h, h
}

// unlink takes a holding from between others.
func (h *holding) unlink() {
	h.older.newer, h.newer.older = h.newer, h.older
	if h.older.unnamed() && h.newer.unnamed() {
		h.older.blocks += h.newer.blocks
		h.newer.unlink()
	}
}
