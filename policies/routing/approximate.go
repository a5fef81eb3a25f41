package routing

// Approximate is an index of what a router has sent to each replica, as if every replica
// kept the full blocks of its prompts and evicted the one that was used longest ago, of
// a prompt the last one first. It is told neither answers nor what engines evict.
//
// The prompts are a radix tree (tree.go). A name stands for a token and all before it, so
// whether a prompt has the blocks of a node is seen at the last of them, and a request
// costs the nodes that it shares and the replicas, rather than its blocks for each.
type Approximate struct {
	BlockSize int // tokens
	Capacity  int // blocks that it remembers of each replica; 0: as many as the replica has
	MaxPrefix int // blocks of a prompt that it looks at; 0: all

	tree   tree
	caches []*cache // of the replicas that there are
	known  []*cache // by number: of those that there were, too
	tokens []int    // the last match
	match  int      // how many there were

	// The request of the last match.
	prompt prompt
	path   []step
}

// prompt is a request in blocks.
type prompt struct {
	text
	blocks int // full ones
	named  int // of them; the others are like no other's
}

// in splits a prompt into blocks.
func (a *Approximate) in(r *Request) prompt {
	p := prompt{text: text{content: r.Content, blockSize: a.BlockSize}, blocks: r.Prompt / a.BlockSize}
	if a.MaxPrefix > 0 {
		p.blocks = min(p.blocks, a.MaxPrefix)
	}
	if r.Content != nil {
		p.named = min(p.blocks, r.Named/a.BlockSize)
	}
	return p
}

// Match implements Index.
func (a *Approximate) Match(r *Request, replicas Replicas) []int {
	a.follow(replicas)
	a.prompt = a.in(r)
	a.path = a.tree.walk(&a.prompt, a.path[:0])
	a.match++
	seen := 0
	for k := len(a.path) - 1; k >= 0; k-- {
		s := a.path[k]
		if len(s.node.holders) == seen {
			continue // whoever has a node has those before it too, and all of them are seen
		}
		for _, h := range s.node.holders {
			if h.by.match != a.match {
				h.by.match, h.by.matched = a.match, s.matched(h)
				seen++
			}
		}
	}
	for i, c := range a.caches {
		a.tokens[i] = 0
		if c.match == a.match {
			a.tokens[i] = c.matched * a.BlockSize
		}
	}
	return a.tokens
}

// First is, of the replicas with the longest match, the one that had it first; false
// without a match.
func (a *Approximate) First() (int, bool) {
	for k := len(a.path) - 1; k >= 0; k-- {
		longest, first := 0, 0
		for _, h := range a.path[k].node.holders {
			if m := a.path[k].matched(h); m > longest && a.isThere(h.by) {
				longest, first = m, h.by.index
			}
		}
		if longest > 0 {
			return first, true
		}
	}
	return 0, false
}

// Size is how many blocks the index remembers of replica i.
func (a *Approximate) Size(i int) int { return a.caches[i].blocks }

// Sent implements Index.
func (a *Approximate) Sent(i int) {
	c := a.caches[i]
	c.requests++
	c.useUnnamed(a.prompt.blocks - a.prompt.named)
	a.path = a.tree.extend(&a.prompt, a.path, c)
	for k := len(a.path) - 1; k >= 0; k-- { // the last blocks of a prompt are evicted first
		c.use(a.path[k])
	}
	a.tree.evict(c)
}

// KeepLast takes from each replica what none of its last requests used, as many of them as
// it has by its report. If requests end in the order in which they were sent, what is left
// is in use.
func (a *Approximate) KeepLast(replicas Replicas) {
	a.follow(replicas)
	for i, c := range a.caches {
		ended := c.requests - replicas.At(i).Requests()
		for c.blocks > 0 && c.oldest().used <= ended {
			a.tree.drop(c.oldest())
		}
	}
}

// Forget implements Index.
func (a *Approximate) Forget(number int) {
	if number < len(a.known) && a.known[number] != nil {
		a.tree.forget(a.known[number])
	}
}

// follow takes over which replicas there are.
func (a *Approximate) follow(replicas Replicas) {
	n := replicas.Len()
	a.tokens = grown(a.tokens, n-1)[:n]
	a.caches = grown(a.caches, n-1)[:n]
	for i := range n {
		number := replicas.Number(i)
		if c := a.caches[i]; c != nil && c.number == number {
			continue
		}
		a.known = grown(a.known, number)
		if a.known[number] == nil {
			a.known[number] = newCache(number, a.capacity(i, replicas))
		}
		a.caches[i] = a.known[number]
		a.caches[i].index = i
	}
}

// isThere tells whether a replica is among those of the last match.
func (a *Approximate) isThere(c *cache) bool {
	return c.index < len(a.caches) && a.caches[c.index] == c
}

func (a *Approximate) capacity(i int, replicas Replicas) int {
	if a.Capacity > 0 {
		return a.Capacity
	}
	return replicas.At(i).TotalBlocks
}
