package policies

// LRU evicts the block that was freed longest ago. Of a sequence's blocks the
// last is freed first, so that no beginning goes before what follows it.
//
// Source: vllm/v1/core/kv_cache_manager.py, KVCacheManager.free.
type LRU struct{}

// Before implements Eviction.
func (LRU) Before(a, b *CachedBlock) bool { return a.Freed < b.Freed }
