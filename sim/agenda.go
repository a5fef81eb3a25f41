package sim

import "kneepoint/units"

// agenda is when the replicas of a fleet next change by themselves, by their numbers: a
// tournament, in which of two neighbours the one wins that comes first, so that finding
// the next of all takes no search, and noting a time the logarithm of their number. It looks
// at no replica: those of a large fleet are not in the processor's cache.
type agenda struct {
	due     []units.Seconds // of each; forever for those that are not there
	winners []int32         // 1: of all; 2i and 2i+1: of the two halves of whom i has the winner; the last half: themselves
	count   int             // replicas
}

// add makes room for one more replica, which never changes as yet. The number of places is a
// power of two.
func (a *agenda) add() {
	a.count++
	if a.count <= len(a.due) {
		return
	}
	for range max(2, len(a.due)) {
		a.due = append(a.due, forever)
	}
	n := len(a.due)
	a.winners = make([]int32, 2*n)
	for i := 2*n - 1; i > 0; i-- {
		if i >= n {
			a.winners[i] = int32(i - n)
			continue
		}
		a.winners[i] = a.winnerOf(i)
	}
}

// set notes when a replica next changes.
func (a *agenda) set(replica int, at units.Seconds) {
	a.due[replica] = at
	for i := (len(a.due) + replica) / 2; i > 0; i /= 2 {
		before, winner := a.winners[i], a.winnerOf(i)
		if winner == before && int(winner) != replica {
			return
		}
		a.winners[i] = winner
	}
}

// winnerOf is who comes first of the two halves of a match; of two at the same time the
// lower number, so that a run is the same on every machine.
func (a *agenda) winnerOf(match int) int32 {
	winner, other := a.winners[2*match], a.winners[2*match+1]
	if a.due[other] < a.due[winner] {
		winner = other
	}
	return winner
}

// first is the replica that next changes; there is one.
func (a *agenda) first() int { return int(a.winners[1]) }

// next is when a replica next changes; forever where none does.
func (a *agenda) next() units.Seconds {
	if a.count == 0 {
		return forever
	}
	return a.due[a.winners[1]]
}
