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

	last []turn // the round before the replicas changed
	seat []int  // by number, one more than the index; 0 but while that is needed
}

// Route implements Router.
func (r *RoundRobin) Route(_ *Request, replicas Replicas) int {
	if len(r.round) != replicas.Len() || !r.round[r.next].holds(replicas) {
		r.follow(replicas)
	}
	t := r.round[r.next]
	if r.next++; r.next == len(r.round) {
		r.next = 0
	}
	return t.index
}

// follow takes over which replicas there are. A change is noticed by their number, or
// at the turn of a replica that is gone.
func (r *RoundRobin) follow(replicas Replicas) {
	for i := range replicas.Len() {
		number := replicas.Number(i)
		r.seat = grown(r.seat, number)
		r.seat[number] = i + 1
	}
	r.round, r.last = r.last[:0], r.round
	for k := range r.last {
		r.seatNext(r.last[(r.next+k)%len(r.last)].number)
	}
	for i := range replicas.Len() {
		r.seatNext(replicas.Number(i))
	}
	r.next = 0
}

// seatNext puts a replica at the end of the round, unless it is gone or sits there already.
func (r *RoundRobin) seatNext(number int) {
	if seat := r.seat[number]; seat > 0 {
		r.round = append(r.round, turn{index: seat - 1, number: number})
		r.seat[number] = 0
	}
}
