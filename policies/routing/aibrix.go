package routing

import (
	"math/rand/v2"
	"slices"

	"kneepoint/policies"
)

var aibrix = Entry{
	Description: policies.Description{Name: "aibrix", Key: "router",
		Doc:  "prefix-cache of AIBrix: the longest prefix among replicas that are not far above the mean load",
		Keys: slices.Concat([]string{"balance_abs_threshold", "standard_deviation_factor"}, approximateKeys, reportKeys)},
	Defaults: Parameters{
		Index: ApproximateIndex, IndexBlockSize: 128 / charactersPerToken, IndexCapacity: 200000,
		BalanceAbsThreshold: 16, StandardDeviationFactor: 2,
	},
	PrefixCaching: true,
	New: func(p Parameters, random *rand.Rand) Router {
		return &AIBrix{
			Random: random, Index: newApproximate(p), BlockSize: p.IndexBlockSize,
			BalanceAbsThreshold: p.BalanceAbsThreshold, StandardDeviationFactor: p.StandardDeviationFactor,
		}
	},
}

// AIBrix is the algorithm prefix-cache of AIBrix's gateway (vllm-project/aibrix,
// pkg/plugins/gateway/algorithms, README.md at 0338af7 and prefix_cache.go). If the replicas
// with the most and the fewest requests differ by more than BalanceAbsThreshold, a request
// goes to one with the fewest. Otherwise it goes to the longest match, in whole percents
// of the prompt's blocks, among the replicas with at most mean + StandardDeviationFactor · s
// requests, with s the standard deviation of the sample; of several to one with the
// fewest requests. Without such a replica it goes to one with the fewest of all. Of several
// that are left any one is taken.
//
// Its blocks are of 128 characters; 200,000 of them are remembered for all replicas
// together, here for each. It forgets after 20 minutes, too.
type AIBrix struct {
	Random    *rand.Rand
	Index     Index
	BlockSize int

	BalanceAbsThreshold     int
	StandardDeviationFactor float64

	load load
	best choice
}

// Route implements Router.
func (a *AIBrix) Route(r *Request, replicas Replicas) int {
	chosen := a.choose(r, replicas, a.Index.Match(r, replicas))
	a.Index.Sent(chosen)
	return chosen
}

// Forget implements Forgetter.
func (a *AIBrix) Forget(number int) { a.Index.Forget(number) }

func (a *AIBrix) choose(r *Request, replicas Replicas, cached []int) int {
	a.load.look(replicas)
	if a.load.uneven(a.BalanceAbsThreshold, 0) {
		return replicas.FewestRequests(a.Random)
	}
	limit := a.load.mean() + a.StandardDeviationFactor*a.load.deviation()
	a.best.restart()
	for i, tokens := range cached {
		if tokens > 0 && float64(a.load.of[i]) <= limit {
			percent := tokens / a.BlockSize * 100 / (r.Prompt / a.BlockSize)
			a.best.offer(i, -float64(percent), float64(a.load.of[i]))
		}
	}
	if len(a.best.tied) == 0 {
		return replicas.FewestRequests(a.Random)
	}
	return a.best.draw(a.Random)
}
