package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/policies"
)

// plainBlock is a block of a plain model of the memory, in which every block has an
// identity, the free ones are a list, and whatever is asked is looked for.
type plainBlock struct {
	key     blockKey // id 0: blank
	holders int
	entered int // when it got its content
	policies.CachedBlock
}

// heldMemory is a memory and the model of it, with the sequences that hold blocks.
type heldMemory struct {
	memory
	eviction  policies.Eviction
	blocks    []*plainBlock // all
	order     []*plainBlock // free ones, by when they were freed
	clock     int
	sequences []holding
}

type holding struct {
	cached []*cachedBlock
	blanks int
	model  []*plainBlock
}

// TestMemoryKeepsCount drives a memory with sequences that come and go, and compares
// what is cached, and what each walk along the free blocks says, with the model.
func TestMemoryKeepsCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eviction := rapid.SampledFrom([]policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}}).Draw(t, "eviction")
		pool := Pool{Blocks: rapid.IntRange(4, 40).Draw(t, "total"), BlockSize: 1, Eviction: eviction}
		p := &heldMemory{memory: newMemory(&pool), eviction: eviction}
		for range pool.Blocks {
			b := &plainBlock{}
			p.blocks, p.order = append(p.blocks, b), append(p.order, b)
		}
		for range rapid.IntRange(1, 80).Draw(t, "operations") {
			if len(p.sequences) > 0 && rapid.Bool().Draw(t, "release") {
				p.leave(rapid.IntRange(0, len(p.sequences)-1).Draw(t, "which"))
			} else {
				p.admit(t, rapid.IntRange(1, 3).Draw(t, "content"), rapid.IntRange(1, 6).Draw(t, "length"), rapid.IntRange(0, 2).Draw(t, "blanks"))
			}
			p.check(t)
		}
	})
}

// TestForgottenBlocksAreUsedAgain: the memory of a run does not grow with its length, however many
// contents come and go, and nothing is left for the collector.
func TestForgottenBlocksAreUsedAgain(t *testing.T) {
	for _, eviction := range []policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}} {
		m := newMemory(&Pool{Blocks: 64, BlockSize: 1, Eviction: eviction})
		var cached []*cachedBlock
		content := 0
		comeAndGo := func() {
			content++
			cached = cached[:0]
			m.allocate(16)
			for i := range 16 {
				cached = append(cached, m.register(blockKey{content, i}, 0))
			}
			m.release(16, cached, 0)
		}
		for range 100 {
			comeAndGo()
		}
		if n := testing.AllocsPerRun(100, comeAndGo); n > 0 {
			t.Errorf("%T: a sequence of a new content takes %v allocations once the memory is full", eviction, n)
		}
	}
}

// admit lets a sequence join that has length blocks of a content, of which it shares
// those that are cached in a row but for the last one, and some blank ones, if there
// is room.
func (p *heldMemory) admit(t *rapid.T, content, length, blanks int) {
	var s holding
	free := len(p.order)
	for len(s.model) < length-1 {
		b := p.first(blockKey{content, len(s.model)})
		if b == nil {
			break
		}
		if b.holders == 0 {
			free--
		}
		s.model = append(s.model, b)
	}
	if length+blanks-len(s.model) > free {
		return
	}
	for i, b := range s.model {
		found := p.cached.find(blockKey{content, i})
		if found == nil {
			t.Fatalf("block %d of content %d is not found", i, content)
		}
		p.share(found)
		s.cached = append(s.cached, found)
		p.hold(b)
	}
	n := length + blanks - len(s.model)
	p.checkWalk(t, n)
	p.allocate(n)
	for len(s.model) < length+blanks {
		b := p.take()
		*b = plainBlock{holders: 1}
		if i := len(s.model); i < length {
			p.clock++
			b.key, b.entered = blockKey{content, i}, p.clock
			b.CachedBlock = policies.CachedBlock{Depth: i, Uses: 1}
			s.cached = append(s.cached, p.register(b.key, 0))
		}
		s.model = append(s.model, b)
	}
	s.blanks = blanks
	p.sequences = append(p.sequences, s)
}

// first is the block that has had a content for the longest time.
func (p *heldMemory) first(key blockKey) (first *plainBlock) {
	for _, b := range p.blocks {
		if b.key == key && (first == nil || b.entered < first.entered) {
			first = b
		}
	}
	return first
}

// hold lets one more sequence hold a block of the model.
func (p *heldMemory) hold(b *plainBlock) {
	b.holders++
	b.Uses++
	p.order = slices.DeleteFunc(p.order, func(x *plainBlock) bool { return x == b })
}

// take is the next free block of the model.
func (p *heldMemory) take() *plainBlock {
	next := p.order[0]
	for _, b := range p.order[1:] {
		if p.before(b, next) {
			next = b
		}
	}
	p.order = slices.DeleteFunc(p.order, func(x *plainBlock) bool { return x == next })
	return next
}

// before tells which of two free blocks of the model is taken first; the second was
// freed first.
func (p *heldMemory) before(a, b *plainBlock) bool {
	switch {
	case p.eviction.OneQueue() || b.key.id == 0:
		return false
	case a.key.id == 0:
		return true
	}
	return p.eviction.Before(&a.CachedBlock, &b.CachedBlock)
}

// checkWalk compares a walk along the next n free blocks with the model.
func (p *heldMemory) checkWalk(t *rapid.T, n int) {
	order := slices.Clone(p.order)
	defer func() { p.order = order }()
	walk := p.memory.order.walk()
	for n > 0 {
		b, blanks := walk.next(n)
		if b == nil && blanks == 0 {
			t.Fatalf("the walk ends %d blocks too soon", n)
		}
		for range blanks {
			if got := p.take(); got.key.id != 0 {
				t.Fatalf("the walk has a blank block where %v is next", got.key)
			}
		}
		n -= blanks
		if b != nil {
			n--
			if got := p.take(); got.key != b.key {
				t.Fatalf("the walk has %v where %v is next", b.key, got.key)
			}
		}
	}
}

// leave lets a sequence give its blocks back.
func (p *heldMemory) leave(i int) {
	s := p.sequences[i]
	p.sequences = slices.Delete(p.sequences, i, i+1)
	p.release(len(s.cached)+s.blanks, s.cached, 0)
	for _, b := range slices.Backward(s.model) {
		if b.holders--; b.holders == 0 {
			p.clock++
			p.order = append(p.order, b)
		}
	}
}

func (p *heldMemory) check(t *rapid.T) {
	if p.free != len(p.order) {
		t.Fatalf("%d blocks are free, want %d", p.free, len(p.order))
	}
	contents := map[blockKey]int{}
	for _, b := range p.blocks {
		if b.key.id != 0 {
			contents[b.key]++
		}
	}
	cached := 0
	for id, ofID := range p.cached.ids {
		if cached += ofID.cached; ofID.cached == 0 {
			t.Fatalf("ID %d is kept, of which no block is cached", id)
		}
	}
	if len(contents) != cached {
		t.Fatalf("%d contents are cached, want %d", cached, len(contents))
	}
	for key, n := range contents {
		b, want := p.cached.find(key), p.first(key)
		if b == nil || b.holders != want.holders || b.Uses != want.Uses {
			t.Fatalf("block %v is %+v, want %+v", key, b, want)
		}
		alike := 1
		for next := b.later; next != b; next = next.later {
			alike++
		}
		if alike != n {
			t.Fatalf("%d blocks have the content %v, want %d", alike, key, n)
		}
	}
}
