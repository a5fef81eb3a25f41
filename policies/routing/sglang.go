package routing

import (
	"math/rand/v2"
	"slices"

	"kneepoint/policies"
)

var sglang = Entry{
	Description: policies.Description{Name: "sglang", Key: "router",
		Doc:  "cache_aware of SGLang's router: the longest prefix; without a long one, or while the load is uneven, the fewest requests",
		Keys: slices.Concat([]string{"cache_threshold"}, balanceKeys, approximateKeys, reportKeys)},
	Defaults: Parameters{
		Index: ApproximateIndex, IndexBlockSize: 16, IndexCapacity: 1 << 26 / charactersPerToken / 16,
		CacheThreshold: 0.3, BalanceAbsThreshold: 64, BalanceRelThreshold: 1.5,
	},
	PrefixCaching: true,
	New: func(p Parameters, _ *rand.Rand) Router {
		return &SGLang{
			Index: newApproximate(p), CacheThreshold: p.CacheThreshold,
			BalanceAbsThreshold: p.BalanceAbsThreshold, BalanceRelThreshold: p.BalanceRelThreshold,
		}
	},
}

// charactersPerToken turns what routers count in characters into tokens.
const charactersPerToken = 4

// SGLang is the policy cache_aware of SGLang's router (sgl-project/sglang,
// sgl-model-gateway/src/policies/cache_aware.rs and tree.rs at 053b63f). With L the requests
// of a replica, if max L - min L > BalanceAbsThreshold and max L > BalanceRelThreshold · min L, a
// request goes to the replica with the fewest. Otherwise, with m the longest prefix that
// was sent anywhere, it goes to where m is, if m > CacheThreshold · prompt, else to
// the replica with the fewest requests too: its comment says the smallest tree. Of several
// with the fewest it takes the first one, of several with m the one that had it
// first. Every prompt is inserted.
//
// Its trees are of characters and shrink to their size every two minutes; this index has
// blocks, and is never larger.
type SGLang struct {
	Index *Approximate

	CacheThreshold      float64
	BalanceAbsThreshold int
	BalanceRelThreshold float64

	load load
}

// Route implements Router.
func (s *SGLang) Route(r *Request, replicas Replicas) int {
	cached := s.Index.Match(r, replicas)
	s.load.look(replicas)
	chosen := s.load.lightest
	if first, ok := s.Index.First(); ok && float64(cached[first]) > s.CacheThreshold*float64(r.Prompt) &&
		!s.load.uneven(s.BalanceAbsThreshold, s.BalanceRelThreshold) {
		chosen = first
	}
	s.Index.Sent(chosen)
	return chosen
}

// Forget implements Forgetter.
func (s *SGLang) Forget(number int) { s.Index.Forget(number) }
