package policies

// Description is what a list of policies shows of one.
type Description struct {
	Name string // the value in an experiment file
	Key  string // the key of [[strategy]] that takes it
	Doc  string
	Keys []string // the keys of [[strategy]] that it reads
}

// Catalog describes every policy.
var Catalog = []Description{
	{"static", "batching", "collects a batch, prefills it at once, decodes until its longest member ends",
		[]string{"max_num_seqs", "max_wait", "padded"}},
	{"continuous", "batching", "requests join and leave the batch at every step; paged KV memory",
		[]string{"scheduler", "max_num_seqs", "max_num_batched_tokens", "preemption"}},
	{"vllm-v1", "scheduler", "running sequences first, in order of admission, then waiting ones; chunked prefill",
		[]string{"max_num_seqs", "max_num_batched_tokens"}},
	{"lru", "kv.eviction", "the cached block that was freed longest ago goes first",
		[]string{"kv.enable_prefix_caching"}},
	{"lfu", "kv.eviction", "the cached block that the fewest sequences have held goes first",
		[]string{"kv.enable_prefix_caching"}},
	{"length-aware", "kv.eviction", "the same, and of several the one that lies deepest in its sequences",
		[]string{"kv.enable_prefix_caching"}},
}
