package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var leastKV = Entry{
	Description: policies.Description{Name: "least-kv", Key: "router", Doc: "to the replica with the largest share of its KV blocks free"},
	New:         func(p Parameters) Router { return &LeastKV{Random: p.Random} },
}

// LeastKV sends a request to the replica with the largest share of its KV blocks free,
// of several to any one of them.
type LeastKV struct{ Random *rand.Rand }

// Route implements Router.
func (l *LeastKV) Route(_ *Request, replicas Replicas) int {
	var best choice
	for i := range replicas.Len() {
		best.offer(l.Random, i, replicas.At(i).Usage(), 0)
	}
	return best.index
}
