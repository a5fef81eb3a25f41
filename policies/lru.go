package policies

var lruEviction = NamedEviction{
	Description: Description{Name: "lru", Key: "kv.eviction", Doc: "the cached block that was freed longest ago goes first",
		Keys: []string{"kv.enable_prefix_caching"}},
	Eviction: LRU{},
}

// LRU evicts the block that was freed longest ago. Of a sequence's blocks the
// last is freed first, so that no beginning goes before what follows it.
//
// Source: vllm/v1/core/kv_cache_manager.py, KVCacheManager.free.
type LRU struct{}

// Before implements Eviction.
func (LRU) Before(a, b *CachedBlock) bool { return a.Freed < b.Freed }
