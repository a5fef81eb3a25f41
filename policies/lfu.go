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

// Before implements Eviction.
func (LFU) Before(a, b *CachedBlock) bool { return a.Uses < b.Uses }
