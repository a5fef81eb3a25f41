package sim

import "kneepoint/workloads"

// reuse knows which tokens the requests of a pool have had so far: what one cache for all of its
// replicas would have that forgets nothing. By the ID of a content it is the number of
// tokens, in whole blocks, of the longest request that the ID is part of, up to the end of
// what the ID names: since an ID stands for all before it, too, those before it are known then.
type reuse map[int]int

// reuseOf is that of a replica's pool; nil without a cache, and where memory is not to grow with
// the run.
func (f *fleet) reuseOf(r *replica) reuse {
	if r.pool.Eviction == nil || f.config.Stream != nil {
		return nil
	}
	for len(f.reuse) <= r.poolIndex {
		f.reuse = append(f.reuse, reuse{})
	}
	return f.reuse[r.poolIndex]
}

// countReuse counts how many tokens of a prompt that comes an earlier request had. Its last
// token is computed in any case, and the last one of the answer never is.
func (r *replica) countReuse(v *visit) {
	known := r.fleet.reuseOf(r)
	if known == nil {
		return
	}
	prompt, size := r.pool.Compression.Tokens(v.Input), r.pool.BlockSize
	r.totals.ReuseAsked += int64(prompt)
	content, named := r.pool.Compression.content(v.Request)
	if content == nil {
		return
	}
	r.totals.ReusedTokens += int64(min(known.tokens(content), named, prompt-1) / size * size)
	known.add(content, min(named, prompt+v.Output-1)/size*size)
}

// tokens is how many of the first tokens of a content are known.
func (r reuse) tokens(c *workloads.Content) int {
	last := len(c.IDs) - 1
	for i := last; i >= 0; i-- {
		if n := r[c.IDs[i]]; n > i*c.Span {
			if i < last {
				n = min(n, (i+1)*c.Span)
			}
			return n
		}
	}
	return 0
}

// add makes so many of the first tokens of a content known.
func (r reuse) add(c *workloads.Content, tokens int) {
	for i, id := range c.IDs {
		end := (i + 1) * c.Span
		if i == len(c.IDs)-1 {
			end = tokens
		}
		if end = min(end, tokens); end > i*c.Span {
			r[id] = max(r[id], end)
		}
	}
}
