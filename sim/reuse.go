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
	all       []part           // behind the first one, which is none but where the ring of the others begins, with the least recently used one
	parts     ids.Table[int32] // in all, by ID; 0 where there is none
	found     []int32          // likewise, by ID of the content that was last looked for
	size      int              // in blocks
	spare     int32            // blank ones to use again, each behind the other
}

// part is the blocks of a sequence between two indices that an ID names. There are as many as IDs, so that what leads from one to
// another is its index in reuse.all: with pointers the collector would follow them all, again and again.
type part struct {
	from, to       int32 // nothing where it was forgotten
	ever           int32 // the last index if nothing were
	before, behind int32 // in the ring
	blank          bool
}

// nowhere is before and behind a part that was forgotten.
const nowhere = -1

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
	known, counted := r.fleet.reuseOf(r), v.reused
	v.reused = true
	if counted || known == nil || r.pool.Role == DecodeOnly && v.handover != nil {
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
	return &reuse{blockSize: blockSize, all: make([]part, 1)}
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
	for i, found := range slices.Backward(c.found) {
		if found == 0 {
			continue
		}
		from, to := c.bounds(content, i)
		p := &c.all[found]
		if end := min(to, int(p.ever)); ever == 0 && end > from {
			ever = end
		}
		if end := min(to, int(p.to)); end > from {
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
func (c *reuse) use(index int32, id, from, to int) {
	if index == 0 {
		index = c.open(id)
	}
	p := &c.all[index]
	if p.behind == nowhere {
		p.from, p.to = int32(from), int32(from)
	} else {
		c.leave(p)
	}
	c.append(index)
	p.ever = max(p.ever, int32(to))
	if more := to - int(p.to); more > 0 {
		c.size += more
		p.to = int32(to)
	}
}

// open is the part of an ID of which there was none. A content may have one twice.
func (c *reuse) open(id int) int32 {
	index := c.parts.At(id)
	if index == 0 {
		index = c.newPart(part{before: nowhere, behind: nowhere})
		c.parts.Put(id, index)
	}
	return index
}

func (c *reuse) newPart(p part) int32 {
	if len(c.all) == cap(c.all) { // a slice that appends grows by a quarter at last, and is copied four times in all
		c.all = slices.Grow(c.all, len(c.all))
	}
	c.all = append(c.all, p)
	return int32(len(c.all) - 1)
}

// append puts a part behind those that were used before it.
func (c *reuse) append(index int32) {
	last := c.all[0].before
	c.all[index].before, c.all[index].behind = last, 0
	c.all[last].behind, c.all[0].before = index, index
}

// leave takes a part out of the ring.
func (c *reuse) leave(p *part) {
	c.all[p.before].behind, c.all[p.behind].before = p.behind, p.before
	p.before, p.behind = nowhere, nowhere
}

// addBlank adds n blocks that nobody finds.
func (c *reuse) addBlank(n int) {
	if n == 0 {
		return
	}
	index := c.spare
	if index == 0 {
		index = c.newPart(part{blank: true})
	} else {
		c.spare = c.all[index].behind
	}
	c.all[index].to = int32(n)
	c.append(index)
	c.size += n
}

// shrink forgets the blocks that were used longest ago, of a part the last ones first, for which there is no room.
func (c *reuse) shrink(room int) {
	for c.size > room {
		index := c.all[0].behind
		p := &c.all[index]
		n := min(int(p.to-p.from), c.size-room)
		p.to -= int32(n)
		c.size -= n
		if p.to > p.from {
			return
		}
		p.from, p.to = 0, 0
		if c.leave(p); p.blank {
			p.behind, c.spare = c.spare, index
		}
	}
}
