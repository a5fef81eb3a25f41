package sim

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/units"
)

// heldMemory is a memory and a model of it, with the sequences that hold blocks.
type heldMemory struct {
	memory
	plain     *plainMemory
	now       units.Seconds
	sequences []*holding
}

// holding is a sequence of so many blocks of a content, in the memory and in the model.
type holding struct {
	content int
	cached  chain
	blanks  int
	model   []*plainBlock
}

// key names a block of a content: contents begin alike in twos, with two blocks.
func (h *holding) key(index int) blockKey {
	if index < 2 {
		return blockKey{h.content / 2 * 100, index}
	}
	return blockKey{h.content, index}
}

// weighted is an eviction by uses and by depth at once: of a span some blocks have the same rank, and so have blocks of others
// that lie elsewhere.
type weighted struct{}

func (weighted) OneQueue() bool { return false }

func (weighted) Rank(b policies.CachedBlock) int64 { return int64(3*b.Uses - b.Depth/2) }

// TestMemoryKeepsCount drives a memory with sequences that come, grow and go, and compares what is cached,
// and what a walk along the free blocks says, with a model in which every block is its own.
func TestMemoryKeepsCount(t *testing.T) {
	effort.Check(t, 10, checkMemory)
}

func checkMemory(t *rapid.T) {
	eviction := rapid.SampledFrom([]policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}, weighted{}, leaping{}}).Draw(t, "eviction")
	pool := Pool{Blocks: rapid.IntRange(4, 60).Draw(t, "total"), BlockSize: 1, Eviction: eviction}
	if eviction.OneQueue() {
		pool.CacheTTL = rapid.SampledFrom([]units.Seconds{0, 3, 20}).Draw(t, "TTL")
	}
	if rapid.IntRange(0, 4).Draw(t, "one by one") == 0 {
		pool.SharedBytes = 1
	}
	p := &heldMemory{memory: newMemory(&pool), plain: newPlainMemory(&pool)}
	for range rapid.IntRange(1, 80).Draw(t, "operations") {
		p.now += units.Seconds(rapid.IntRange(0, 2).Draw(t, "later"))
		p.decision++
		p.hits = p.hits[:0]
		which := rapid.IntRange(0, max(0, len(p.sequences)-1)).Draw(t, "which")
		switch what := rapid.IntRange(0, 4).Draw(t, "what"); {
		case what < 2 && len(p.sequences) > 0:
			p.leave(which)
		case what < 3 && len(p.sequences) > 0:
			p.grow(t, p.sequences[which], rapid.IntRange(1, 4).Draw(t, "more"))
		default:
			p.admit(t, &holding{content: rapid.IntRange(2, 5).Draw(t, "content")}, rapid.IntRange(1, 15).Draw(t, "length"),
				rapid.IntRange(0, 15).Draw(t, "shared at most"), rapid.IntRange(0, 2).Draw(t, "blanks"))
		}
		p.check(t)
	}
}

// admit lets a sequence join that has length blocks of a content, of which it shares
// those that are cached in a row but for the last one, up to a number, and some blank ones, if there
// is room.
func (p *heldMemory) admit(t *rapid.T, s *holding, length, most, blanks int) {
	var found []*plainBlock
	for len(found) < min(length-1, most) {
		b := p.plain.first(s.key(len(found)), p.now)
		if b == nil {
			break
		}
		found = append(found, b)
	}
	free := len(p.plain.order) - len(slices.DeleteFunc(slices.Clone(found), func(b *plainBlock) bool { return b.holders > 0 }))
	if length+blanks-len(found) > free {
		return
	}
	p.hits = append(p.hits, &s.cached)
	for n := 0; n < len(found); n = s.cached.blocks {
		s.cached.add(p.part(p.finds(s.key(n), p.now), n, len(found)))
	}
	for _, shared := range s.cached.spans {
		p.share(shared, &s.cached)
	}
	for _, b := range found {
		p.plain.hold(b)
	}
	s.model = found
	p.sequences = append(p.sequences, s)
	p.grow(t, s, length-len(found))
	if p.allocate(blanks); blanks > 0 {
		s.blanks = blanks
		s.model = append(s.model, p.plain.takeAll(blanks)...)
	}
}

// grow lets a sequence fill more blocks, if there is room. One that has blank ones does not.
func (p *heldMemory) grow(t *rapid.T, s *holding, n int) {
	if n > len(p.plain.order) || s.blanks > 0 {
		return
	}
	p.checkWalk(t, n)
	p.allocate(n)
	for _, b := range p.plain.takeAll(n) {
		p.plain.enter(b, s.key(len(s.model)), p.now)
		s.model = append(s.model, b)
	}
	if first, all := s.cached.blocks, len(s.model); first < 2 {
		p.register(&s.cached, s.key(first).id, min(2, all)-first, p.now)
	}
	if first, all := s.cached.blocks, len(s.model); first < all {
		p.register(&s.cached, s.key(first).id, all-first, p.now)
	}
}

