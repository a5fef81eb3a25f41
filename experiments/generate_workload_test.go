package experiments_test

import (
	"math"
	"path/filepath"
	"slices"
)

// workload is a [workload] table of one of the kinds that there are.
func (d *drawer) workload() table {
	w := table{"num_requests": d.whole(1, 40)}
	d.optional(w, "too_long", func() any { return d.word("reject truncate") })
	switch d.word("lengths lengths lengths sessions sessions trace built-in") {
	case "sessions":
		d.sessions(w)
	case "trace":
		d.trace(w)
	case "built-in":
		w["name"], w["arrival"], w["num_requests"] = d.word("sharegpt-8k azure-code-2023"), table{"rate": d.number(1, 30)}, d.whole(1, 12)
		d.rate = true
	default:
		d.requests(w)
	}
	return w
}

// requests have arrivals and lengths, may come from several clients, and share prefixes.
func (d *drawer) requests(w table) {
	w["arrival"] = d.arrival("poisson gamma weibull constant onoff at_once closed closed")
	if d.rate && w["arrival"].(table)["hourly"] == nil && d.odds(6) {
		d.rate = false
		w["arrival"] = table{"ramp": table{"strategy": d.word("linear exponential"), "start_rps": d.number(1, 90), "end_rps": d.number(1, 90)}}
	}
	w["input"] = d.law(1, 500)
	w["output"] = d.law(1, 120)
	if spread(w["input"]) && spread(w["output"]) && d.bool() {
		w["output"].(table)["correlation"] = d.number(-0.1, 0.1)
	}
	if d.rate && d.odds(4) {
		w["duration"] = d.seconds(0.5, 5)
	}
	switch d.whole(0, 8) {
	case 8:
		w["prefix"] = table{"buckets": []table{{"weight": d.number(0.1, 1), "count": d.whole(1, 3), "tokens": d.whole(0, 200)}, {"weight": 1, "count": 2, "tokens": 20}}}
	case 0, 1:
		w["prefix"] = table{"count": d.whole(1, 4), "tokens": d.whole(1, 200)}
	case 7:
		delete(w["output"].(table), "correlation")
		w["prefix"] = table{"groups": d.whole(1, 4), "per_group": d.whole(1, 3), "tokens": d.whole(1, 200)}
	case 2:
		delete(w["output"].(table), "correlation")
		w["prefix"] = table{"distinct": d.whole(1, 9)}
	case 3, 4, 5:
		d.classes(w)
	}
}

// arrival is an [workload.arrival] table of one of some processes.
func (d *drawer) arrival(processes string) table {
	a := table{"process": d.word(processes)}
	switch a["process"] {
	case "closed":
		d.closed = true
		a["concurrency"] = d.whole(1, 12)
		d.optional(a, "think_time", d.thinkTime)
		d.optional(a, "start", func() any { return d.word("staggered at_once") })
		return a
	case "at_once":
	default:
		d.rate = true
		a["rate"] = d.number(1, 90)
		d.shape(a)
		if a["process"] != "onoff" && a["normalize"] == nil && d.odds(2) {
			d.profile(a)
		}
	}
	if d.bool() {
		d.closed = true
		a["max_concurrency"] = d.whole(1, 20)
	}
	return a
}

// shape says how irregular a process with a rate is.
func (d *drawer) shape(a table) {
	process := a["process"]
	if process == "onoff" {
		a["on"], a["off"] = d.seconds(0.05, 1), d.seconds(0.05, 1)
	}
	if process == "gamma" || process == "weibull" || process == "onoff" {
		switch d.whole(0, 2) {
		case 0:
			a["cv"] = d.number(0.2, 4)
		case 1:
			a["burstiness"] = d.number(0.1, 4)
		}
	}
	d.optional(a, "normalize", func() any { return d.bool() })
	if d.odds(3) {
		a["modulation"] = table{"cv": d.number(0, 1), "tau": d.seconds(0.01, 1)}
	}
}

