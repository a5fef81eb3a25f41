package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var powerOfTwo = Entry{
	Description: policies.Description{Name: "power-of-two", Key: "router",
		Doc:  "to the one with fewer requests of two replicas drawn at random",
		Keys: reportKeys},
	New: func(_ Parameters, random *rand.Rand) Router { return &PowerOfTwo{Random: random} },
}

// PowerOfTwo draws two different replicas at random and sends a request to the one with
// fewer, to the first one drawn if they have the same: power of two choices
// (Mitzenmacher, IEEE TPDS 12(10), 2001), as SGLang's, Envoy's and Ray Serve's do it.
type PowerOfTwo struct{ Random *rand.Rand }

// Route implements Router.
func (p *PowerOfTwo) Route(_ *Request, replicas Replicas) int {
	n := replicas.Len()
	if n == 1 {
		return 0
	}
	first, second := p.Random.IntN(n), p.Random.IntN(n-1)
	if second >= first {
		second++
	}
	if replicas.At(second).Requests() < replicas.At(first).Requests() {
		return second
	}
	return first
}
