package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var roundRobin = Entry{
	Description: policies.Description{Name: "round-robin", Key: "router", Doc: "to one replica after the other, whatever they are doing"},
	New:         func(Parameters, *rand.Rand) Router { return &RoundRobin{} },
}

// RoundRobin sends requests to the replicas one after the other, whatever they are
// doing. Where replicas come and go, those that stay keep their order: between two
// turns of one of them each other one has one. A replica that comes has its first turn
// when all that were there have had theirs.
type RoundRobin struct {
	round []turn
	next  int // of the round
}

// Route implements Router.
func (r *RoundRobin) Route(_ *Request, replicas Replicas) int {
	if len(r.round) != replicas.Len() || !r.round[r.next].holds(replicas) {
		r.follow(replicas)
	}
	t := r.round[r.next]
	r.next = (r.next + 1) % len(r.round)
	return t.index
}

// follow takes over which replicas there are. A change is noticed by their number, or
// at the turn of a replica that is gone.
func (r *RoundRobin) follow(replicas Replicas) {
	there := indices(replicas)
	round := make([]turn, 0, replicas.Len())
	for k := range r.round {
		number := r.round[(r.next+k)%len(r.round)].number
		if i, ok := there[number]; ok {
			round = append(round, turn{index: i, number: number})
			delete(there, number)
		}
	}
	for i := range replicas.Len() {
		number := replicas.Number(i)
		if _, comes := there[number]; comes {
			round = append(round, turn{index: i, number: number})
		}
	}
	r.round, r.next = round, 0
}