// profile lets the rate change by design.
func (d *drawer) profile(a table) {
	if d.bool() {
		d.hours(a)
		return
	}
	delete(a, "rate")
	d.rate = false // nor can it be swept
	stages := []table{{"rate": d.number(1, 90), "duration": d.seconds(0.01, 1)}}
	for range d.whole(0, 3) {
		stages = append(stages, table{"rate": d.one(0, d.number(1, 90)), "duration": d.seconds(0.01, 1)})
	}
	a["stages"] = stages
}

// hours are those of a day, most of them without any request.
func (d *drawer) hours(a table) {
	factors := make([]any, 24)
	for i := range factors {
		factors[i] = d.one(0, 0, d.number(0, 5))
	}
	factors[d.whole(0, 23)] = 3
	a["hourly"] = factors
	d.optional(a, "hour", func() any { return d.seconds(0.01, 0.5) })
}

// thinkTime is a duration or a law of some.
func (d *drawer) thinkTime() any {
	if d.bool() {
		return d.seconds(0, 1)
	}
	return table{"type": "exponential", "mean": d.number(0.1, 1)}
}

// law is a law of lengths of about low to high.
func (d *drawer) law(low, high float64) table {
	mean := d.number(low+1, high/2)
	law := table{"type": d.word("fixed uniform normal lognormal lognormal_mix gamma weibull exponential zipf empirical")}
	switch law["type"] {
	case "zipf":
		law["exponent"], law["min"], law["max"] = d.number(0.2, 2), 1, int(high)
		return law
	case "lognormal_mix":
		law["mix"] = []table{{"w": d.number(0.1, 1), "mu": math.Log(mean), "sigma": d.number(0.1, 1)}, {"w": 1, "mu": 2.5, "sigma": 0.5}}
	case "empirical":
		if law["quantiles"] = []any{1, mean, high}; d.odds(3) {
			delete(law, "quantiles")
			law["path"] = filepath.ToSlash(filepath.Join(d.dir, "lengths.txt"))
		}
		d.optional(law, "percentiles", func() any { return []any{0, d.number(10, 90), 100} })
	case "uniform":
		if d.bool() {
			law["min"], law["max"] = 1, math.Round(high)
			return law
		}
		law["mean"] = mean
		d.optional(law, "range_ratio", func() any { return d.number(0, 1) })
	case "normal", "lognormal", "gamma", "weibull":
		law["mean"], law["std"] = mean, d.number(mean/4, mean)
	default:
		law["mean"] = mean
	}
	if law["type"] != "fixed" {
		d.optional(law, "min", func() any { return d.whole(1, 2) })
		d.optional(law, "max", func() any { return int(2 * high) })
	}
	return law
}

// spread tells whether few lengths of a law are equal, so that others can go with them.
func spread(law any) bool {
	t := law.(table)
	return slices.Contains([]any{"normal", "lognormal", "gamma", "exponential"}, t["type"]) && t["mean"].(float64) > 5
}

// classes splits the requests, or adds streams of requests of their own.
func (d *drawer) classes(w table) {
	arrival := w["arrival"].(table)
	whole := arrival["process"] == "closed" || arrival["process"] == "at_once" ||
		arrival["normalize"] != nil || arrival["ramp"] != nil || arrival["max_concurrency"] != nil
	clients := []table{{"name": "x", "share": 0.25}, {"share": 0.75}}
	d.clients = []string{"x", "client 2"}
	if !whole {
		clients[0] = table{"name": "x", "arrival": d.sourceOf()}
		clients[1]["share"] = 1
	}
	for i, c := range clients {
		d.optional(c, "slo", func() any { return d.objective() })
		if d.bool() {
			d.urgent = true
			c["priority"] = d.one(-1, 1, 2)
		}
		if i == 0 { // all of them would leave the common law without effect
			if w["output"].(table)["correlation"] == nil {
				d.optional(c, "input", func() any { return d.law(1, 300) })
			}
			d.optional(c, "output", func() any { return d.ownOutput(c, w) })
		}
	}
	w["client"] = clients
}

