package workloads

import (
	"math"
	"math/bits"
	"slices"
)

// answerKey is what the draws of the tokens of one answer begin with.
//
// A draw is a whole number below 2^61, each as likely as another. Its first byte is one of a random word that eight
// tokens have together; the rest is of the token alone, and is not looked at unless the byte does not tell.
type answerKey uint64

const (
	drawBits    = 8 + tailBits
	tailBits    = 53
	wordTokens  = 8
	everyByte   = 0x0101010101010101
	highestBits = 0x8080808080808080
)

// draw is that of the token at an index.
func (k answerKey) draw(index int) uint64 {
	first := k.word(index/wordTokens) >> (8 * (index % wordTokens)) & 0xff
	return first<<tailBits | k.tail(index)
}

// word is the first bytes of the draws of eight tokens, that of the first one lowest.
func (k answerKey) word(n int) uint64 { return mix(uint64(k) + uint64(n)) }

// tail is the bits of a token's draw behind the first byte.
func (k answerKey) tail(index int) uint64 {
	return mix(mix(uint64(k))+uint64(index)) >> (64 - tailBits)
}

// levels are what draws are compared with, in order: the level of a draw is how many of them it is not below.
type levels struct {
	limits []uint64
	parts  []limitParts // by limit
	bits   int          // of a level in a sequence of levels: 1, 2 or 4
	moves  [3]move      // that bring the levels of eight tokens together, see pack
}

// limitParts is a limit in the parts of a draw.
type limitParts struct {
	first uint64 // byte, eight times
	lower uint64 // its bits but the highest one
	small uint64 // all bits where that is none, so that every byte with it is above
	tail  uint64
}

func newLimitParts(limit uint64) limitParts {
	p := limitParts{first: limit >> tailBits * everyByte, tail: limit & (1<<tailBits - 1)}
	p.lower = p.first &^ highestBits
	if p.first&highestBits == 0 {
		p.small = math.MaxUint64
	}
	return p
}

// move brings two fields of a width together in one: it moves each second one down, and keeps the bits of the result.
type move struct {
	by   uint8
	mask uint64
}

// newLevels are those of some limits. One that every draw is below is none.
func newLevels(limits []uint64) levels {
	l := levels{bits: 1}
	for _, limit := range limits {
		if limit < 1<<drawBits {
			l.limits = append(l.limits, limit)
		}
	}
	slices.Sort(l.limits)
	l.limits = slices.Compact(l.limits)
	for _, limit := range l.limits {
		l.parts = append(l.parts, newLimitParts(limit))
	}
	for len(l.limits) >= 1<<l.bits {
		l.bits *= 2
	}
	for i, every := range []uint64{0x0001000100010001, 0x0000000100000001, 1} {
		width, kept := 8<<i, l.bits<<i // of a field, and of what is used of it
		l.moves[i] = move{by: uint8(width - kept), mask: (1<<(2*kept) - 1) * every}
	}
	return l
}

// of is the level of a draw.
func (l *levels) of(draw uint64) int {
	n, found := slices.BinarySearch(l.limits, draw)
	if found {
		n++
	}
	return n
}

// rank is the highest level of draws that are below a limit.
func (l *levels) rank(limit uint64) int {
	n, _ := slices.BinarySearch(l.limits, limit)
	return n
}

// levelBytes has room for the levels of the draws of some words.
type levelBytes [wordsAtOnce * wordTokens * mostLevelBits / 8]byte

const (
	wordsAtOnce   = 32
	mostLevelBits = 4
)

// ofWords is the levels of the draws of tokens that share a word, of some words from one on: one behind the other, the first one lowest.
func (l *levels) ofWords(k answerKey, n, words int, buffer *levelBytes) []byte {
	to := buffer[:words*l.bits]
	if len(l.parts) == 1 {
		k.bitsOfWords(n, &l.parts[0], to)
		return to
	}
	for i := range words {
		word, all := k.word(n+i), uint64(0)
		for j := range l.parts {
			p := &l.parts[j]
			above := p.above(word)
			if p.alike(word) {
				above = k.decide(above, word, p, n+i)
			}
			all += above >> 7
		}
		all = l.moves[2].of(l.moves[1].of(l.moves[0].of(all)))
		for j := range l.bits {
			to[i*l.bits+j] = byte(all >> (8 * j))
		}
	}
	return to
}

// bitsOfWords is ofWords for one limit, where levels are a bit each: a product brings those of a word together in its first byte.
func (k answerKey) bitsOfWords(n int, p *limitParts, to []byte) {
	for i := range to {
		word := k.word(n + i)
		above := p.above(word)
		if p.alike(word) {
			above = k.decide(above, word, p, n+i)
		}
		to[i] = byte(above >> 7 * 0x0102040810204080 >> 56)
	}
}

// of is the fields moved.
func (m *move) of(fields uint64) uint64 { return (fields | fields>>(m.by&63)) & m.mask }

// above sets the highest bit of each byte of a word that is not below the first one of a limit.
func (p *limitParts) above(word uint64) uint64 {
	lower := (word | highestBits) - p.lower // its highest bits: the other bits are not below
	return (word&lower | (word|lower)&p.small) & highestBits
}

// alike tells whether a byte of a word may be the first one of a limit.
func (p *limitParts) alike(word uint64) bool {
	differs := word ^ p.first
	return (differs-everyByte)&^differs&highestBits != 0
}

// decide clears the highest bits of those bytes of a word that are the first one of a limit, and the rest of whose
// draws is below its tail.
func (k answerKey) decide(above, word uint64, p *limitParts, n int) uint64 {
	differs := word ^ p.first
	alike := ^((differs&^highestBits + ^uint64(highestBits)) | differs) & highestBits
	for ; alike != 0; alike &= alike - 1 {
		bit := bits.TrailingZeros64(alike)
		if k.tail(n*wordTokens+bit/8) < p.tail {
			above &^= 1 << bit
		}
	}
	return above
}
