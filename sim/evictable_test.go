package sim

import (
	"testing"

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
	e := &evictable{eviction: rooted{}}
	often, once := &span{to: 3, uses: 2}, &span{to: 3, uses: 1}
	for _, s := range []*span{often, once} {
		s.node.span = s
		e.add(s)
	}
	e.take(2, nil)
	e.take(1, nil)
	if often.to != 2 || once.to != 1 {
		t.Errorf("%d blocks are left that were used often, want 2, and %d that were used once, want 1", often.to, once.to)
	}
}
