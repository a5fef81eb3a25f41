package sim

import (
	"encoding/binary"
	"math/bits"
)

// guessedLanes are sums of rows in which nothing but their tokens changes: eight steps in a word, a byte for each.
type guessedLanes struct {
	rows     int
	computed int64                     // tokens in memory before the first step
	right    [stepsOfSums / 8]uint64   // guesses that are right
	blocks   [stepsOfSums / 8]int      // blocks that they hold in the first of eight steps
	taken    [stepsOfSums / 8]uint64   // and in each of these beyond
	path     [1 + stepsOfSums + 8]byte // scratch: guesses of one row that are right, from the step before on
}

const (
	everyLane     = 0x0101010101010101
	rowsOfLanes   = 31 // of which no lane overflows: right guesses are at most mostOfLane, and blocks fewer
	mostOfLane    = 8
	leastLaneBits = 4 // of a block's tokens: 8 steps of 9 tokens fill at most 5 blocks
	mostLaneBits  = 7 // of these and the tokens before them the sum is a byte
)

// lanesOf is the bits of a block's tokens, and false where blocks of a size do not suit lanes.
func lanesOf(size int) (shift int, ok bool) {
	shift = bits.TrailingZeros(uint(size))
	return shift, size == 1<<shift && shift >= leastLaneBits && shift <= mostLaneBits
}

// fitsLanes tells whether a row that is to generate some tokens in the next steps suits lanes: it has not more guesses than they hold,
// and neither ends, nor comes near the longest sequence, nor has more blocks than it needs. Where the step before had more guesses, all
// wrong, more may count as in memory than the next step adds to.
func (r *guessedRow) fitsLanes(tokens int, rule *rowRule) bool {
	last := r.lastRight(rule)
	return last >= 0 && max(last, rule.draft) <= mostOfLane && rule.lanes && tokens < r.left && r.computed+tokens+rule.nodes+rule.slots+2 <= r.longest &&
		rule.blocksFor(r.known+rule.slots) >= r.blocks
}

// lastRight is how many guesses were right before where a plan counts on all of them: what it counts as in memory is by the
// others more than what is.
func (r *guessedRow) lastRight(rule *rowRule) int {
	if rule.assumed == 0 {
		return 0
	}
	return rule.nodes - (r.known - r.computed)
}

// add adds a row, of which so many guesses are right in each of the steps and that generates some tokens in all of them.
func (l *guessedLanes) add(r *guessedRow, right []uint8, rule *rowRule) {
	l.rows++
	l.computed += int64(r.computed)
	l.path[0] = uint8(r.lastRight(rule))
	copy(l.path[1:], right)
	behind := 1 // steps between one and the step whose tokens its plan knows last
	if rule.assumed > 0 {
		behind = 0
	}
	room := r.known + rule.slots + rule.size - 1
	for i := range (len(right) + 7) / 8 {
		l.right[i] += binary.LittleEndian.Uint64(l.path[1+8*i:])
		until := (binary.LittleEndian.Uint64(l.path[behind+8*i:]) + everyLane) * everyLane // tokens of the steps up to each
		l.blocks[i] += room >> rule.shift
		l.taken[i] += (uint64(room&(rule.size-1))*everyLane + until<<8) >> rule.shift & rule.laneMask
		room += int(until >> 56)
	}
}

// addLanes adds the sums of lanes, which are none afterwards.
func (s *guessedSums) addLanes() {
	l := &s.lanes
	if l.rows == 0 {
		return
	}
	computed := l.computed
	for i := range s.steps {
		group, shift := i/8, i%8*8
		s.computed[i] += computed
		s.blocks[i] += l.blocks[group] + int(l.taken[group]>>shift&0xff)
		computed += int64(l.rows) + int64(l.right[group]>>shift&0xff)
	}
	s.computed[s.steps] += computed
	l.rows, l.computed = 0, 0
	clear(l.right[:])
	clear(l.blocks[:])
	clear(l.taken[:])
}
