package policies

var lengthAwareEviction = NamedEviction{
	Description: Description{
		Name: "length-aware",
		Key:  "kv.eviction",
		Doc:  "the same as lfu, and of several the one that lies deepest in its sequences",
		Keys: []string{"kv.enable_prefix_caching"},
	},
	Eviction: LengthAware{},
}

// LengthAware evicts the block that the fewest sequences have held since it is
// cached, of several the one that lies deepest in its sequences, and of these the
// one that was freed longest ago.
//
// Source: the LengthAwareCache of Mooncake (Qin et al., arXiv 2407.00079, Table 1),
// "similar to LFU but prioritizing cache blocks occurring later in requests".
type LengthAware struct{}

// OneQueue implements Eviction.
func (LengthAware) OneQueue() bool { return false }

// Rank implements Eviction: no sequence has 2^32 blocks.
func (LengthAware) Rank(b CachedBlock) int64 { return int64(b.Uses)<<32 - int64(b.Depth) }
