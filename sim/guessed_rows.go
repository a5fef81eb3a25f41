package sim

import "kneepoint/workloads"

// guessedRow is what changes of a sequence that guesses from step to step.
type guessedRow struct {
	sequence *sequence
	trail    *workloads.Trail
	index    int // tokens that it has generated
	left     int // and is to generate
	computed int // in memory
	known    int // that the next plan counts as in memory
	blocks   int
	longest  int // tokens that its blocks may hold at most
}

// rowRule is what needs of rows follow from, which all guess alike.
type rowRule struct {
	draft      int // guesses in a row
	nodes      int // guesses in all
	slots      int // see policies.Share; so is limited
	limited    bool
	window     int // that layers with sliding-window attention attend to
	assumed    int // guesses of the step before that a plan counts on, whether they are right or not
	mask       int // all bits where it knows how many are right, else none
	size       int // of a block
	reciprocal uint64
	lanes      bool   // sums are in lanes, see guessedLanes
	shift      int    // of them: tokens of a block are a power of two
	laneMask   uint64 // the bits of each lane that are left when it is divided by that
}

// newRowRule is that of blocks of a size.
//
// n/size is n*reciprocal>>reciprocalBits for numbers of tokens up to 2^reciprocalBits/size, which is
// what a division takes most of a step's time for otherwise.
func newRowRule(size int) rowRule {
	r := rowRule{size: size, reciprocal: 1<<reciprocalBits/uint64(size) + 1}
	r.shift, r.lanes = lanesOf(size)
	r.laneMask = 0xff >> (r.shift & 7) * everyLane
	return r
}

// knownAfter is what the next plan counts as in memory of a row after a step, before which it had some tokens and in
// which so many guesses are right.
func (r *rowRule) knownAfter(computed int, right uint8) int {
	return computed + 1 + r.assumed + int(right)&r.mask
}

const reciprocalBits = 40

// blocksFor is the number of blocks for some tokens.
func (r *rowRule) blocksFor(tokens int) int {
	return int(uint64(tokens+r.size-1) * r.reciprocal >> reciprocalBits)
}

// guessedSums are what rows are and need together, by step.
type guessedSums struct {
	steps    int                    // of which they are known: until the first row ends
	ends     bool                   // one ends with the last
	computed [stepsOfSums + 1]int64 // tokens in memory when the step is planned, one step more than are known
	windowed [stepsOfSums]int64     // that they attend to in layers with a window
	blocks   [stepsOfSums]int       // that they hold in the step
	lanes    guessedLanes           // of rows that are not in these yet
}

const stepsOfSums = 64

// begin forgets the sums of all rows, of at most a number of steps.
func (s *guessedSums) begin(steps int) {
	s.steps, s.ends = steps, false
	clear(s.computed[:steps+1])
	clear(s.windowed[:steps])
	clear(s.blocks[:steps])
}

// add adds a row, of which so many guesses are right in each of the steps, with which it generates some tokens. The row is
// afterwards as it is behind them.
func (s *guessedSums) add(r *guessedRow, right []uint8, tokens int, rule *rowRule) {
	if rule.window > 0 {
		s.addWindow(r, right, rule.window)
	}
	if r.fitsLanes(tokens, rule) {
		s.lanes.add(r, right, rule)
		r.goOn(right, tokens, rule)
		if s.lanes.rows == rowsOfLanes {
			s.addLanes()
		}
		return
	}
	computed, known, blocks := r.computed, r.known, r.blocks
	planned := known
	for i, n := range right {
		planned = known
		blocks = max(blocks, rule.blocksFor(min(known+rule.slots, r.longest)))
		s.blocks[i] += blocks
		s.computed[i] += int64(computed)
		known = rule.knownAfter(computed, n)
		computed += 1 + int(n)
	}
	s.computed[len(right)] += int64(computed)
	if planned+rule.nodes+2 > r.longest || tokens >= r.left {
		s.stop(r, right, rule)
	}
	r.goOn(right, tokens, rule)
}

// goOn lets a row go on behind steps, of each of which so many guesses are right and which generate some tokens.
func (r *guessedRow) goOn(right []uint8, tokens int, rule *rowRule) {
	n := len(right)
	last := r.computed + tokens - 1 - int(right[n-1]) // in memory before the last step
	if n > 1 {
		r.known = rule.knownAfter(last-1-int(right[n-2]), right[n-2])
	}
	r.blocks = max(r.blocks, rule.blocksFor(min(r.known+rule.slots, r.longest)))
	r.known = rule.knownAfter(last, right[n-1])
	r.index += tokens
	r.left -= tokens
	r.computed += tokens
}

// addWindow adds what a row attends to in layers with a window.
func (s *guessedSums) addWindow(r *guessedRow, right []uint8, window int) {
	computed := r.computed
	for i, n := range right {
		s.windowed[i] += int64(min(computed+1, window))
		computed += 1 + int(n)
	}
}

// stop lets the steps end with the one in which a row has its last token, or before the one for which it is too
// near to the longest sequence for its share.
func (s *guessedSums) stop(r *guessedRow, right []uint8, rule *rowRule) {
	left, computed, known := r.left, r.computed, r.known
	for i, n := range right[:s.steps] {
		if known+rule.nodes+2 > r.longest {
			s.steps, s.ends = i, false
			return
		}
		known = rule.knownAfter(computed, n)
		computed += 1 + int(n)
		if left -= 1 + int(n); left <= 0 {
			s.steps, s.ends = i+1, true
			return
		}
	}
}
