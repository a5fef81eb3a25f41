package roofline

import (
	"math"
	"sync/atomic"

	"kneepoint/hardware"
	"kneepoint/units"
)

// memo keeps a positive duration per small count, computed on first use. It may
// be used by any number of goroutines: every writer stores the same bits.
type memo []atomic.Uint64

// get returns the duration of n, from compute unless it was kept before.
func (m memo) get(n int, compute func(int) units.Seconds) units.Seconds {
	if n < len(m) {
		if bits := m[n].Load(); bits != 0 {
			return units.Seconds(math.Float64frombits(bits))
		}
	}
	return m.put(n, compute(n))
}

// put keeps the duration of n, if there is a place for it, and returns it.
func (m memo) put(n int, t units.Seconds) units.Seconds {
	if n < len(m) {
		m[n].Store(math.Float64bits(float64(t)))
	}
	return t
}

// memoChunks is the number of chunks of which a pairMemo keeps the times.
const memoChunks = 1 << 16

// pairMemo keeps a positive duration per pair of counts where the last one of those with the same place was put. It may be
// used by any number of goroutines without a lock: an entry that two of them write at once has a key that is not
// that of its duration, and is computed again.
//
// Source of the key: Hyatt and Mann, "A lock-less transposition table implementation for parallel search chess
// engines", ICGA Journal 25(2), 2002.
type pairMemo []pairTime

type pairTime struct{ mixed, duration atomic.Uint64 }

// get returns the duration of a pair, from compute unless it was kept before.
func (m pairMemo) get(a, b int, compute func(a, b int) units.Seconds) units.Seconds {
	if m == nil {
		return compute(a, b)
	}
	entry, key := &m[chunkPlace(uint32(a), uint32(b))], pairKey(a, b)
	if t, ok := entry.kept(key); ok {
		return t
	}
	t := compute(a, b)
	entry.keep(key, t)
	return t
}

// getRow fills in the times of steps with what get returns of chunks of a length that follow each other, of which the first has a context.
func (m pairMemo) getRow(context, tokens int, steps []hardware.Cost, compute func(context, tokens int) units.Seconds) {
	place := chunkPlace(uint32(context), uint32(tokens))
	for i := range steps {
		entry, key := &m[place%memoChunks], pairKey(context, tokens)
		t, ok := entry.kept(key)
		if !ok {
			t = compute(context, tokens)
			entry.keep(key, t)
		}
		steps[i].Time = t
		place++
		context += tokens
	}
}

func pairKey(a, b int) uint64 { return uint64(a)<<32 | uint64(b) }

// kept is the duration of a pair, if the last one was that.
func (e *pairTime) kept(key uint64) (units.Seconds, bool) {
	bits := e.duration.Load()
	return units.Seconds(math.Float64frombits(bits)), e.mixed.Load()^bits == key
}

func (e *pairTime) keep(key uint64, t units.Seconds) {
	bits := math.Float64bits(float64(t))
	e.mixed.Store(key ^ bits)
	e.duration.Store(bits)
}

// chunkPlace is the place of a context and a number of tokens: chunks of the same length that follow each other have places that do, too,
// so that the processor reads those of a whole prompt ahead. The first one's is the first bits of a product with the fraction of the golden
// ratio, by which such rows of places lie far apart.
func chunkPlace(context, tokens uint32) uint64 {
	before := context / max(1, tokens)
	first := uint64(context-before*tokens)<<32 | uint64(tokens)
	return (first*placeFactor>>placeShift + uint64(before)) % memoChunks
}

const (
	placeFactor = 0x9E3779B97F4A7C15
	placeShift  = 64 - 16 // of memoChunks
)