// checkWalk compares what a walk along the next n free blocks finds gone with the model. Meanwhile one is held again, and those
// with it in a span: the walk leaves them out.
func (p *heldMemory) checkWalk(t *rapid.T, n int) {
	order := slices.Clone(p.plain.order)
	defer func() { p.plain.order = order }()
	p.decision++
	walk, gone := p.memory.order.walk(p.decision), map[blockKey]int{}
	passed := 0
	for n > 0 {
		if rapid.IntRange(0, 3).Draw(t, "hold") == 0 {
			n -= p.holdLater(t)
			continue
		}
		blocks := walk.pass(rapid.IntRange(1, n).Draw(t, "at once"))
		if blocks == 0 {
			t.Fatalf("the walk ends %d blocks too soon", n)
		}
		n, passed = n-blocks, passed+blocks
		for range blocks {
			gone[p.plain.take().key]++
		}
		delete(gone, blockKey{})
		if found := p.gone(t, passed); !maps.Equal(found, gone) {
			t.Fatalf("the walk has passed %v, want %v", found, gone)
		}
	}
}

// holdLater has free blocks of a span that are left, if any, held when the decision is made, and is how many.
func (p *heldMemory) holdLater(t *rapid.T) int {
	contents := p.plain.contents()
	left := slices.DeleteFunc(slices.Clone(p.plain.order), func(b *plainBlock) bool { return len(contents[b.key]) != 1 })
	if len(left) == 0 {
		return 0
	}
	key := rapid.SampledFrom(left).Draw(t, "held").key
	s := p.cached.find(key)
	to := rapid.IntRange(key.index+1, s.gone(p.decision)).Draw(t, "up to")
	s = p.part(s, rapid.IntRange(s.from, key.index).Draw(t, "from"), to)
	s.heldIn = p.decision
	p.plain.order = slices.DeleteFunc(p.plain.order, func(b *plainBlock) bool { return b.key.id == s.id && b.key.index >= s.from && b.key.index < s.to })
	return s.len()
}

// gone counts the blocks that a walk has passed, by their content. None of them is thought to be spared when so many are gone.
func (p *heldMemory) gone(t *rapid.T, passed int) map[blockKey]int {
	gone := map[blockKey]int{}
	for _, ofID := range p.cached.ids.All {
		for _, first := range ofID.spans {
			for s, more := first, true; more; s, more = s.later, s.later != first {
				for i := s.gone(p.decision); i < s.to; i++ {
					if gone[s.key(i)]++; p.memory.order.spares(s, i+1, passed, p.decision) {
						t.Fatalf("block %v is gone with the first %d free ones, and is thought to be spared", s.key(i), passed)
					}
				}
			}
		}
	}
	return gone
}

// leave lets a sequence give its blocks back.
func (p *heldMemory) leave(i int) {
	s := p.sequences[i]
	p.sequences = slices.Delete(p.sequences, i, i+1)
	p.release(len(s.model), &s.cached, p.now)
	for _, b := range slices.Backward(s.model) {
		if b.holders--; b.holders == 0 {
			b.freedAt = p.now
			p.plain.order = append(p.plain.order, b)
		}
	}
}

// check compares all that is cached, and the whole order of the free blocks.
func (p *heldMemory) check(t *rapid.T) {
	if p.free != len(p.plain.order) {
		t.Fatalf("%d blocks are free, want %d", p.free, len(p.plain.order))
	}
	cached := 0
	for id, ofID := range p.cached.ids.All {
		if len(ofID.spans) == 0 {
			t.Fatalf("ID %d is kept, of which no block is cached", id)
		}
		for _, s := range ofID.spans {
			cached += s.len()
		}
	}
	contents := p.plain.contents()
	if len(contents) != cached {
		t.Fatalf("%d contents are cached, want %d", cached, len(contents))
	}
	for key, want := range contents {
		s := p.cached.find(key)
		for _, b := range want {
			if s == nil || len(s.holders) != b.holders || !p.aging && s.uses != b.Uses || key.index < s.from || key.index >= s.to {
				t.Fatalf("block %v is %+v, want %+v", key, s, b)
			}
			s = s.later
		}
		if s != p.cached.find(key) {
			t.Fatalf("more than %d blocks have the content %v", len(want), key)
		}
	}
	p.checkWalk(t, len(p.plain.order))
}

// TestForgottenBlocksAreUsedAgain: the memory of a run does not grow with its length, however many
// contents come and go, and nothing is left for the collector.
func TestForgottenBlocksAreUsedAgain(t *testing.T) {
	for _, eviction := range []policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}} {
		m := newMemory(&Pool{Blocks: 64, BlockSize: 1, Eviction: eviction})
		var cached chain
		content := 0
		comeAndGo := func() {
			content++
			m.allocate(16)
			m.register(&cached, content, 16, 0)
			m.release(16, &cached, 0)
		}
		for range 100 {
			comeAndGo()
		}
		if n := testing.AllocsPerRun(100, comeAndGo); n > 0 {
			t.Errorf("%T: a sequence of a new content takes %v allocations once the memory is full", eviction, n)
		}
	}
}

// TestTooFewBlocks: a decision that takes more blocks than are free is a fault of the program, with a cache and without.
func TestTooFewBlocks(t *testing.T) {
	for name, pool := range map[string]Pool{
		"plain":  {Blocks: 4, BlockSize: 1},
		"cached": {Blocks: 4, BlockSize: 1, Eviction: policies.LRU{}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemory(&pool)
			m.allocate(3)
			m.allocate(1)
			defer func() {
				if recover() == nil {
					t.Error("a fifth block of four")
				}
			}()
			m.allocate(1)
		})
	}
}
