package routing

import (
	"slices"
	"sort"
)

// tree is the prompts that replicas have, as a radix tree: blocks that follow each other
// without a branch are one node. It needs no pointers down, as a name stands for all
// tokens before it.
type tree map[place]*node

// place is a block of a prompt with its name, which no other prefix has there.
type place struct{ block, name int }

// text is content in blocks.
type text struct {
	content   Content
	blockSize int
}

// name is that of the last token of a block.
func (t text) name(block int) int { return t.content.At((block+1)*t.blockSize - 1) }

func (t text) place(block int) place { return place{block: block, name: t.name(block)} }

// node is blocks that follow each other.
type node struct {
	text               // of the first prompt that had them
	start   int        // blocks before it
	blocks  int        // at least 1
	holders []*holding // in the order in which they came
}

// step is a node on the way of a prompt.
type step struct {
	node   *node
	shared int // blocks that the prompt has of it, at least 1
}

// matched is how many first blocks of the prompt the holder of the node has.
func (s step) matched(h *holding) int { return s.node.start + min(s.shared, h.blocks) }

// walk appends the nodes that a prompt shares.
func (t tree) walk(p *prompt, path []step) []step {
	for at := 0; at < p.named; {
		n := t[p.place(at)]
		if n == nil {
			break
		}
		s := step{node: n, shared: n.shares(p)}
		path = append(path, s)
		if s.shared < n.blocks {
			break
		}
		at += s.shared
	}
	return path
}

// shares is how many blocks of the node a prompt has that has the first one.
func (n *node) shares(p *prompt) int {
	both := min(n.blocks, p.named-n.start)
	if p.name(n.start+both-1) == n.name(n.start+both-1) {
		return both
	}
	return sort.Search(both, func(k int) bool { return p.name(n.start+k) != n.name(n.start+k) })
}

// extend splits the last node of a path where the prompt leaves it, or where it ends
// within what the replica has, whose rest was used longer ago, and appends a node of the
// blocks that are new.
func (t *tree) extend(p *prompt, path []step, c *cache) []step {
	at := 0
	if len(path) > 0 {
		last := path[len(path)-1]
		at = last.node.start + last.shared
		if h := last.node.heldBy(c); last.shared < last.node.blocks && (at < p.named || h != nil && h.blocks > last.shared) {
			t.split(last.node, last.shared)
		}
	}
	if at == p.named {
		return path
	}
	n := &node{text: p.text, start: at, blocks: p.named - at}
	t.add(n)
	return append(path, step{node: n, shared: n.blocks})
}

func (t *tree) add(n *node) {
	if *t == nil {
		*t = tree{}
	}
	(*t)[n.place(n.start)] = n
}

// split makes two nodes of one, the second of them behind the first blocks. What was
// held of it stays used as long ago.
func (t *tree) split(n *node, blocks int) {
	rest := &node{text: n.text, start: n.start + blocks, blocks: n.blocks - blocks}
	n.blocks = blocks
	for _, h := range n.holders {
		if h.blocks > blocks {
			behind := &holding{by: h.by, node: rest, blocks: h.blocks - blocks, used: h.used}
			rest.holders = append(rest.holders, behind)
			behind.follow(h.older)
			h.blocks = blocks
		}
	}
	if len(rest.holders) > 0 {
		t.add(rest)
	}
}

// heldBy is what a replica has of the node, or nil.
func (n *node) heldBy(c *cache) *holding {
	for _, h := range n.holders {
		if h.by == c {
			return h
		}
	}
	return nil
}

// evict takes from a replica what it used longest ago until it has no more than its
// capacity.
func (t tree) evict(c *cache) {
	for c.blocks > c.capacity {
		h := c.oldest()
		if excess := c.blocks - c.capacity; h.blocks > excess {
			h.blocks -= excess
			c.blocks -= excess
			return
		}
		t.drop(h)
	}
}

// forget takes everything from a replica.
func (t tree) forget(c *cache) {
	for c.blocks > 0 {
		t.drop(c.oldest())
	}
}

// drop takes a holding from its replica, and the node from the tree if nobody else has it.
func (t tree) drop(h *holding) {
	h.by.blocks -= h.blocks
	h.unlink()
	n := h.node
	if n == nil {
		return
	}
	n.holders = slices.DeleteFunc(n.holders, func(other *holding) bool { return other == h })
	if at := n.place(n.start); len(n.holders) == 0 && t[at] == n {
		delete(t, at)
	}
}
