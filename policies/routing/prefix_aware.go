package routing

import (
	"math/rand/v2"
	"slices"

	"kneepoint/policies"
)

var prefixAware = Entry{
	Description: policies.Description{Name: "prefix-aware", Key: "router",
		Doc:  "to the longest cached prefix; without a long one, or while the load is uneven, to the replica with the fewest requests",
		Keys: slices.Concat([]string{"cache_threshold"}, balanceKeys, indexKeys, reportKeys)},
	Defaults:      Parameters{Index: PreciseIndex, IndexBlockSize: 16, CacheThreshold: 0.3, BalanceAbsThreshold: 64, BalanceRelThreshold: 1.5},
	PrefixCaching: true,
	Approximate:   approximateKeys,
	New: func(p Parameters, random *rand.Rand) Router {
		return &PrefixAware{
			Random: random, Index: newIndex(p), CacheThreshold: p.CacheThreshold,
			BalanceAbsThreshold: p.BalanceAbsThreshold, BalanceRelThreshold: p.BalanceRelThreshold,
		}
	},
}

// PrefixAware sends a request to the replica with the longest cached prefix of its prompt, of
// several to one with the fewest requests, of several to any one of them. It sends it to
// a replica with the fewest requests if the prefix is no more than CacheThreshold of
// the prompt, or if the replicas with the most and the fewest requests differ by more than
// BalanceAbsThreshold of them and by a ratio of more than BalanceRelThreshold. That is the
// rule of SGLang's router with any index, and without its preference for the first of several.
type PrefixAware struct {
	Random *rand.Rand
	Index  Index

	CacheThreshold      float64
	BalanceAbsThreshold int
	BalanceRelThreshold float64

	load    load
	longest choice
}

// Route implements Router.
func (p *PrefixAware) Route(r *Request, replicas Replicas) int {
	chosen := p.choose(r, replicas, p.Index.Match(r, replicas))
	p.Index.Sent(chosen)
	return chosen
}

// Forget implements Forgetter.
func (p *PrefixAware) Forget(number int) { p.Index.Forget(number) }

func (p *PrefixAware) choose(r *Request, replicas Replicas, cached []int) int {
	p.load.look(replicas)
	p.longest.restart()
	for i, tokens := range cached {
		p.longest.offer(i, -float64(tokens), float64(p.load.of[i]))
	}
	if p.load.uneven(p.BalanceAbsThreshold, p.BalanceRelThreshold) || -p.longest.cost <= p.CacheThreshold*float64(r.Prompt) {
		return replicas.FewestRequests(p.Random)
	}
	return p.longest.draw(p.Random)
}
