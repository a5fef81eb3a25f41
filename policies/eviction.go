package policies

// CachedBlock is what an eviction policy may know of a cached KV block that
// nobody holds.
type CachedBlock struct {
	Depth int   // blocks before it in the sequences that begin with it
	Uses  int   // sequences that have held it since it is cached
	Freed int64 // which release of a block in the replica was its last: lower is longer ago
}

// Eviction decides which cached block is given up when one is needed.
type Eviction interface {
	// Before tells whether a goes before b. It is an order: no two blocks were
	// freed at once.
	Before(a, b *CachedBlock) bool
}

// NamedEviction is an entry of Evictions.
type NamedEviction struct {
	Description
	Eviction Eviction
}

// Evictions are all eviction policies, in the order in which messages name them.
// The first one is what prefix caching has unless an experiment says otherwise.
var Evictions = []NamedEviction{lruEviction, lfuEviction, lengthAwareEviction}
