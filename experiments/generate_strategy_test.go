package experiments_test

import "slices"

// strategy is a [[strategy]] table.
func (d *drawer) strategy(name string, tree table) table {
	d.names = append(d.names, name)
	s := table{"name": name}
	kv, frontend := table{}, table{}
	d.optional(s, "max_num_seqs", func() any { return d.whole(1, 64) })
	if d.odds(4) {
		s["batching"] = "static"
		d.optional(s, "max_wait", func() any { return d.seconds(0, 0.5) })
		d.optional(s, "padded", func() any { return d.bool() })
		d.optional(s, "reserve", func() any { return d.word("oracle max pow2") })
	} else {
		d.continuous(s, kv, tree)
	}
	orders := "fcfs lifo sjf deadline"
	if len(d.clients) > 0 {
		orders += " priority"
	}
	if len(d.clients) > 1 {
		orders += " vtc vtc-oracle"
	}
	d.optional(s, "order", func() any { return d.word(orders) })
	if d.urgent {
		s["order"], d.urgent = "priority", false
	}
	d.optional(s, "max_waiting", func() any { return d.whole(1, 40) })
	d.optional(kv, "block_size", func() any { return d.one(1, 16, 32, 128) })
	d.optional(frontend, "pipelined", func() any { return d.bool() })
	if frontend["pipelined"] != false {
		d.optional(frontend, "threads", func() any { return d.whole(1, 4) })
	}
	d.optional(frontend, "token_ids", func() any { return d.bool() })
	d.optional(frontend, "stream", func() any { return d.bool() })
	if d.odds(4) {
		s["compression"] = table{"ratio": d.number(1, 5), "tokens_per_second": d.number(1000, 1e6)}
	}
	if !d.pp && !d.measuredSteps && d.odds(3) {
		s["speculation"] = d.speculation(tree)
	}
	s["kv"], s["frontend"] = kv, frontend
	d.overrides(s, tree)
	return s
}

// continuous are the keys of continuous batching.
func (d *drawer) continuous(s, kv, tree table) {
	d.optional(s, "batching", func() any { return "continuous" })
	scheduler := d.word("vllm-v1 vllm-v1 vllm-v0 sarathi alternating orca decode-first lightllm")
	if scheduler != "vllm-v1" || d.bool() {
		s["scheduler"] = scheduler
	}
	if !slices.Contains([]string{"orca", "decode-first"}, scheduler) {
		d.optional(s, "max_num_batched_tokens", func() any { return d.whole(64, 4000) })
	}
	if scheduler == "vllm-v1" {
		d.optional(s, "long_prefill_token_threshold", func() any { return d.whole(16, 300) })
	}
	if scheduler == "orca" {
		d.optional(s, "reserve", func() any { return d.word("max pow2 oracle") })
		return
	}
	whole := d.odds(4)
	if whole {
		s["reserve"] = d.word("max pow2 oracle")
		d.optional(s, "preemption", func() any { return "none" })
	} else {
		d.optional(s, "reserve", func() any { return "paged" })
	}
	caching := scheduler != "lightllm"
	if caching {
		d.optional(kv, "enable_prefix_caching", func() any { caching = d.bool(); return caching })
	}
	if caching {
		d.optional(kv, "eviction", func() any { return d.word("lru lfu length-aware") })
	}
	hardware := tree["hardware"].(table)
	if d.roofline && !d.pp && hardware["dp"] == nil && !whole && d.odds(3) {
		d.offload(s, kv, caching, scheduler)
	} else if !whole {
		d.optional(s, "preemption", func() any { return "recompute" })
	}
	if caching && kv["offload"] == nil && (kv["eviction"] == nil || kv["eviction"] == "lru") {
		d.optional(kv, "prefix_cache_ttl", func() any { return d.seconds(0, 60) })
	}
}

// offload moves keys and values to tiers.
func (d *drawer) offload(s, kv table, caching bool, scheduler string) {
	how, preemption := "swap layerwise", "swap recompute"
	if scheduler == "decode-first" || scheduler == "alternating" || scheduler == "vllm-v0" || scheduler == "lightllm" {
		how = "swap"
	}
	kv["offload"] = d.word(how)
	tiers := []string{"host", "disk"}
	if kv["offload"] == "layerwise" || !caching {
		tiers, preemption = tiers[:1], "swap"
	}
	var all []table
	for _, name := range tiers {
		tier := table{"name": name, "size": d.amount(0.1, 10, "GB"), "bandwidth": d.amount(1, 90, "GB/s")}
		d.optional(tier, "bandwidth_out", func() any { return d.amount(1, 90, "GB/s") })
		d.optional(tier, "latency", func() any { return d.seconds(0, 0.01) })
		all = append(all, tier)
	}
	kv["tiers"] = all
	d.optional(kv, "transfers", func() any { return d.word("async serial") })
	d.optional(s, "preemption", func() any { return d.word(preemption) })
}

// speculation are guesses by one of the methods that need no model of a kind.
func (d *drawer) speculation(tree table) table {
	n := d.whole(0, 4)
	d.guesses = max(d.guesses, n)
	methods := "ngram"
	if d.roofline && tree["hardware"].(table)["dp"] == nil {
		methods = "ngram eagle eagle3 medusa draft dspark"
	}
	x := table{"method": d.word(methods), "num_speculative_tokens": n, "acceptance": d.number(0, 1)}
	if n > 1 && d.bool() {
		x["acceptance"] = []any{d.number(0, 1), d.number(0, 1)}
	}
	switch m := tree["model"].(table); {
	case x["method"] == "draft" && m["name"] == "llama-3.1-8b":
		x["draft"] = "llama-3.2-1b"
	case x["method"] == "draft":
		x["draft"] = m["name"]
	}
	if x["method"] != "ngram" && x["method"] != "dspark" && n > 0 && d.odds(3) {
		var tree []any
		for range n {
			tree = append(tree, d.whole(1, 3))
		}
		x["tree"] = tree
	}
	if x["method"] != "ngram" && x["method"] != "medusa" && d.odds(3) {
		x["draft_window"] = d.whole(1, 300)
	}
	d.optional(x, "disable_above_batch", func() any { return d.whole(0, 9) })
	d.optional(x, "adaptive", func() any { return d.bool() })
	if synthetic, ok := tree["hardware"].(table)["synthetic"].(table); ok {
		d.optional(synthetic, "per_draft_pass", func() any { return d.amount(0, 900, "us") })
		d.optional(synthetic, "per_draft_row", func() any { return d.amount(0, 90, "us") })
	}
	return x
}

// overrides are tables of a strategy's own.
func (d *drawer) overrides(s, tree table) {
	if !d.roofline || !d.odds(4) {
		return
	}
	s["model"] = table{"kv": d.word("fp8 bf16")}
	s["hardware"] = table{"kv_tokens": d.whole(600, 20000)}
	if tree["hardware"].(table)["kv_tokens"] == nil {
		s["hardware"] = table{"gpu_memory_utilization": d.number(0.8, 0.95)}
	}
}
