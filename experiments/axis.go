package experiments

import (
	"strings"

	"kneepoint/experiments/results"
)

// axisNames are the labels and units of variables that are often swept, by their path or by its
// last word, which is the label of others, without a unit.
var axisNames = map[string]struct{ label, unit string }{
	"workload.arrival.rate":           {"request rate", "req/s"},
	"workload.arrival.concurrency":    {"concurrent clients", ""},
	"workload.arrival.burstiness":     {"burstiness", ""},
	"workload.arrival.cv":             {"CV of the gaps", ""},
	"workload.prefix.tokens":          {"shared prefix", "tok"},
	"workload.session.users":          {"users", ""},
	"workload.session.turns":          {"turns of a conversation", ""},
	"workload.input.mean":             {"mean prompt length", "tok"},
	"workload.output.mean":            {"mean output length", "tok"},
	"block_size":                      {"block size", "tok"},
	"workload.num_requests":           {"number of requests", ""},
	"workload.trace.time_scale":       {"time scale of the trace", ""},
	"hardware.tp":                     {"tensor parallelism", ""},
	"hardware.dp":                     {"data parallelism", ""},
	"hardware.ep":                     {"expert parallelism", ""},
	"hardware.replicas":               {"replicas", ""},
	"hardware.accelerator":            {"accelerator", ""},
	"hardware.gpu_memory_utilization": {"memory utilization", ""},
	"model.name":                      {"model", ""},
	"slo.ttft_ms":                     {"bound of the TTFT", "ms"},
	"slo.tpot_ms":                     {"bound of the TPOT", "ms"},
	"slo.e2el_ms":                     {"bound of the E2EL", "ms"},
	"slo.itl_p99_ms":                  {"bound of a request's p99 ITL", "ms"},
}

// newAxis is the axis of a swept variable, with its values as the file has them.
func newAxis(path string, values []any) results.Axis {
	axis := results.Axis{Path: path, Label: path[strings.LastIndexByte(path, '.')+1:]}
	for _, v := range values {
		axis.Values = append(axis.Values, results.ValueOf(v))
	}
	for _, name := range []string{axis.Label, path} {
		if known, ok := axisNames[name]; ok {
			axis.Label, axis.Unit = known.label, known.unit
		}
	}
	return axis
}
