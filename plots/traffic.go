package plots

import (
	"fmt"
	"path/filepath"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// workloadName is the built-in workload, the file of the trace, or what the
// lengths are.
func workloadName(res *results.Results) string {
	traffic := &res.Facts.Traffic
	switch {
	case traffic.Workload != "" && isSwept(res, "workload.name"):
		return ""
	case traffic.Workload != "":
		return traffic.Workload
	case traffic.Trace != "":
		return filepath.Base(traffic.Trace)
	}
	return joinWith(", ", promptLengths(res), outputLengths(res))
}

// promptLengths says what prompts are like: "prompts 512 tok", "prompts 2,000
// shared + lognormal 200 tok" for a law with that mean after a shared prefix.
func promptLengths(res *results.Results) string {
	if sweptAt(res, "workload.input") {
		return ""
	}
	shared := ""
	if tokens := res.Facts.Traffic.SharedPrefix; tokens > 0 && !sweptAt(res, "workload.prefix") {
		shared = exact(float64(tokens)) + " shared +"
	}
	return lengths("prompts", shared, res.Facts.Traffic.Input)
}

// outputLengths says what outputs are like.
func outputLengths(res *results.Results) string {
	if sweptAt(res, "workload.output") {
		return ""
	}
	return lengths("outputs", "", res.Facts.Traffic.Output)
}

// lengths says what a law is; nothing without one.
func lengths(what, shared string, law results.Lengths) string {
	if law.Law == "" {
		return ""
	}
	kind, mean := strings.ReplaceAll(law.Law, "_", " "), ""
	if kind == "fixed" {
		kind = ""
	}
	switch {
	case law.Law == "fixed":
		mean = exact(law.Mean) + " tok"
	case law.Mean > 0:
		mean = units.Short(law.Mean) + " tok"
	}
	return joinWith(" ", what, shared, kind, mean)
}

// arrivals is the load, as far as it is the same at all points: "8 req/s",
// "gamma 8 req/s", "64 clients", "0.5 conv/s", "30 users", "1 to 20 req/s in 4 stages".
func arrivals(res *results.Results) string {
	traffic := &res.Facts.Traffic
	if traffic.Users > 0 && !sweptAt(res, "workload.session.users") {
		return exact(float64(traffic.Users)) + " " + nouns(traffic.Users, "user")
	}
	process, key, unit, load := traffic.Process, "rate", "req/s", traffic.Rate
	if traffic.Conversations {
		unit = "conv/s"
	}
	if traffic.HighestRate > 0 {
		return profile(res, strings.TrimPrefix(process, "poisson"), unit)
	}
	switch process {
	case "":
		return ""
	case "trace":
		return "its own arrivals"
	case "at_once":
		return "all at once"
	case "closed":
		process, key, unit, load = "", "concurrency", nouns(traffic.Concurrency, "client"), float64(traffic.Concurrency)
	case "poisson":
		process = ""
	}
	switch {
	case sweptAt(res, "workload.arrival.process"), sweptAt(res, "workload.name"):
		return ""
	case load > 0 && measurable(load) && !sweptAt(res, "workload.arrival."+key):
		return joinWith(" ", process, exact(load), unit)
	case process == "":
		return "" // the plain case, and its load is on the axis
	}
	return process + " arrivals"
}

// nouns is a counted thing's name: "client" of one, "clients" of all other numbers.
func nouns(n int, one string) string {
	if n == 1 {
		return one
	}
	return one + "s"
}

// profile says how a rate changes by design, as far as it is the same at all points.
func profile(res *results.Results, process, unit string) string {
	traffic := &res.Facts.Traffic
	between := units.Short(traffic.LowestRate) + " to " + units.Short(traffic.HighestRate) + " " + unit
	switch {
	case sweptAt(res, "workload.arrival."+traffic.Profile):
		return joinWith(" ", process, traffic.Profile)
	case traffic.Profile == "stages":
		return joinWith(" ", process, between, fmt.Sprintf("in %d stages", traffic.Stages))
	case traffic.Profile == "ramp":
		return joinWith(" ", process, "ramp", between)
	case sweptAt(res, "workload.arrival.rate"):
		return joinWith(" ", process, "by the hour")
	}
	return joinWith(" ", process, between, "by the hour")
}

// sweptAt says whether a key, the table that it is in, or a key of the
// table that it names is swept.
func sweptAt(res *results.Results, path string) bool {
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
