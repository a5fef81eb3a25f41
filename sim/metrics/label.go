package metrics

import (
	"slices"
	"strings"
)

// Sense is what more of a metric means.
type Sense string

// The senses. Neither is what depends on why it is more: tokens, the use of memory.
const (
	Better  Sense = "better"
	Worse   Sense = "worse"
	Neither Sense = "neither"
)

// Higher says what more of a metric means to who serves or who asks.
func (d Definition) Higher() Sense {
	switch {
	case slices.Contains([]string{"ms", "J", "J/tok", "MJ/Mtok", "$", "$/h", "$/Mtok", "g/Mtok"}, d.Unit):
		return Worse
	case strings.HasSuffix(d.Key, "throughput") || strings.HasSuffix(d.Key, "attainment"):
		return Better
	}
	switch d.Key {
	case CompletedRequests, Goodput, SessionGoodput, MBU, MFU, PrefixHitRate, PrefixBlockHitRate, AcceptanceRate,
		MeanAcceptanceLength, Availability, NoRegret:
		return Better
	case RejectedRequests, TimedOutRequests, LostRequests, UnfinishedRequests, TruncatedRequests, Saturated,
		LoadImbalance, MeanAtRouter, MeanInTransfer, MeanInFrontEnd, MeanWaiting, Preemptions, RecomputedTokens, KVExposedTime, WastedFLOPs,
		Failures, RetriedRequests, RecoveryTime, RegretShare, PrefixHitLoss, Accelerators, MaxServiceDifference, MeanServiceDifference:
		return Worse
	}
	return Neither
}

// labels are those of keys whose words do not say it.
var labels = map[string]string{
	CompletedRequests:          "completed requests",
	RejectedRequests:           "rejected requests",
	TimedOutRequests:           "timed out requests",
	LostRequests:               "lost requests",
	UnfinishedRequests:         "unfinished requests",
	RoutedRequests:             "requests at replicas",
	RetriedRequests:            "retried requests",
	TruncatedRequests:          "truncated requests",
	Goodput:                    "goodput",
	MeanAtRouter:               "mean requests at the router",
	MeanInTransfer:             "mean requests between replicas",
	MeanInFrontEnd:             "mean requests in the front end",
	MeanWaiting:                "mean requests waiting",
	MeanRunning:                "mean requests running",
	MeanKVUtilization:          "mean KV utilization",
	MaxKVUtilization:           "max KV utilization",
	KVMoved:                    "KV moved",
	KVFetched:                  "KV fetched",
	Energy:                     "energy",
	EnergyPerToken:             "energy per output token",
	EnergyPerMillionTokens:     "energy per million output tokens",
	EnergyPerMillionGoodTokens: "energy per million output tokens at goodput",
	SitePower:                  "site power",
	CarbonPerMillionTokens:     "CO2 per million output tokens",
	CarbonPerMillionGoodTokens: "CO2 per million output tokens at goodput",
	Cost:                       "cost",
	CostPerMillionTokens:       "cost per million output tokens",
	CostPerMillionGoodTokens:   "cost per million output tokens at goodput",
}

// Label is the metric as people say it, without its unit: "p99 TTFT".
func (d Definition) Label() string {
	if label, ok := labels[d.Key]; ok {
		return label
	}
	words := strings.Split(strings.TrimSuffix(d.Key, "_ms"), "_")
	for i, word := range words {
		switch word {
		case "ttft", "tpot", "itl", "e2el", "slo", "mbu", "mfu", "kv":
			words[i] = strings.ToUpper(word)
		case "flops":
			words[i] = "FLOPs"
		}
	}
	return strings.Join(words, " ")
}
