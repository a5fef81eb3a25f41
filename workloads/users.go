package workloads

import (
	"math"
	"math/rand/v2"

	"kneepoint/units"
)

// users each hold one conversation after another. Unless they all start at once, the
// first conversation of each is in the middle when it joins, any turn being as likely as
// another: else all conversations would grow together, and end together.
type users struct {
	joins  *joins
	free   slots      // who held a conversation before
	places *rand.Rand // of the turns at which users join; nil: at the first

	joined bool // whether the latest conversation is a user's first
}

func newUsers(j *joins, atOnce bool, seed uint64, replication int) *users {
	u := &users{joins: j}
	if !atOnce {
		u.places = Stream(seed, replication, StreamPlaces)
	}
	return u
}

func (u *users) first() float64 {
	at := math.Inf(1)
	if u.joins.left > 0 {
		at = float64(u.joins.next)
	}
	if !u.free.empty() {
		at = min(at, float64(u.free.first()))
	}
	return at
}

func (u *users) removeFirst() {
	at := units.Seconds(u.first())
	if u.joined = u.free.empty() || u.free.first() > at; u.joined {
		u.joins.join(at)
	} else {
		u.free.removeFirst()
	}
}

func (u *users) skip(turns int) int {
	if !u.joined || u.places == nil {
		return 0
	}
	return u.places.IntN(turns)
}

func (u *users) answered(took, at float64) { u.joins.answered(units.Seconds(took), units.Seconds(at)) }

func (u *users) ended(at float64) { u.free.release(units.Seconds(at)) }
