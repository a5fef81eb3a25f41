package plots

import (
	"strings"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// names are the metrics whose keys are not their names in words.
var names = map[string]string{
	metrics.CompletedRequests:          "completed requests",
	metrics.RejectedRequests:           "rejected requests",
	metrics.UnfinishedRequests:         "unfinished requests",
	metrics.TruncatedRequests:          "truncated requests",
	metrics.InputTokens:                "prompt tokens",
	metrics.OutputTokens:               "output tokens",
	metrics.TokenThroughput:            "throughput of prompt and output tokens",
	metrics.MeanInFrontEnd:             "mean number of requests in the front end",
	metrics.MeanWaiting:                "mean number of waiting requests",
	metrics.MeanRunning:                "mean number of requests in the batch",
	metrics.BusyFraction:               "time in steps",
	metrics.MBU:                        "MBU",
	metrics.MFU:                        "MFU",
	metrics.MeanKVUtilization:          "mean KV cache utilization",
	metrics.MaxKVUtilization:           "maximum KV cache utilization",
	metrics.KVMoved:                    "keys and values moved",
	metrics.KVExposedTime:              "exposed time of moves",
	metrics.WastedFLOPs:                "wasted FLOPs",
	metrics.LinkUtilization:            "link utilization",
	metrics.MeanPower:                  "mean power",
	metrics.PricePerHour:               "price per hour",
	metrics.Energy:                     "energy",
	metrics.EnergyPerToken:             "energy per output token",
	metrics.EnergyPerMillionTokens:     "energy per million output tokens",
	metrics.EnergyPerMillionGoodTokens: "energy per million output tokens within the SLO",
	metrics.Cost:                       "cost",
	metrics.CostPerMillionTokens:       "cost per million output tokens",
	metrics.CostPerMillionGoodTokens:   "cost per million output tokens within the SLO",
}

// latencies are the names of what the keys of metrics abbreviate.
var latencies = map[string]string{
	"ttft": "time to first token", "tpot": "time per output token", "itl": "inter-token latency", "e2el": "end-to-end latency",
}

// nameOf is a metric's name in words.
func nameOf(key string) string {
	return inWords(key, func(latency string) string { return latencies[latency] })
}

// briefOf is the same with latencies abbreviated, as people speak of them: "median TPOT".
func briefOf(key string) string {
	return inWords(key, strings.ToUpper)
}

// inWords is a key in words, of which the last one is a latency's where it is of one.
func inWords(key string, latency func(string) string) string {
	if name, ok := names[key]; ok {
		return name
	}
	words := strings.Split(strings.TrimSuffix(key, "_ms"), "_")
	last := &words[len(words)-1]
	if _, ok := latencies[*last]; ok {
		*last = latency(*last)
	}
	return strings.Join(words, " ")
}

// unitOf is the unit of a metric whose name says per what it is.
func unitOf(unit string) string {
	amount, _, _ := strings.Cut(unit, "/tok")
	amount, _, _ = strings.Cut(amount, "/Mtok")
	amount, _, _ = strings.Cut(amount, "/h")
	return amount
}

// dollars writes an amount of money.
func dollars(v float64) string { return "$" + units.Short(v) }
