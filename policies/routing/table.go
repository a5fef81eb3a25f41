package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

// Parameters are what routers are made with. Each reads those that its entry names.
type Parameters struct {
	Random *rand.Rand // of routing alone
}

// Entry is a router of an experiment file.
type Entry struct {
	policies.Description
	New func(Parameters) Router
}

// Routers are all routers, in the order in which messages name them.
var Routers = []Entry{
	roundRobin, random, weighted, leastRequests, leastPendingTokens, powerOfTwo, leastKV, session,
}
