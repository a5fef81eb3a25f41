package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var leastPendingTokens = Entry{
	Description: policies.Description{Name: "least-pending-tokens", Key: "router",
		Doc:  "to the replica with the fewest tokens of prompts that are still to be computed",
		Keys: reportKeys},
	New: func(_ Parameters, random *rand.Rand) Router { return &LeastPendingTokens{Random: random} },
}

// LeastPendingTokens sends a request to the replica with the fewest tokens of prompts
// that are still to be computed, of several to one with the fewest requests, of
// several to any one of them: least work, where the work is the prefill.
type LeastPendingTokens struct {
	Random *rand.Rand

	least choice
}

// Route implements Router.
func (l *LeastPendingTokens) Route(_ *Request, replicas Replicas) int {
	l.least.restart()
	for i := range replicas.Len() {
		v := replicas.At(i)
		l.least.offer(i, float64(v.Pending), float64(v.Requests()))
	}
	return l.least.draw(l.Random)
}
