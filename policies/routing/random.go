package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var random = Entry{
	Description: policies.Description{Name: "random", Key: "router", Doc: "to any replica, each as likely as the others"},
	New:         func(_ Parameters, random *rand.Rand) Router { return &Random{Random: random} },
}

// Random sends a request to any replica, each as likely as the others. It splits Poisson
// arrivals into independent ones at each replica.
type Random struct{ Random *rand.Rand }

// Route implements Router.
func (r *Random) Route(_ *Request, replicas Replicas) int { return r.Random.IntN(replicas.Len()) }
