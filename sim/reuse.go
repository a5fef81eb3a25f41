package sim

import (
	"math"
	"slices"

	"kneepoint/internal/ids"
	"kneepoint/workloads"
)

// reuse is what one cache for all replicas of a pool would have of the requests that came so far, each as it
// comes: everything, if it forgets nothing; and as much as the replicas together have room for. It is a
// cache of blocks in parts, each of which is the blocks that an ID names: those whose last token it
// names. Parts are used as a whole, those of a request from the last to the first, so that no part is there
// without those before it. Blank blocks, which nobody finds, are parts too.
type reuse struct {
	blockSize int
	parts     ids.Table[*part]
	found     []*part // by ID of the content that was last looked for; nil where there is none
	order     part    // a ring of parts, from the least recently used one behind it on
	size      int     // in blocks
	spare     *part   // blank ones to use again, each behind the other
}

// part is the blocks of a sequence between two indices that an ID names.
type part struct {
	from, to       int // nothing where it was forgotten
	ever           int // the last index if nothing were
	blank          bool
	before, behind *part // in the order; nil where it was forgotten
}

// reuseOf is that of a replica's pool; nil without a cache, and where memory is not to grow with
// the run.
func (f *fleet) reuseOf(r *replica) *reuse {
	if r.pool.Eviction == nil || f.config.Stream != nil {
		return nil
	}
	for i := len(f.reuse); i <= r.poolIndex; i++ {
		f.reuse = append(f.reuse, newReuse(f.config.Pools[i].BlockSize))
	}
	return f.reuse[r.poolIndex]
}

// countReuse counts how many tokens of a prompt that comes to be computed are there. Its last
// token is computed in any case, and the last one of the answer never is.
func (r *replica) countReuse(v *visit) {
	known := r.fleet.reuseOf(r)
	if known == nil || r.pool.Role == DecodeOnly && v.handover != nil {
		return
	}
	prompt, size := r.pool.Compression.Tokens(v.Input), r.pool.BlockSize
	r.totals.ReuseAsked += int64(prompt)
	content, named := r.pool.Compression.content(v.Request)
	if content != nil {
		most := min(named, prompt-1) / size
		known.look(content)
		ever, pooled := known.blocks(content)
		r.totals.ReusedTokens += int64(min(ever, most) * size)
		r.totals.PooledTokens += int64(min(pooled, most) * size)
	}
	last := prompt + v.Output - 1
	full := min(named, last) / size
	known.addBlank(r.pool.blocksFor(last) - full)
	known.add(content, full)
	known.shrink(r.fleet.replicasOf(r) * r.pool.Blocks)
}

// replicasOf is how many replicas there are of the pool of one, from the order to the release.
func (f *fleet) replicasOf(r *replica) int {
	if r.roster != nil {
		return len(r.roster.all)
	}
	return r.pool.Replicas
}

func newReuse(blockSize int) *reuse {
	c := &reuse{blockSize: blockSize}
	c.order.before, c.order.behind = &c.order, &c.order
	return c
}

// bounds are the indices between which the i-th ID of a content names blocks where others follow it.
func (c *reuse) bounds(content *workloads.Content, i int) (from, to int) {
	from, to = i*content.Span/c.blockSize, (i+1)*content.Span/c.blockSize
	if i == len(content.IDs)-1 {
		to = math.MaxInt
	}
	return from, to
}

// blocks is how many of the first blocks of the content that was looked for were there ever, and how many are.
func (c *reuse) blocks(content *workloads.Content) (ever, pooled int) {
	for i, p := range slices.Backward(c.found) {
		if p == nil {
			continue
		}
		from, to := c.bounds(content, i)
		if end := min(to, p.ever); ever == 0 && end > from {
			ever = end
		}
		if end := min(to, p.to); end > from {
			return ever, end
		}
	}
	return ever, 0
}

// look finds the parts of a content.
func (c *reuse) look(content *workloads.Content) {
	c.found = c.found[:0]
	for _, id := range content.IDs {
		c.found = append(c.found, c.parts.At(id))
	}
}

// add uses the first n blocks of the content that was looked for, if there are any: those that are missing come in.
func (c *reuse) add(content *workloads.Content, n int) {
	if n == 0 {
		return
	}
	for i, id := range slices.Backward(content.IDs) {
		from, to := c.bounds(content, i)
		if to = min(to, n); to > from {
			c.use(c.found[i], id, from, to)
		}
	}
}

// use uses the part of an ID, which has blocks up to an index at least then.
func (c *reuse) use(p *part, id, from, to int) {
	if p == nil {
		p = c.open(id)
	}
	if p.behind == nil {
		p.from, p.to = from, from
	} else {
		p.leave()
	}
	c.append(p)
	p.ever = max(p.ever, to)
	if to > p.to {
		c.size += to - p.to
		p.to = to
	}
}

// open is the part of an ID of which there was none. A content may have one twice.
func (c *reuse) open(id int) *part {
	p := c.parts.At(id)
	if p == nil {
		p = &part{}
		c.parts.Put(id, p)
	}
	return p
}

// append puts a part behind those that were used before it.
func (c *reuse) append(p *part) {
	p.before, p.behind = c.order.before, &c.order
	p.before.behind, p.behind.before = p, p
}

// leave takes a part out of the order.
func (p *part) leave() {
	p.before.behind, p.behind.before = p.behind, p.before
	p.before, p.behind = nil, nil
}

// addBlank adds n blocks that nobody finds.
func (c *reuse) addBlank(n int) {
	if n == 0 {
		return
	}
	p := c.spare
	if p == nil {
		p = &part{blank: true}
	} else {
		c.spare = p.behind
	}
	p.from, p.to = 0, n
	c.append(p)
	c.size += n
}

// shrink forgets the blocks that were used longest ago, of a part the last ones first, for which there is no room.
func (c *reuse) shrink(room int) {
	for c.size > room {
		p := c.order.behind
		n := min(p.to-p.from, c.size-room)
		p.to -= n
		c.size -= n
		if p.to > p.from {
			return
		}
		p.from, p.to = 0, 0
		if p.leave(); p.blank {
			p.behind, c.spare = c.spare, p
		}
	}
}