// ownOutput is a client's law of answers, which may go with the lengths of its prompts.
func (d *drawer) ownOutput(client, w table) table {
	law := d.law(1, 120)
	input, own := client["input"].(table)
	if !own {
		input = w["input"].(table)
	}
	if spread(law) && spread(input) && d.bool() {
		law["correlation"] = d.number(-0.1, 0.1)
	}
	return law
}

// sourceOf is the arrivals of a client's own.
func (d *drawer) sourceOf() table {
	rate := d.rate
	closed := d.closed
	a := d.arrival("poisson gamma weibull constant onoff")
	delete(a, "normalize")
	delete(a, "max_concurrency")
	d.rate, d.closed = rate, closed
	return a
}

// sessions makes requests the turns of conversations.
func (d *drawer) sessions(w table) {
	defer func() { d.closed = true }()
	s := table{"turns": d.one(d.whole(1, 5), table{"type": "exponential", "mean": 3})}
	d.optional(s, "think_time", d.thinkTime)
	if d.bool() {
		s["users"] = d.whole(1, 8)
		d.optional(s, "start", func() any { return d.word("staggered at_once") })
	} else {
		w["arrival"] = d.arrival("poisson gamma weibull constant onoff")
		delete(w["arrival"].(table), "normalize")
		delete(w["arrival"].(table), "max_concurrency")
		if s["think_time"] != nil && s["think_time"] != "0s" {
			d.optional(s, "think_from", func() any { return d.word("answer request") })
		}
	}
	for _, part := range []string{"input", "output"} {
		place := d.one(w, s).(table)
		place[part] = d.law(1, 200)
	}
	added, answers := table{}, table{}
	for _, place := range []table{w, s} {
		if law, given := place["input"].(table); given {
			added = law
		}
		if law, given := place["output"].(table); given {
			answers = law
		}
	}
	if spread(answers) && spread(added) && d.bool() {
		answers["correlation"] = d.number(-0.1, 0.1)
	} else {
		d.optional(s, "first_input", func() any { return d.law(1, 300) })
	}
	if d.odds(3) {
		w["prefix"] = table{"count": d.whole(1, 4), "tokens": d.whole(1, 200)}
	}
	w["session"] = s
}

// trace replays one of the files of writeTraces.
func (d *drawer) trace(w table) {
	file := d.one("measured.csv", "hashed.jsonl", "mooncake.jsonl", "azure.csv", "log.csv").(string)
	formats := table{"measured.csv": "measured", "hashed.jsonl": "bailian", "mooncake.jsonl": "mooncake", "azure.csv": "azure", "log.csv": "csv"}
	format := formats[file]
	trace := table{"path": filepath.ToSlash(filepath.Join(d.dir, file)), "format": format}
	switch format {
	case "bailian":
		trace["block_size"] = 512
	case "csv":
		d.log(trace)
	}
	d.optional(trace, "time_scale", func() any { return d.number(0.1, 3) })
	if format == "measured" {
		d.optional(trace, "start", func() any { return d.seconds(0, 0.3) })
	}
	d.optional(trace, "end", func() any { return d.seconds(2, 9) })
	d.optional(trace, "limit", func() any { return d.whole(1, 3) })
	d.optional(trace, "repeat", func() any { return d.whole(1, 5) })
	d.optional(trace, "tick_jitter", func() any { return d.seconds(0, 1) })
	delete(w, "num_requests")
	w["trace"] = trace
	if d.odds(3) {
		w["arrival"] = d.arrival("poisson gamma closed at_once")
		delete(trace, "tick_jitter")
	}
}

// log draws the columns of a log.
func (d *drawer) log(trace table) {
	columns := table{"time": d.one("t", "u"), "input": d.one("a", "c"), "output": d.one("b", "d")}
	d.optional(columns, "session", func() any { return d.one("s", "z") })
	d.optional(trace, "time_unit", func() any { return d.one("s", "ms") })
	if d.odds(2) {
		columns["hash_ids"], trace["block_size"] = d.one("h", "k"), 512
	}
	trace["columns"] = columns
}
