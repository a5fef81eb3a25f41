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
		[]string{"max_num_seqs", "max_wait", "padded", "order"}},
	{"continuous", "batching", "requests join and leave the batch at every step; paged KV memory",
		[]string{"scheduler", "max_num_seqs", "max_num_batched_tokens", "order", "preemption", "reserve"}},
	{"vllm-v1", "scheduler", "running sequences first, in order of admission, then waiting ones; chunked prefill",
		[]string{"max_num_seqs", "max_num_batched_tokens"}},
	{"vllm-v0", "scheduler", "steps of whole prompts alone, as long as a request waits that fits; the batch stands still meanwhile",
		[]string{"max_num_seqs", "max_num_batched_tokens"}},
	{"sarathi", "scheduler", "every decode first, then prefills in chunks of what they leave; memory for whole prompts",
		[]string{"max_num_seqs", "max_num_batched_tokens"}},
	{"orca", "scheduler", "decodes and whole prompts together, without a budget of tokens; memory for whole sequences",
		[]string{"max_num_seqs"}},
	{"alternating", "scheduler", "prompts in chunks and decodes in steps of their own, which take turns; memory for whole prompts",
		[]string{"max_num_seqs", "max_num_batched_tokens"}},
	{"decode-first", "scheduler", "decodes alone until the batch has come to its end, then whole prompts alone for the next one",
		[]string{"max_num_seqs"}},
	{"fcfs", "order", "requests join in order of arrival", nil},
	{"sjf", "order", "the shortest output joins first, as predicted with an error of CV 0.5", nil},
	{"priority", "order", "the class of clients with the lowest priority number joins first, within a class in order of arrival", nil},
	{"deadline", "order", "the earliest deadline for the first token, arrival + slo.ttft_ms of its client, joins first", nil},
	{"paged", "reserve", "KV blocks are taken as tokens come; the youngest sequence gives its own back when they run out", nil},
	{"max", "reserve", "memory for model.max_model_len tokens, from admission on", nil},
	{"pow2", "reserve", "memory for the prompt and the next power of two of the answer, from admission on", nil},
	{"oracle", "reserve", "memory for the prompt and the answer, from admission on", nil},
	{"lru", "kv.eviction", "the cached block that was freed longest ago goes first",
		[]string{"kv.enable_prefix_caching"}},
	{"lfu", "kv.eviction", "the cached block that the fewest sequences have held goes first",
		[]string{"kv.enable_prefix_caching"}},
	{"length-aware", "kv.eviction", "the same, and of several the one that lies deepest in its sequences",
		[]string{"kv.enable_prefix_caching"}},
}
