package workloads

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Answer keeps the draws of the next tokens of one request's answer, for those who ask for one
// place after the other.
type Answer struct {
	request int
	from    int // index of the first token that is kept
	last    int // the last place from there of which a proposal is kept

	// By token, which of the first probabilities its draw is below, the first one in the lowest bit.
	below [answerTokens]uint8
}

// NewAnswer is one of which nothing is drawn.
func NewAnswer() *Answer { return &Answer{request: -1} }

// Of forgets the draws where they are not those of a request.
func (a *Answer) Of(request int) *Answer {
	if a.request != request {
		a.request, a.from, a.last = request, math.MaxInt/2, 0
	}
	return a
}

const (
	answerTokens = 64 + maskedPlaces
	maskedPlaces = 8 // of a proposal that Answer knows
)

// Accepted is how many of a number of guesses are right behind the token at an index, and false where
// that is not kept.
//
// The guess at a place i of a proposal is right where bit i of its token's byte is set. So of the bytes
// that follow each other those bits are on the diagonal of a matrix, and the first one that
// is not set is where the proposal ends.
func (a *Answer) Accepted(index, guesses int) (accepted int, kept bool) {
	const diagonal = 0x8040201008040201
	at := uint(index - a.from)
	if at > uint(a.last) || guesses > maskedPlaces {
		return 0, false
	}
	wrong := ^binary.LittleEndian.Uint64(a.below[at:]) & diagonal
	return min(guesses, (bits.TrailingZeros64(wrong)+maskedPlaces)/(maskedPlaces+1)), true // 64 zeros where none is
}

// AcceptedOf is Accepted for a request whose draws an Answer may keep. The answer is then that of the request.
func (a *Acceptance) AcceptedOf(answer *Answer, request, index, guesses int) int {
	if answer.request == request {
		if accepted, kept := answer.Accepted(index, guesses); kept {
			return accepted
		}
	}
	if guesses <= maskedPlaces {
		a.fill(answer, request, index)
	}
	return a.Accepted(request, index, guesses)
}

// fill draws the tokens of a request's answer from an index on.
func (a *Acceptance) fill(answer *Answer, request, index int) {
	answer.request, answer.from, answer.last = request, index, answerTokens-maskedPlaces
	key := mix(a.state ^ uint64(request))
	if len(a.Probabilities) == 1 {
		limit := a.limits[0]
		for i := range answer.below {
			// All bits where the draw is below the limit: the difference is negative then.
			answer.below[i] = uint8((int64(mix(key+uint64(index+i))>>11) - limit) >> 63)
		}
		return
	}
	for i := range answer.below {
		draw, below := int64(mix(key+uint64(index+i))>>11), uint8(0)
		for place, limit := range a.limits[:min(len(a.Probabilities), maskedPlaces)] {
			all := uint8((draw - limit) >> 63) // that follow have this one's, unless they have one of their own
			below = below&(1<<place-1) | all&^(1<<place-1)
		}
		answer.below[i] = below
	}
}

// limitsOf is below what the 53 bits of a draw are, as a whole number, where the guess at
// one of the first places of a proposal is right.
func limitsOf(probabilities []float64) (limits [maskedPlaces]int64) {
	for place := range limits {
		p := probabilities[min(place, len(probabilities)-1)]
		limits[place] = int64(math.Ceil(p * (1 << 53)))
	}
	return limits
}
