package sim

import (
	"container/list"
	"math"
	"slices"

	"kneepoint/workloads"
)

// reuse is what one cache for all replicas of a pool would have of the requests that came so far, each as it
// comes: everything, if it forgets nothing; and as much as the replicas together have room for.
type reuse struct {
	everything, pooled oneCache
}

// reuseOf is that of a replica's pool; nil without a cache, and where memory is not to grow with
// the run.
func (f *fleet) reuseOf(r *replica) *reuse {
	if r.pool.Eviction == nil || f.config.Stream != nil {
		return nil
	}
	for i := len(f.reuse); i <= r.poolIndex; i++ {
		f.reuse = append(f.reuse, &reuse{newOneCache(f.config.Pools[i].BlockSize), newOneCache(f.config.Pools[i].BlockSize)})
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
		r.totals.ReusedTokens += int64(min(known.everything.blocks(content), most) * size)
		r.totals.PooledTokens += int64(min(known.pooled.blocks(content), most) * size)
	}
	last := prompt + v.Output - 1
	full := min(named, last) / size
	known.everything.add(content, full)
	known.pooled.addBlank(r.pool.blocksFor(last) - full)
	known.pooled.add(content, full)
	known.pooled.shrink(r.fleet.replicasOf(r) * r.pool.Blocks)
}

// replicasOf is how many replicas there are of the pool of one, from the order to the release.
func (f *fleet) replicasOf(r *replica) int {
	if r.roster != nil {
		return len(r.roster.all)
	}
	return r.pool.Replicas
}

// oneCache is a cache of blocks in parts, each of which is the blocks that an ID names: those whose last token it
// names. Parts are used as a whole, those of a request from the last to the first, so that no part is there
// without those before it. Blank blocks, which nobody finds, are parts too.
type oneCache struct {
	blockSize int
	parts     map[int]*list.Element
	order     *list.List // of parts, the least recently used first
	size      int        // in blocks
}

// part is the blocks of a sequence between two indices that an ID names.
type part struct{ id, from, to int }

// blank is no ID: those of workloads are not as low.
const blank = math.MinInt

func newOneCache(blockSize int) oneCache {
	return oneCache{blockSize: blockSize, parts: map[int]*list.Element{}, order: list.New()}
}

// bounds are the indices between which the i-th ID of a content names blocks where others follow it.
func (c *oneCache) bounds(content *workloads.Content, i int) (from, to int) {
	return i * content.Span / c.blockSize, (i + 1) * content.Span / c.blockSize
}

// blocks is how many of the first blocks of a content are there.
func (c *oneCache) blocks(content *workloads.Content) int {
	for i, id := range slices.Backward(content.IDs) {
		e := c.parts[id]
		if e == nil {
			continue
		}
		from, to := c.bounds(content, i)
		if i == len(content.IDs)-1 {
			to = math.MaxInt
		}
		if to = min(to, e.Value.(*part).to); to > from {
			return to
		}
	}
	return 0
}

// add uses the first n blocks of a content, if there are any: those that are missing come in.
func (c *oneCache) add(content *workloads.Content, n int) {
	if n == 0 {
		return
	}
	for i, id := range slices.Backward(content.IDs) {
		from, to := c.bounds(content, i)
		if i == len(content.IDs)-1 {
			to = n
		}
		if to = min(to, n); to > from {
			c.use(id, from, to)
		}
	}
}

// use uses the part of an ID, which has blocks up to an index at least then.
func (c *oneCache) use(id, from, to int) {
	e := c.parts[id]
	if e == nil {
		e = c.order.PushBack(&part{id, from, from})
		c.parts[id] = e
	}
	c.order.MoveToBack(e)
	if p := e.Value.(*part); to > p.to {
		c.size += to - p.to
		p.to = to
	}
}

// addBlank adds n blocks that nobody finds.
func (c *oneCache) addBlank(n int) {
	if n > 0 {
		c.order.PushBack(&part{blank, 0, n})
		c.size += n
	}
}

// shrink forgets the blocks that were used longest ago, of a part the last ones first, for which there is no room.
func (c *oneCache) shrink(room int) {
	for c.size > room {
		e := c.order.Front()
		p := e.Value.(*part)
		n := min(p.to-p.from, c.size-room)
		p.to -= n
		c.size -= n
		if p.to == p.from {
			c.order.Remove(e)
			delete(c.parts, p.id)
		}
	}
}
