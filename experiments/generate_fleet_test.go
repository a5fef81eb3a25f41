package experiments_test

import (
	"cmp"
	"fmt"
	"slices"

	"kneepoint/policies"
	"kneepoint/policies/routing"
)

// fleet is a [fleet] table, of all strategies or of the last one.
func (d *drawer) fleet(tree table, strategies []table) {
	if d.odds(3) {
		return
	}
	f := table{}
	router := d.router(strategies)
	if router.Name != "round-robin" || d.bool() {
		f["router"] = router.Name
	}
	for _, key := range router.Keys {
		if key != "weight" {
			d.optional(f, key, func() any { return d.routerKey(key) })
		}
	}
	if index, _ := f["index"].(string); cmp.Or(index, router.Defaults.Index) == routing.PreciseIndex {
		for _, key := range router.Approximate {
			delete(f, key)
		}
	}
	if d.odds(3) {
		f["queue"] = d.queue()
	}
	if d.odds(2) {
		f["pool"] = d.pools(tree, router.Reads("weight"))
		if d.odds(2) && canBeApart(strategies) {
			d.apart(f)
		}
	}
	if d.odds(4) && f["pool"] != nil {
		f["regret_samples"] = d.whole(1, 3)
	}
	d.lifecycle(f)
	if d.roofline && d.odds(2) && canShare(tree, f, strategies) {
		f["kv_sharing"] = d.kvSharing()
	}
	into := tree
	if d.odds(3) {
		into = strategies[len(strategies)-1]
	}
	into["fleet"] = f
	if f["pool"] != nil {
		delete(tree["hardware"].(table), "replicas")
	}
}

// router is one that all strategies may have.
func (d *drawer) router(strategies []table) routing.Entry {
	caching := !slices.ContainsFunc(strategies, func(s table) bool {
		name, _ := s["scheduler"].(string)
		scheduler, _ := policies.Find(policies.Schedulers, name)
		return s["batching"] == "static" || scheduler.NoPrefixCache || s["kv"].(table)["enable_prefix_caching"] == false
	})
	routers := policies.Where(routing.Routers, func(r routing.Entry) bool { return caching || !r.PrefixCaching })
	return routers[d.below(len(routers))]
}

// routerKey is a value of a key that some routers read.
func (d *drawer) routerKey(key string) any {
	switch key {
	case "index":
		return d.word("approximate precise")
	case "index_block_size", "index_capacity", "index_max_prefix", "balance_abs_threshold":
		return d.whole(1, 200)
	case "balance_rel_threshold":
		return d.number(1, 3)
	case "signal_interval", "signal_delay":
		return d.seconds(0.001, 0.5)
	case "count_dispatches":
		return d.bool()
	}
	return d.number(0, 1)
}

// canBeApart tells whether all strategies may compute prompts apart from answers.
func canBeApart(strategies []table) bool {
	return !slices.ContainsFunc(strategies, func(s table) bool {
		name, _ := s["scheduler"].(string)
		scheduler, _ := policies.Find(policies.Schedulers, name)
		return s["batching"] == "static" || scheduler.WholeRequests || s["kv"].(table)["offload"] != nil || s["frontend"].(table)["stream"] == false
	})
}

// apart gives a fleet a pool that prefills and one that decodes.
func (d *drawer) apart(f table) {
	pools := append(f["pool"].([]table), table{"name": "d", "role": "decode", "replicas": d.whole(1, 2)})
	pools[0]["role"] = "prefill"
	for _, p := range pools {
		delete(p, "model") // keys and values have one format
	}
	f["pool"] = pools
	t := table{}
	if d.roofline {
		if d.bool() {
			t["link"] = d.word("infiniband-400g tcp-100g pcie-5")
		} else {
			t["bandwidth"] = d.amount(0.1, 50, "GB/s")
		}
	}
	d.optional(t, "latency", func() any { return d.seconds(0, 0.1) })
	d.optional(t, "per", func() any { return d.word("replica fleet") })
	d.optional(t, "min_tokens", func() any { return d.whole(0, 300) })
	d.optional(t, "max_pending_tokens", func() any { return d.whole(0, 3000) })
	d.optional(t, "max_pending_requests", func() any { return d.whole(0, 9) })
	if d.optional(t, "mode", func() any { return d.word("pull push reserve") }); t["mode"] == "reserve" && d.roofline {
		d.optional(t, "when", func() any { return d.word("end layerwise") })
	}
	f["transfer"] = t
}

// canShare tells whether all replicas may share prompts.
func canShare(tree, fleet table, strategies []table) bool {
	pools, _ := fleet["pool"].([]table)
	return !slices.ContainsFunc(strategies, func(s table) bool {
		name, _ := s["scheduler"].(string)
		scheduler, _ := policies.Find(policies.Schedulers, name)
		kv := s["kv"].(table)
		return s["batching"] == "static" || scheduler.WholeRequests || scheduler.NoPrefixCache || kv["enable_prefix_caching"] == false ||
			kv["offload"] == "layerwise" || kv["transfers"] == "serial" || s["hardware"] != nil || s["model"] != nil
	}) && len(pools) == 0 && tree["hardware"].(table)["pp"] == nil && tree["hardware"].(table)["dp"] == nil
}

// kvSharing is a [fleet.kv_sharing] table.
func (d *drawer) kvSharing() table {
	k := table{"from": "store", "size": d.amount(0.1, 50, "GB"), "bandwidth": d.amount(0.1, 50, "GB/s")}
	d.optional(k, "latency", func() any { return d.seconds(0, 0.1) })
	d.optional(k, "per", func() any { return d.word("replica fleet") })
	d.optional(k, "balancing_threshold", func() any { return d.number(1, 4) })
	return k
}

// queue is a [fleet.queue] table.
func (d *drawer) queue() table {
	q := table{"max_in_flight": d.whole(1, 9)}
	orders := "fcfs lifo sjf"
	if len(d.clients) > 0 {
		orders += " priority"
	}
	d.optional(q, "order", func() any { return d.word(orders) })
	if d.odds(3) {
		q["rate"] = d.number(5, 100)
		d.optional(q, "burst", func() any { return d.whole(1, 9) })
	}
	if d.odds(3) {
		q["timeout"] = d.seconds(0.01, 2)
		if d.bool() {
			q["retries"] = d.whole(1, 3)
			d.optional(q, "backoff", func() any { return d.seconds(0, 1) })
		}
	}
	return q
}

// pools are those of a fleet: alike, or with keys of their own. The first one serves all
// classes.
func (d *drawer) pools(tree table, weights bool) []table {
	var all []table
	for i := range d.whole(1, 3) {
		p := table{"name": fmt.Sprint("p", i)}
		d.optional(p, "replicas", func() any { return d.whole(1, 2) })
		d.optional(p, "role", func() any { return "both" })
		if weights {
			d.optional(p, "weight", func() any { return d.number(0.1, 3) })
		}
		if i > 0 && len(d.clients) > 0 {
			d.optional(p, "classes", func() any { return []any{d.clients[d.below(len(d.clients))]} })
		}
		if d.odds(3) {
			p["strategy"] = table{"max_num_seqs": d.whole(1, 64)}
		}
		d.overrides(p, tree)
		all = append(all, p)
	}
	return all
}
