package plots

import (
	"path/filepath"
	"strings"

	"kneepoint/experiments"
)

// workloadName is the built-in workload, the file of the trace, or what the
// lengths are.
func workloadName(res *experiments.Results) string {
	if name := text(res.Experiment, "workload", "name"); name != "" {
		if varies(res, "workload", "name") {
			return ""
		}
		return name
	}
	trace, _ := lookup(res.Experiment, "workload", "trace").(map[string]any)
	if path, _ := trace["path"].(string); path != "" {
		return filepath.Base(path)
	}
	return joinWith(", ", lengths(res, "input", "prompts"), lengths(res, "output", "outputs"))
}

// lengths says what the prompts or the outputs are like: "prompts 512 tok",
// "outputs lognormal 200 tok" for a law with that mean.
func lengths(res *experiments.Results, key, what string) string {
	law, _ := lookup(res.Experiment, "workload", key).(map[string]any)
	kind, _ := law["type"].(string)
	if kind == "" || sweptBelow(res, "workload."+key) {
		return ""
	}
	if kind == "fixed" {
		kind = ""
	}
	mean := ""
	if v, ok := numeric(law["mean"]); ok && v > 0 {
		mean = short(v) + " tok"
	}
	return joinWith(" ", what, shared(res, key), kind, mean)
}

// shared says how many tokens prompts have in common before what their law
// gives: "2,000 shared +".
func shared(res *experiments.Results, key string) string {
	prefix, _ := lookup(res.Experiment, "workload", "prefix").(map[string]any)
	tokens, ok := numeric(prefix["tokens"])
	if key != "input" || !ok || !(tokens > 0) || sweptBelow(res, "workload.prefix") {
		return ""
	}
	return exact(tokens) + " shared +"
}

// arrivals is the load, as far as it is the same at all points: "8 req/s",
// "gamma 8 req/s", "64 clients", "0.5 conv/s", "30 users".
func arrivals(res *experiments.Results) string {
	table, _ := lookup(res.Experiment, "workload", "arrival").(map[string]any)
	session, _ := lookup(res.Experiment, "workload", "session").(map[string]any)
	process, _ := table["process"].(string)
	load, unit := "rate", "req/s"
	if session != nil {
		unit = "conv/s"
	}
	if users, ok := numeric(session["users"]); ok && users > 0 && !sweptBelow(res, "workload.session.users") {
		return exact(users) + " users"
	}
	switch process {
	case "":
		return ""
	case "trace":
		return "its own arrivals"
	case "at_once":
		return "all at once"
	case "closed":
		load, unit, process = "concurrency", "clients", ""
	case "poisson":
		process = ""
	}
	if sweptBelow(res, "workload.arrival.process") || sweptBelow(res, "workload.name") {
		return ""
	}
	if v, ok := numeric(table[load]); ok && v > 0 && !sweptBelow(res, "workload.arrival."+load) {
		return joinWith(" ", process, exact(v), unit)
	}
	if process == "" {
		return "" // the plain case, and its load is on the axis
	}
	return process + " arrivals"
}

// sweptBelow says whether a key, the table that it stands in, or a key of the
// table that it names is swept.
func sweptBelow(res *experiments.Results, path string) bool {
	for _, axis := range res.Sweep {
		if axis.Path == path || strings.HasPrefix(path, axis.Path+".") || strings.HasPrefix(axis.Path, path+".") {
			return true
		}
	}
	return false
}

// joinWith joins the parts that are not empty.
func joinWith(separator string, parts ...string) string {
	kept := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, separator)
}
