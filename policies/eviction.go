package policies

// CachedBlock is what an eviction policy may know of a cached KV block that
// nobody holds, and whose memory is therefore free.
type CachedBlock struct {
	Depth int // blocks before it in the sequences that begin with it
	Uses  int // sequences that have held it since it is cached
}

// Eviction decides which free block is taken when one is needed. A cached one loses
// its content then.
type Eviction interface {
	// OneQueue tells whether all free blocks are taken in the order in which they were
	// freed, cached or not; Rank is not asked then. Otherwise those without
	// content go first, and behind them the cached ones by their Rank.
	OneQueue() bool

	// Rank orders cached blocks: the one with the lowest is taken first, of several that
	// which was freed longest ago. Of blocks with as many Uses none has a lower rank than a deeper
	// one: without those before it a block is of no use.
	Rank(CachedBlock) int64
}

// NamedEviction is an entry of Evictions.
type NamedEviction struct {
	Description
	Eviction Eviction
}

// Evictions are all eviction policies, in the order in which messages name them.
// The first one is what prefix caching has unless an experiment says otherwise.
var Evictions = []NamedEviction{lruEviction, lfuEviction, lengthAwareEviction}
