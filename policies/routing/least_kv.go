package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var leastKV = Entry{
	Description: policies.Description{Name: "least-kv", Key: "router", Doc: "to the replica with the largest share of its KV blocks free",
		Keys: reportKeys},
	New: func(_ Parameters, random *rand.Rand) Router { return &LeastKV{Random: random} },
}

// LeastKV sends a request to the replica with the largest share of its KV blocks free,
// of several to any one of them.
type LeastKV struct {
	Random *rand.Rand

	least choice
}

// Route implements Router.
func (l *LeastKV) Route(_ *Request, replicas Replicas) int {
	l.least.restart()
	for i := range replicas.Len() {
		l.least.offer(i, replicas.At(i).Usage(), 0)
	}
	return l.least.draw(l.Random)
}
