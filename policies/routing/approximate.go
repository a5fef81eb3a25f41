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
	caches []*cache // of the replicas
	tokens []int    // the last match

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
	clear(a.tokens)
	seen := 0
	for k := len(a.path) - 1; k >= 0; k-- {
		s := a.path[k]
		if len(s.node.holders) == seen {
			continue // whoever has a node has those before it too, and all of them are seen
		}
		for _, h := range s.node.holders {
			if tokens := &a.tokens[h.by.index]; *tokens == 0 {
				*tokens = s.matched(h) * a.BlockSize
				seen++
			}
		}
	}
	return a.tokens
}

// First is, of the replicas with the longest match, the one that had it first; false
// without a match.
func (a *Approximate) First() (int, bool) {
	if len(a.path) == 0 {
		return 0, false
	}
	last := a.path[len(a.path)-1]
	first := last.node.holders[0]
	for _, h := range last.node.holders[1:] {
		if last.matched(h) > last.matched(first) {
			first = h
		}
	}
	return first.by.index, true
}

// Size is how many blocks the index remembers of replica i.
func (a *Approximate) Size(i int) int { return a.caches[i].blocks }

// Sent implements Index.
func (a *Approximate) Sent(i int) {
	c := a.caches[i]
	c.useUnnamed(a.prompt.blocks - a.prompt.named)
	a.path = a.tree.extend(&a.prompt, a.path, c)
	for k := len(a.path) - 1; k >= 0; k-- { // the last blocks of a prompt are evicted first
		c.use(a.path[k])
	}
	a.tree.evict(c)
}

// follow takes over which replicas there are.
func (a *Approximate) follow(replicas Replicas) {
	n := replicas.Len()
	same := len(a.caches) == n
	for i := 0; same && i < n; i++ {
		same = a.caches[i].number == replicas.Number(i)
	}
	if same {
		return
	}
	gone := make(map[int]*cache, len(a.caches))
	for _, c := range a.caches {
		gone[c.number] = c
	}
	a.caches, a.tokens = make([]*cache, n), make([]int, n)
	for i := range n {
		number := replicas.Number(i)
		c, ok := gone[number]
		if !ok {
			c = newCache(number, a.capacity(i, replicas))
		}
		c.index = i
		a.caches[i] = c
		delete(gone, number)
	}
	for _, c := range gone {
		a.tree.forget(c)
	}
}

func (a *Approximate) capacity(i int, replicas Replicas) int {
	if a.Capacity > 0 {
		return a.Capacity
	}
	return replicas.At(i).TotalBlocks
}
