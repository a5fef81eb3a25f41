package policies

var lruEviction = NamedEviction{
	Description: Description{Name: "lru", Key: "kv.eviction", Doc: "the free block that was freed longest ago is taken first, cached or not",
		Keys: []string{"kv.enable_prefix_caching"}},
	Eviction: LRU{},
}

// LRU takes the block that was freed longest ago, cached or not. Of a sequence's
// blocks the last is freed first, so that no beginning goes before what follows it.
//
// Source: vllm/v1/core/block_pool.py, BlockPool.get_new_blocks and free_blocks;
// kv_cache_utils.py, FreeKVCacheBlockQueue. Since version 0.24 a block that is not full
// goes to the head of the queue there: one per request.
type LRU struct{}

// OneQueue implements Eviction.
func (LRU) OneQueue() bool { return true }

// Rank implements Eviction.
func (LRU) Rank(CachedBlock) int64 { return 0 }
