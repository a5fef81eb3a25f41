package sim

import (
	"encoding/binary"
	"math"
	"slices"
)

// stepTotals are what sequences have together of the steps to come: a ring, by the number of the step.
type stepTotals []eightSteps

// eightSteps is what they have of eight steps that follow each other: the guesses that are right, and the blocks that they take. Each is two words,
// of every second step, the first one in the lowest of four lanes.
type eightSteps struct{ right, blocks [2]uint64 }

const (
	stepLanes  = 8
	mostOfStep = 1<<16 - 1          // that a lane counts to
	evenLanes  = 0x00ff00ff00ff00ff // of eight bytes
)

// laneOf is where the words of eight steps have a step.
func laneOf(step int64) (word, shift int) { return int(step & 1), int(step&(stepLanes-2)) * 8 }

// at is the eight steps of which one is.
func (t stepTotals) at(step int64) *eightSteps { return t.eight(step >> 3) }

func (t stepTotals) eight(n int64) *eightSteps { return &t[n&int64(len(t)-1)] }

// of is what they have of a step.
func (t stepTotals) of(step int64) (right, blocks int) {
	eight := t.at(step)
	word, shift := laneOf(step)
	return int(eight.right[word] >> shift & mostOfStep), int(eight.blocks[word] >> shift & mostOfStep)
}

// add adds to what they have of a step; of blocks it may take away.
func (t stepTotals) add(step int64, right, blocks int) {
	eight := t.at(step)
	word, shift := laneOf(step)
	eight.right[word] += uint64(right) << shift
	eight.blocks[word] += uint64(blocks) << shift
}

// forget clears what they have of a step.
func (t stepTotals) forget(step int64) {
	eight := t.at(step)
	word, shift := laneOf(step)
	eight.right[word] &^= mostOfStep << shift
	eight.blocks[word] &^= mostOfStep << shift
}

// reserve makes room for a number of steps from one on.
func (t *stepTotals) reserve(from int64, steps int) {
	needed := steps/stepLanes + 2 // the first eight and the last ones may be of others, too
	if needed <= len(*t) {
		return
	}
	size := 32
	for size < needed {
		size *= 2
	}
	grown := make(stepTotals, size)
	for i := range int64(len(*t)) {
		*grown.at(from + i*stepLanes) = *t.at(from + i*stepLanes)
	}
	*t = grown
}

// rowAhead is a sequence before a step to come, in tokens and what a step needs besides, up to a whole block.
type rowAhead struct {
	known int // that the plan counts as in memory
	next  int // likewise after the step, if no guess is right
	held  int // blocks
}

// addRow adds a sequence, of which so many guesses are right in steps from one on.
func (t stepTotals) addRow(from int64, r rowAhead, right []uint8, rule *rowRule) {
	for i, n := range right {
		before := r.held
		r.held = max(r.held, int(uint64(r.known)*rule.reciprocal>>reciprocalBits))
		t.add(from+int64(i), int(n), r.held-before)
		r.known = r.next + int(n)&rule.mask
		r.next += 1 + int(n)
	}
}

// fitsEights tells whether a sequence suits addEights: a byte holds its tokens of eight steps beside those of a block, and it
// has no blocks that it does not need.
func (r *rowAhead) fitsEights(rule *rowRule) bool {
	return rule.size == 1<<rule.shift && rule.size <= 1<<mostLaneBits && rule.draft <= mostOfLane &&
		r.last(rule) >= 0 && r.last(rule) <= 4*mostOfLane && r.known>>rule.shift >= r.held
}

// last is the tokens of the step before that the plan of the first one does not know, but for one, where plans lag.
func (r *rowAhead) last(rule *rowRule) int {
	if rule.assumed == 0 {
		return 0
	}
	return r.next - r.known - 1
}

// addEights is addRow for eight steps at a time: the tokens up to each of them are a product, and the blocks that it takes are how many more
// are begun than before.
func (t stepTotals) addEights(from int64, r rowAhead, right []uint8, rule *rowRule, path *rowPath) {
	t.add(from, 0, r.known>>rule.shift-r.held)
	lag := 8 // bits, for each step between one and the last of which its plan knows the tokens
	if rule.assumed > 0 {
		lag = 16
	}
	before := int(from % stepLanes) // steps of the first eight
	words := path.of(before, uint8(r.last(rule)), right)
	beyond := len(words) - stepLanes - before - len(right) // likewise of the last eight
	previous, words := binary.LittleEndian.Uint64(words), words[stepLanes:]
	others, one := uint64(1)<<(8*before)-1, uint64(everyLane)<<(8*before+8)
	mask, shift, kept := uint64(rule.size-1), rule.shift&7, rule.laneMask
	room := uint64(r.known) & mask // tokens in the last block
	for n := from >> 3; len(words) >= stepLanes; n++ {
		word := binary.LittleEndian.Uint64(words)
		known := word<<(lag&63) | previous>>((64-lag)&63)
		until := (known + one + room) * everyLane // tokens up to each step, from the beginning of a block
		blocks := until >> shift & kept
		blocks -= blocks << 8
		if words = words[stepLanes:]; len(words) == 0 {
			blocks &= math.MaxUint64 >> (8 * beyond)
		}
		eight, correct := t.eight(n), word&^others
		eight.right[0] += correct & evenLanes
		eight.right[1] += correct >> 8 & evenLanes
		eight.blocks[0] += blocks & evenLanes
		eight.blocks[1] += blocks >> 8 & evenLanes
		previous, room = word, until>>56&mask
		others, one = 0, everyLane
	}
}

// rowPath is how many guesses of a sequence are right in steps, for those who look at eight at a time; scratch.
type rowPath []uint8

// of is whole words of some steps, eight and some more of which come before the first one: so many guesses were right in the last of these.
func (p *rowPath) of(before int, last uint8, right []uint8) []uint8 {
	begins := stepLanes + before
	whole := (begins + len(right) + stepLanes - 1) / stepLanes * stepLanes
	words := slices.Grow((*p)[:0], whole)[:whole]
	clear(words[:begins])
	words[begins-1] = last
	clear(words[begins+copy(words[begins:], right):])
	*p = words
	return words
}
