package workloads

import (
	"encoding/binary"
	"math"
)

// walk goes along an answer, by a byte of levels of its tokens at a time: by the number of guesses of a step that are
// right so far and the byte, it says how many guesses are right in the steps that end with these, all of which have as
// many guesses. Behind a byte with a guess that is wrong wherever it is in a step, the walk is at the same place from everywhere: that
// is known without what comes before, so that the processor need not wait for it.
//
// The guess at place i of a step is right where the level of its token is at most that of the place's limit. The first token
// behind those that are right is the model's own; the next step begins behind that. So where a walk is in a step is the number
// of its guesses that are right so far, and a byte of levels leads from each such number to another one.
type walk struct {
	reached []reached // by place and byte
	place   [256]uint8
}

// reached is where a walk is behind a byte of levels.
type reached struct {
	right uint64 // guesses that are right in each step that ends, a byte each
	ended uint8  // how many steps end
	place uint8  // how many guesses are right in the one behind them
}

const (
	// LongestWalk is the most guesses in a row for which there is a walk.
	LongestWalk = 8

	dependent = math.MaxUint8 // where a byte leads depends on where it is met
)

// newWalk is that of steps with a number of guesses, of an acceptance.
func (a *Acceptance) newWalk(guesses int) *walk {
	w := &walk{reached: make([]reached, (guesses+1)<<8)}
	for i := range w.reached {
		place, to := i>>8, &w.reached[i]
		for token := range 8 / a.levels.bits {
			level := i >> (token * a.levels.bits) & (1<<a.levels.bits - 1)
			if right := place; !a.step(&place, level, guesses) {
				to.right |= uint64(right) << (8 * to.ended)
				to.ended++
			}
		}
		to.place = uint8(place)
		if b := i & 0xff; i < 1<<8 {
			w.place[b] = to.place
		} else if w.place[b] != to.place {
			w.place[b] = dependent
		}
	}
	return w
}

// step goes along one token, whose draw has a level, and tells whether the step goes on.
func (a *Acceptance) step(place *int, level, guesses int) bool {
	if *place < guesses && level <= a.levels.rank(a.limits[min(*place, len(a.limits)-1)]) {
		*place++
		return true
	}
	*place = 0
	return false
}

// walkOf is the walk of steps with a number of guesses, which is made once.
func (a *Acceptance) walkOf(guesses int) *walk {
	if a.walks[guesses] == nil {
		a.walks[guesses] = a.newWalk(guesses)
	}
	return a.walks[guesses]
}

// along goes along bytes of levels of at most wordsAtOnce words from a place on, and appends the steps that end.
func (w *walk) along(levels []byte, right []uint8, place int) ([]uint8, int) {
	const most = wordsAtOnce * wordTokens // steps: each ends with another token
	var ended [most + 8]uint8
	n, all := uint(0), w.reached
	for _, b := range levels {
		to := &all[place<<8|int(b)]
		at := n % most // so that nobody has to look whether there is room
		binary.LittleEndian.PutUint64(ended[at:at+8], to.right)
		n += uint(to.ended)
		if place = int(w.place[b]); place == dependent {
			place = int(to.place)
		}
	}
	return append(right, ended[:n]...), place
}
