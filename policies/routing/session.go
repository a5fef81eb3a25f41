package routing

import (
	"math/rand/v2"

	"kneepoint/policies"
)

var session = Entry{
	Description: policies.Description{Name: "session", Key: "router",
		Doc:  "to the replica of the conversation, drawn by its hash; a request of none by power of two choices",
		Keys: reportKeys},
	New: func(_ Parameters, random *rand.Rand) Router {
		return &Session{Salt: random.Uint64(), Otherwise: &PowerOfTwo{Random: random}}
	},
}

// Session sends all turns of a conversation to the same replica, whatever the replicas
// are doing: the one with the largest hash of the conversation and the replica's number
// (rendezvous hashing; Thaler and Ravishankar, IEEE/ACM ToN 6(1), 1998). Where a replica
// goes, only its own conversations move; where the n-th comes, one in n moves to it.
type Session struct {
	Salt      uint64 // of the hash: names of conversations are arbitrary
	Otherwise Router // of a request that is no turn of a conversation
}

// Route implements Router.
func (s *Session) Route(r *Request, replicas Replicas) int {
	if r.Session < 0 {
		return s.Otherwise.Route(r, replicas)
	}
	key := mix(s.Salt ^ uint64(r.Session))
	best, chosen := uint64(0), 0
	for i := range replicas.Len() {
		if h := mix(key ^ uint64(replicas.Number(i))); h > best {
			best, chosen = h, i
		}
	}
	return chosen
}

// mix spreads a number over all 64 bits: one step of SplitMix64 (Steele, Lea and Flood,
// OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
