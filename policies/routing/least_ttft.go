package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var leastTTFT = Entry{
	Description: policies.Description{Name: "least-ttft", Key: "router",
		Doc:  "to the replica with the least estimate of the TTFT: queue, fetch of a prefix that others have, computation of the rest",
		Keys: reportKeys},
	New: func(_ Parameters, random *rand.Rand) Router { return &LeastTTFT{Random: random} },
}

// LeastTTFT sends a request to the replica with the least estimate of the time to its first token, of several to one
// with the fewest requests, of several to any one of them: Mooncake's cache-aware
// scheduling, and its KVCache-centric one where replicas fetch from each other what they lack.
//
// Source: Qin et al., FAST 2025, "Mooncake", section 6.1, algorithm 1.
type LeastTTFT struct {
	Random *rand.Rand

	least choice
}

// Route implements Router.
func (l *LeastTTFT) Route(_ *Request, replicas Replicas) int {
	l.least.restart()
	for i := range replicas.Len() {
		l.least.offer(i, float64(replicas.TTFT(i)), float64(replicas.At(i).Requests()))
	}
	return l.least.draw(l.Random)
}
