package policies

var lfuEviction = NamedEviction{
	Description: Description{Name: "lfu", Key: "kv.eviction", Doc: "the cached block that the fewest sequences have held goes first",
		Keys: []string{"kv.enable_prefix_caching"}},
	Eviction: LFU{},
}

// LFU evicts the block that the fewest sequences have held since it is cached, of
// several the one that was freed longest ago.
type LFU struct{}

// OneQueue implements Eviction.
func (LFU) OneQueue() bool { return false }

// Rank implements Eviction.
func (LFU) Rank(b CachedBlock) int64 { return int64(b.Uses) }
