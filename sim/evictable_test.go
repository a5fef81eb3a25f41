package sim

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/policies"
)

// rooted is an eviction by the uses of the first two blocks alone.
type rooted struct{}

func (rooted) OneQueue() bool { return false }

func (rooted) Rank(b policies.CachedBlock) int64 {
	if b.Depth > 1 {
		return 0
	}
	return int64(b.Uses)
}

// TestRowsHaveOneRank: of blocks at one index that have the same rank, those before them may have others.
func TestRowsHaveOneRank(t *testing.T) {
	for _, batches := range [][]int{{2, 2}, {4}} {
		e := &evictable{eviction: rooted{}}
		often, once := &span{to: 3, uses: 2}, &span{to: 3, uses: 1}
		for _, s := range []*span{often, once} {
			s.node.span = s
			e.add(s)
		}
		for _, n := range batches {
			e.take(n, nil)
		}
		if often.to != 2 || once.to != 0 {
			t.Errorf("%v: %d blocks are left that were used often, want 2, and %d that were used once, want none", batches, often.to, once.to)
		}
	}
}

// stepped is an eviction that prefers depth, in steps of two blocks.
type stepped struct{ policies.LengthAware }

func (s stepped) Rank(b policies.CachedBlock) int64 {
	b.Depth /= 2
	return s.LengthAware.Rank(b)
}

// deep is an eviction of all but the first blocks alike, and of these by depth and uses.
type deep struct{ policies.LengthAware }

func (d deep) Rank(b policies.CachedBlock) int64 {
	if b.Depth > 3 {
		return 0
	}
	return d.LengthAware.Rank(b)
}

// leaping has blocks that follow each other three ranks apart, so that those of others lie between them.
type leaping struct{}

func (leaping) OneQueue() bool { return false }

func (leaping) Rank(b policies.CachedBlock) int64 { return int64(b.Uses - 3*b.Depth) }

// TestBlocksTakenAtOnceAreThoseOneByOne: of the spans that end alike, and of those in the way of others.
func TestBlocksTakenAtOnceAreThoseOneByOne(t *testing.T) {
	effort.Check(t, 20, func(t *rapid.T) {
		eviction := rapid.SampledFrom([]policies.Eviction{policies.LengthAware{}, stepped{}, deep{}, leaping{}}).Draw(t, "eviction")
		var pair [2]evictable
		for i := range pair {
			pair[i].eviction = eviction
		}
		blocks := 0
		for range rapid.IntRange(1, 8).Draw(t, "spans") {
			from, n, uses := rapid.IntRange(0, 1).Draw(t, "from"), rapid.IntRange(1, 8).Draw(t, "blocks"), rapid.IntRange(1, 3).Draw(t, "uses")
			blocks += n
			for i := range pair {
				s := &span{id: blocks, from: from, to: from + n, uses: uses}
				s.node.span = s
				pair[i].add(s)
			}
		}
		n := rapid.IntRange(1, blocks).Draw(t, "taken")
		emptied := [2][]*span{0: pair[0].take(n, nil)}
		for range n {
			emptied[1] = pair[1].take(1, emptied[1])
		}
		if a, b := idsOf(emptied[0]), idsOf(emptied[1]); !reflect.DeepEqual(a, b) {
			t.Errorf("spans %v are empty, one by one %v", a, b)
		}
		if a, b := pair[0].left(), pair[1].left(); !reflect.DeepEqual(a, b) {
			t.Errorf("%v are left, one by one %v", a, b)
		}
	})
}

func idsOf(spans []*span) (ids []int) {
	for _, s := range spans {
		ids = append(ids, s.id)
	}
	return ids
}

// left is the ID and the end of each span in the lines, and their ranks.
func (e *evictable) left() (left [][3]int64) {
	for _, l := range e.lines {
		for node := l.root.behind; node != &l.root; node = node.behind {
			left = append(left, [3]int64{l.rank, int64(node.span.id), int64(node.span.to)})
		}
	}
	return left
}
