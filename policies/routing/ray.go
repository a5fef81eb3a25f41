package routing

import (
	"math"
	"math/rand/v2"
	"slices"

	"kneepoint/policies"
)

var ray = Entry{
	Description: policies.Description{Name: "ray", Key: "router",
		Doc:  "PrefixCacheAffinityRouter of Ray Serve LLM: the longest prefix, without a long one whoever was sent the least",
		Keys: slices.Concat([]string{"cache_threshold", "balance_abs_threshold"}, approximateKeys, reportKeys)},
	Defaults: Parameters{
		Index: ApproximateIndex, IndexBlockSize: 16, IndexCapacity: math.MaxInt,
		CacheThreshold: 0.1, BalanceAbsThreshold: math.MaxInt,
	},
	PrefixCaching: true,
	New: func(p Parameters, random *rand.Rand) Router {
		return &Ray{
			Random: random, Index: newApproximate(p), CacheThreshold: p.CacheThreshold, BalanceAbsThreshold: p.BalanceAbsThreshold,
			Otherwise: &PowerOfTwo{Random: random},
		}
	},
}

// Ray is the PrefixCacheAffinityRouter of Ray Serve LLM (ray-project/ray,
// prefix_aware_router.py at 06c16f2, where the thresholds are imbalanced_threshold, infinite
// by default, and match_rate_threshold). If the replicas with the most and the fewest
// requests differ by more than BalanceAbsThreshold, it takes power of two choices. Otherwise
// a request goes to the longest match, if it is at least CacheThreshold of the prompt, or
// else to the replica to which the fewest blocks were sent; of several to one with the
// fewest requests, of several to any one of them. Its trees are of characters, and never
// shrink by default.
type Ray struct {
	Random    *rand.Rand
	Index     *Approximate
	Otherwise Router // where the load is uneven

	CacheThreshold      float64
	BalanceAbsThreshold int

	load              load
	longest, smallest choice
}

// Route implements Router.
func (y *Ray) Route(r *Request, replicas Replicas) int {
	chosen := y.choose(r, replicas, y.Index.Match(r, replicas))
	y.Index.Sent(chosen)
	return chosen
}

// Forget implements Forgetter.
func (y *Ray) Forget(number int) { y.Index.Forget(number) }

func (y *Ray) choose(r *Request, replicas Replicas, cached []int) int {
	y.load.look(replicas)
	if y.load.uneven(y.BalanceAbsThreshold, 0) {
		return y.Otherwise.Route(r, replicas)
	}
	y.longest.restart()
	y.smallest.restart()
	for i, tokens := range cached {
		y.longest.offer(i, -float64(tokens), float64(y.load.of[i]))
		y.smallest.offer(i, float64(y.Index.Size(i)), float64(y.load.of[i]))
	}
	if -y.longest.cost >= y.CacheThreshold*float64(r.Prompt) {
		return y.longest.draw(y.Random)
	}
	return y.smallest.draw(y.Random)
}
