package sim_test

import "slices"

// oraclePool is the memory for keys and values, after vllm/v1/core/block_pool.py:
// free blocks stand in one queue, from whose front they are taken. With prefix
// caching a full block keeps its name in the cache when it is freed, until it is
// taken for other tokens.
type oraclePool struct {
	size, all int
	caching   bool
	free      []*oracleBlock
	cached    map[oracleName][]*oracleBlock // oldest first: blocks of the same tokens are not merged
}

type oracleBlock struct {
	holders int
	name    oracleName
	named   bool
}

// oracleName stands for vLLM's hash of a block's tokens and all before them: the
// block's place, and an ID that two requests share exactly where they are alike up
// to its last token. Tokens that are like no others are named by their request.
type oracleName struct{ place, content, request int }

func newOraclePool(blocks, size int, caching bool) oraclePool {
	p := oraclePool{size: size, all: blocks, caching: caching, cached: map[oracleName][]*oracleBlock{}}
	for range blocks {
		p.free = append(p.free, &oracleBlock{})
	}
	return p
}

func (p *oraclePool) used() int { return p.all - len(p.free) }

func (p *oraclePool) blocksFor(tokens int) int { return (tokens + p.size - 1) / p.size }

func (p *oraclePool) nameOf(r *oracleRequest, place int) oracleName {
	if last := (place+1)*p.size - 1; last < r.named {
		return oracleName{place: place, content: r.content.At(last), request: -1}
	}
	return oracleName{place: place, request: r.id}
}

// find returns the cached blocks that a request begins with. The last token is
// always computed, since somebody must give the next one (get_computed_blocks).
func (p *oraclePool) find(r *oracleRequest) []*oracleBlock {
	var found []*oracleBlock
	for place := range (r.length() - 1) / p.size {
		same := p.cached[p.nameOf(r, place)]
		if !p.caching || len(same) == 0 {
			break
		}
		found = append(found, same[0])
	}
	return found
}

// needs is the number of free blocks that it takes until a request, which holds
// some already and shares found ones, has room for a number of tokens. A found block
// that nobody holds is a free one (get_num_blocks_to_allocate).
func (p *oraclePool) needs(r *oracleRequest, found []*oracleBlock, tokens int) int {
	n := max(0, p.blocksFor(tokens)-len(r.blocks)-len(found))
	for _, b := range found {
		if b.holders == 0 {
			n++
		}
	}
	return n
}

// share lets a request hold blocks of the cache too.
func (p *oraclePool) share(r *oracleRequest, found []*oracleBlock) {
	for _, b := range found {
		if b.holders == 0 {
			p.free = slices.DeleteFunc(p.free, func(other *oracleBlock) bool { return other == b })
		}
		b.holders++
	}
	r.blocks = append(r.blocks, found...)
	r.hashed = len(found)
}

// extend takes free blocks for a request until it has room for a number of tokens.
func (p *oraclePool) extend(r *oracleRequest, tokens int) {
	for len(r.blocks) < p.blocksFor(tokens) {
		b := p.free[0]
		p.free = p.free[1:]
		if b.named {
			p.cached[b.name] = slices.DeleteFunc(p.cached[b.name], func(other *oracleBlock) bool { return other == b })
		}
		b.named, b.holders = false, 1
		r.blocks = append(r.blocks, b)
	}
}

// register names a request's blocks that a number of tokens fill. vLLM does so when
// blocks are allocated, before the tokens are computed, so that a request which is
// scheduled later in the same step shares them.
func (p *oraclePool) register(r *oracleRequest, tokens int) {
	for ; p.caching && r.hashed < tokens/p.size; r.hashed++ {
		b := r.blocks[r.hashed]
		b.name, b.named = p.nameOf(r, r.hashed), true
		p.cached[b.name] = append(p.cached[b.name], b)
	}
}

// release gives up what a request holds, the last block first, so that the end of a
// sequence is taken before its beginning (KVCacheManager.free).
func (p *oraclePool) release(r *oracleRequest) {
	for _, b := range slices.Backward(r.blocks) {
		if b.holders--; b.holders == 0 {
			p.free = append(p.free, b)
		}
	}
	r.blocks, r.hashed = nil, 0
}
