package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/policies"
	"kneepoint/workloads"
)

// heldMemory is a memory and the sequences that hold its blocks.
type heldMemory struct {
	memory
	contents  []*workloads.Content
	sequences []holding
}

type holding struct {
	blocks int
	cached []*cachedBlock
}

// TestMemoryKeepsCount drives a memory with sequences that come and go, and checks
// its counts against a plain model, and each eviction against the policy's order.
func TestMemoryKeepsCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eviction := rapid.SampledFrom([]policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}}).Draw(t, "eviction")
		pool := Pool{Blocks: rapid.IntRange(4, 40).Draw(t, "total"), BlockSize: rapid.IntRange(1, 3).Draw(t, "block size"), Eviction: eviction}
		p := &heldMemory{memory: newMemory(&pool)}
		for range 4 {
			p.contents = append(p.contents, drawContent(t, rapid.IntRange(1, 3).Draw(t, "depth"), 4))
		}
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			if len(p.sequences) > 0 && rapid.Bool().Draw(t, "release") {
				i := rapid.IntRange(0, len(p.sequences)-1).Draw(t, "which")
				p.release(p.sequences[i].blocks, p.sequences[i].cached)
				p.sequences = append(p.sequences[:i], p.sequences[i+1:]...)
			} else {
				p.admit(t, rapid.SampledFrom(p.contents).Draw(t, "content"), rapid.IntRange(1, 6).Draw(t, "length"))
			}
			p.check(t)
		}
	})
}

// admit lets a sequence join that has length blocks of the content and one of its own,
// if there is room.
func (p *heldMemory) admit(t *rapid.T, c *workloads.Content, length int) {
	cached, held := p.find(c, length)
	if length+1-held > p.free {
		return
	}
	s := holding{blocks: length + 1, cached: p.share(c, cached, nil)}
	before := slices.Clone(p.evictable.heap)
	p.allocate(length + 1 - cached)
	p.checkEvicted(t, before)
	for i := cached; i < length; i++ {
		if b := p.publish(c, i); b != nil {
			s.cached = append(s.cached, b)
		}
	}
	p.sequences = append(p.sequences, s)
}

// checkEvicted checks that of the blocks that were unused before, none is left
// that should have gone before one that went.
func (p *heldMemory) checkEvicted(t *rapid.T, before []candidate) {
	for _, went := range before {
		gone := went.block
		if p.cached[gone.key] == gone {
			continue
		}
		for _, stays := range p.evictable.heap {
			left := stays.block
			if p.evictable.eviction.Before(&left.CachedBlock, &gone.CachedBlock) {
				t.Fatalf("%T evicted %+v and left %+v", p.evictable.eviction, gone, left)
			}
		}
	}
}

func (p *heldMemory) check(t *rapid.T) {
	holders := map[blockKey]int{}
	own := 0
	for _, s := range p.sequences {
		own += s.blocks - len(s.cached)
		for _, b := range s.cached {
			holders[b.key]++
		}
	}
	for key, n := range holders {
		if b := p.cached[key]; b == nil || b.holders != n {
			t.Fatalf("block %v is held by %d sequences, counted as %+v", key, n, b)
		}
	}
	if got, want := p.used(), own+len(holders); got != want {
		t.Fatalf("%d blocks are in use, want %d of %d", got, want, p.total)
	}
	if p.free < 0 || len(p.evictable.heap) > p.free || len(p.cached) != len(holders)+len(p.evictable.heap) {
		t.Fatalf("%d free, %d cached, %d of them unused, %d held", p.free, len(p.cached), len(p.evictable.heap), len(holders))
	}
}
