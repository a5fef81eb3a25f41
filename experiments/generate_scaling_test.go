package experiments_test

import (
	"fmt"
	"slices"

	"kneepoint/policies/scaling"
)

// lifecycle lets replicas of a fleet come and go, start cold, or fail.
func (d *drawer) lifecycle(f table) {
	if !d.odds(3) {
		return
	}
	up := table{"cold_start": d.seconds(0, 3)}
	if d.odds(4) {
		f["restart"], f["startup"] = d.restart(), up
		if pools, _ := f["pool"].([]table); len(pools) > 0 {
			pools[0]["restart"] = d.restart()
		}
		return
	}
	if d.odds(2) {
		all := d.failures(f)
		f["failure"] = all
		if slices.ContainsFunc(all, func(x table) bool { return x["repair"] != nil && x["slowdown"] == nil && x["component"] == nil }) {
			f["startup"] = up
		}
		return
	}
	if d.bool() {
		up["cold"] = true
	}
	if scales := d.bool(); scales || up["cold"] == nil {
		f["autoscale"] = d.autoscale(f)
		if up["warm_pool"] = d.whole(0, 2); up["warm_pool"] != 0 {
			up["wake_up"] = d.seconds(0, 1)
		}
	}
	d.optional(up, "first_request", func() any { return d.seconds(0, 1) })
	d.optional(up, "provisioning", func() any { return d.seconds(0, 1) })
	d.optional(up, "image_pull", func() any { return d.seconds(0, 1) })
	d.optional(up, "distribution", func() any { return d.word("fixed exponential") })
	if d.roofline && d.odds(3) {
		delete(up, "cold_start")
		up["load_from"] = d.word("nvme object-store 9GB/s")
	}
	pools, _ := f["pool"].([]table)
	if len(pools) > 0 && d.bool() {
		pools[0]["startup"] = table{"provisioning": d.seconds(0, 1)}
		if f["autoscale"] != nil {
			pools[0]["autoscale"] = table{"max_replicas": d.whole(6, 9)}
		}
	}
	f["startup"] = up
}

// autoscale is a [fleet.autoscale] table. No pool has more than three replicas at the start.
func (d *drawer) autoscale(f table) table {
	scaler := scaling.Scalers[d.below(len(scaling.Scalers))]
	a := table{"scaler": scaler.Name, "max_replicas": d.whole(4, 6)}
	if d.bool() {
		a["min_replicas"] = 0
	}
	for _, key := range scaler.Keys {
		switch {
		case key == "schedule":
			a[key] = []table{{"at": "0s", "replicas": 1}, {"at": d.seconds(0.1, 2), "replicas": d.whole(1, 4)}}
		case key == "period":
			d.optional(a, key, func() any { return d.seconds(2.1, 5) })
		case key != "idle_timeout" || a["min_replicas"] == 0:
			d.optional(a, key, func() any { return d.scalerKey(key) })
		}
	}
	if scaler.Reads("metric") {
		a["target"] = d.number(0.1, 0.9)
		if metric := a["metric"]; metric == nil || metric == "requests" || metric == "waiting" {
			a["target"] = d.number(1, 9)
		}
	}
	return a
}

// scalerKey is a value of a key that some scalers read.
func (d *drawer) scalerKey(key string) any {
	switch key {
	case "metric":
		return d.word("requests waiting kv_utilization busy_fraction")
	case "target":
		return d.number(1, 9)
	case "scale_up_replicas":
		return d.whole(0, 4)
	case "scale_up_percent":
		return d.number(0, 200)
	case "stable_window":
		return d.seconds(6, 20)
	case "panic_window":
		return d.seconds(0.5, 6)
	case "panic_threshold", "max_scale_up_rate", "max_scale_down_rate":
		return d.number(1.1, 9)
	case "tolerance", "target_utilization", "kv_threshold", "kv_spare":
		return d.number(0.1, 0.5)
	case "queue_threshold", "queue_spare":
		return d.number(0.5, 5)
	}
	return d.seconds(0.1, 3)
}

// restart is a [fleet.restart] table.
func (d *drawer) restart() table {
	r := table{"at": d.seconds(0, 3)}
	d.optional(r, "max_unavailable", func() any { return d.whole(1, 3) })
	return r
}

// failures are [[fleet.failure]] tables, of which one may be for good.
func (d *drawer) failures(f table) []table {
	var all []table
	pools, _ := f["pool"].([]table)
	for i := range d.whole(1, 2) {
		x := table{"name": fmt.Sprint("f", i)}
		if d.bool() {
			x["at"] = d.seconds(0, 3)
		} else {
			x["mtbf"] = d.seconds(5, 60)
		}
		if i == 0 || d.bool() {
			x["repair"] = d.seconds(0, 3)
			d.optional(x, "repair_distribution", func() any { return d.word("fixed exponential") })
		} else {
			d.strands = true
		}
		if d.optional(x, "of", func() any { return d.word("replica node pool") }); x["of"] == "node" {
			x["replicas_per_node"] = d.whole(1, 3)
		}
		if d.odds(3) && x["repair"] != nil && i > 0 {
			x["slowdown"] = d.number(1.1, 5)
		} else {
			d.optional(x, "requests", func() any { return d.word("retry lost") })
			d.optional(x, "detection", func() any { return d.seconds(0, 3) })
		}
		if t, _ := f["transfer"].(table); x["repair"] != nil && (t["link"] != nil || t["bandwidth"] != nil) && d.bool() {
			x["component"] = "link"
			if x["slowdown"] == nil && x["detection"] == nil && d.bool() {
				x["requests"] = "wait"
			}
		}
		if len(pools) > 0 && d.bool() {
			x["pool"] = pools[0]["name"]
		}
		all = append(all, x)
	}
	return all
}
