package workloads

import (
	"encoding/binary"
	"math"
)

// Trail is how many guesses are right in steps of one request's answer that follow each other, each with the
// same number of guesses, for those who ask for the same steps several times.
type Trail struct {
	request int
	guesses int
	index   int     // of the token behind which the first step that is kept and not passed guesses
	passed  int     // of the steps that are kept, those before the index
	right   []uint8 // by step
	next    int     // index of the first token that no step has looked at
	place   int     // guesses that are right of the step which that token may end
}

// LongestTrail is the most guesses in a row of which a Trail keeps how many are right.
const LongestTrail = math.MaxUint8

// NewTrail is one of which nothing is kept.
func NewTrail() *Trail { return &Trail{request: -1} }

// Along is how many of a number of guesses, at most LongestTrail, are right in each of the next steps of a request, the
// first of which guesses behind the token at an index. The slice is valid until the next call.
func (a *Acceptance) Along(t *Trail, request, index, guesses, steps int) []uint8 {
	if t.request != request || t.guesses != guesses || !t.goTo(index) {
		*t = Trail{request: request, guesses: guesses, index: index, next: index, right: t.right[:0]}
	}
	if missing := t.passed + steps - len(t.right); missing > 0 {
		if t.passed > len(t.right)/2 {
			t.right, t.passed = t.right[:copy(t.right, t.right[t.passed:])], 0
		}
		a.extend(t, t.passed+steps, 0)
	}
	return t.right[t.passed : t.passed+steps]
}

// Until is how many guesses are right in each of the steps with which a request generates a number of tokens, more than 0. See Along.
func (a *Acceptance) Until(t *Trail, request, index, guesses, tokens int) []uint8 {
	a.Along(t, request, index, guesses, 0)
	a.extend(t, 0, index+tokens)
	n := len(t.right)
	for end := t.end(); ; n-- {
		if end -= int(t.right[n-1]) + 1; end < index+tokens {
			return t.right[t.passed:n]
		}
	}
}

// Pass goes on behind the first of the steps that Along returned last, with the tokens of these.
func (t *Trail) Pass(steps int) (tokens int) {
	passed, beyond := t.right[t.passed:t.passed+steps], t.right[t.passed+steps:]
	if len(beyond) < steps {
		tokens = t.end() - t.index - TokensOf(beyond)
	} else {
		tokens = TokensOf(passed)
	}
	t.passed += steps
	t.index += tokens
	return tokens
}

// end is the index of the token behind which the first step guesses that is not kept.
func (t *Trail) end() int { return t.next - t.place }

// TokensOf is the tokens of steps: for each the guesses that are right, and one of the model's own.
func TokensOf(right []uint8) int {
	tokens := len(right)
	for ; len(right) >= 8; right = right[8:] {
		word := binary.LittleEndian.Uint64(right)
		tokens += int((word&evenBytes + word>>8&evenBytes) * everyOther >> 48)
	}
	for _, n := range right {
		tokens += int(n)
	}
	return tokens
}

const (
	evenBytes  = 0x00ff00ff00ff00ff
	everyOther = 0x0001000100010001
)

// goTo passes the steps before an index, and tells whether one guesses there.
func (t *Trail) goTo(index int) bool {
	for t.index < index && t.passed < len(t.right) {
		t.index += int(t.right[t.passed]) + 1
		t.passed++
	}
	return t.index == index
}

// extend adds steps, until at least a number of them are kept and they end not before an index.
func (a *Acceptance) extend(t *Trail, steps, index int) {
	key := a.keyOf(t.request)
	if t.guesses > LongestWalk {
		for len(t.right) < steps || t.end() < index {
			right := a.Accepted(t.request, t.next, t.guesses)
			t.right = append(t.right, uint8(right))
			t.next += right + 1
		}
		return
	}
	for t.next%wordTokens > 0 {
		if right := t.place; !a.step(&t.place, a.levels.of(key.draw(t.next)), t.guesses) {
			t.right = append(t.right, uint8(right))
		}
		t.next++
	}
	a.extendByWords(t, key, steps, index)
}

// extendByWords is extend from a token on that is the first one of a word.
func (a *Acceptance) extendByWords(t *Trail, key answerKey, steps, index int) {
	w, n := a.walkOf(t.guesses), t.next/wordTokens
	var buffer levelBytes
	for {
		missing := max(steps-len(t.right), index-n*wordTokens+t.place) // so many tokens are to come at least
		if missing <= 0 {
			break
		}
		words := min((missing+wordTokens-1)/wordTokens, wordsAtOnce)
		t.right, t.place = w.along(a.levels.ofWords(key, n, words, &buffer), t.right, t.place)
		n += words
	}
	t.next = n * wordTokens
}
