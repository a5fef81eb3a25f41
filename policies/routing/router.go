package routing

import (
	"math/rand/v2"

	"kneepoint/units"
)

// Router decides which replica serves a request. It is asked once for each, in order of
// time, and again for one that comes back: whose replica was lost, or who gave up
// waiting. A router may remember what it decided; each group of replicas has one of its
// own.
type Router interface {
	// Route is the index of one of the replicas, from 0 to replicas.Len()-1.
	Route(r *Request, replicas Replicas) int
}

// Forgetter is a router that remembers what replicas have. It is told of one that has lost
// all of it. Without that, a replica that is not there for a while comes back as it was.
type Forgetter interface {
	Router
	Forget(number int)
}

// Request is what a router may know of a request.
type Request struct {
	ID      int // 0, 1, 2, … in order of arrival
	Prompt  int // tokens of the prompt, as sent
	Class   int // of the client; 0 without classes
	Session int // the conversation that it is a turn of; -1: none

	Content Content // names the first Named tokens; nil: the request is like no other
	Named   int
}

// Content names the tokens of requests, so that it can be told which of them begin alike:
// those with the same name at the same token are alike up to there. It does not change,
// and a router may keep it.
type Content interface {
	At(token int) int
}

// Replicas are those that a request may go to, as far as the router is told: reports
// of replicas are as old as they are in a real fleet. A router that does not look at
// them costs nothing.
type Replicas interface {
	Len() int

	// Number is what the replica is called for as long as it is there, counted from 0.
	// Indices change where replicas come and go, or can take no requests for a while.
	Number(i int) int

	// Weight is the share of the requests that the replica is meant for, as a ratio to that
	// of the others.
	Weight(i int) float64

	// At is the last report of a replica, and what was sent to it since.
	At(i int) View

	// FewestRequests is a replica with the fewest requests, by the reports; of several any
	// one of them, by random. It costs the same however many replicas there are.
	FewestRequests(random *rand.Rand) int

	// Cached is how many of the first tokens of the request that is being routed are in the
	// cache of a replica: what an index of the engines' cache events would say.
	Cached(i int) int

	// TTFT is an estimate of how long a replica would take to the first token of the request that
	// is being routed: until the prompts before it are computed by its last report, a part of its own one is fetched where
	// that pays, and the rest is computed.
	TTFT(i int) units.Seconds
}

// View is what a replica shows a router.
type View struct {
	Waiting     int // requests in the front end and the queue
	Running     int // sequences in the batch
	Pending     int // tokens of prompts that are still to be computed
	FreeBlocks  int // of its KV blocks
	TotalBlocks int
}

// Requests is how many are at the replica.
func (v View) Requests() int { return v.Waiting + v.Running }

// Usage is the share of the KV blocks that are not free; 0 without blocks.
func (v View) Usage() float64 {
	if v.TotalBlocks == 0 {
		return 0
	}
	return 1 - float64(v.FreeBlocks)/float64(v.TotalBlocks)
}
