package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var leastRequests = Entry{
	Description: policies.Description{Name: "least-requests", Key: "router",
		Doc:  "to the replica with the fewest requests, waiting and running",
		Keys: reportKeys},
	New: func(_ Parameters, random *rand.Rand) Router { return &LeastRequests{Random: random} },
}

// LeastRequests sends a request to the replica with the fewest, waiting and running, of
// several to any one of them: join the shortest queue.
type LeastRequests struct{ Random *rand.Rand }

// Route implements Router.
func (l *LeastRequests) Route(_ *Request, replicas Replicas) int {
	return replicas.FewestRequests(l.Random)
}
