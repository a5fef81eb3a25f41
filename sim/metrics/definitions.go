package metrics

import (
	"math"
	"strings"

	"kneepoint/units"
)

// Kind says how a metric's number is to be read.
type Kind int

const (
	Number Kind = iota
	Count       // a whole number
	Ratio       // between 0 and 1
	YesNo       // 0 or 1
)

// Definition is one metric: its key in results, its unit, and its meaning.
type Definition struct {
	Key  string
	Unit string // "" for a pure number
	Kind Kind
	Doc  string
}

// IsRate tells whether the metric is in requests or tokens per second.
func (d Definition) IsRate() bool { return strings.HasSuffix(d.Unit, "/s") }

// Definitions lists every metric in the order in which results show them. The
// keys of the first part are those of vLLM's serving benchmark.
var Definitions = buildDefinitions()

var byKey = func() map[string]Definition {
	m := make(map[string]Definition, len(Definitions))
	for _, d := range Definitions {
		m[d.Key] = d
	}
	return m
}()

// Lookup returns the definition of key.
func Lookup(key string) (Definition, bool) {
	d, ok := byKey[key]
	return d, ok
}

// Keys returns the keys of Definitions, in order.
func Keys() []string {
	keys := make([]string, len(Definitions))
	for i, d := range Definitions {
		keys[i] = d.Key
	}
	return keys
}

func buildDefinitions() []Definition {
	defs := []Definition{
		{Duration, "s", Number, "first arrival to last completion"},
		{CompletedRequests, "", Count, "requests that ended"},
		{RejectedRequests, "", Count, "requests that were refused at arrival: they could never fit, or found the queue full"},
		{TimedOutRequests, "", Count, "requests that gave up waiting at the router, after their last retry"},
		{LostRequests, "", Count, "requests whose replica failed, and that nobody served again"},
		{UnfinishedRequests, "", Count, "requests that had not ended when the run did"},
		{TruncatedRequests, "", Count, "requests that were cut to what the context and the KV cache hold"},
		{InputTokens, "", Count, "prompt tokens of completed requests, as the client sent them"},
		{OutputTokens, "", Count, "generated tokens of completed requests"},
		{OfferedRate, "req/s", Number, "requests offered after the first / time from the first to the last; null where all come at once"},
		{RequestThroughput, "req/s", Number, "completed requests / duration"},
		{Goodput, "req/s", Number, "completed requests that meet every objective / duration; null without an SLO"},
		{OutputThroughput, "tok/s", Number, "generated tokens of completed requests / duration"},
		{TokenThroughput, "tok/s", Number, "prompt and generated tokens of completed requests / duration"},
		{Sessions, "", Count, "conversations whose last turn ended and whose first is in the run; null without conversations"},
		{SessionGoodput, "conv/s", Number, "of these, those all of whose turns meet every objective / duration; null without an SLO"},
	}
	for _, l := range Latencies {
		defs = append(defs, l.definitions()...)
	}
	return append(defs, []Definition{
		{TTFTAtAttainment, "ms", Number, "percentile of the TTFT at the SLO's attainment; null where that is one of those above"},
		{TPOTAtAttainment, "ms", Number, "the same of the TPOT"},
		{E2ELAtAttainment, "ms", Number, "the same of the E2EL"},
		{Attainment, "", Ratio, "requests that meet every objective / all requests offered; null without an SLO"},
		{SessionAttainment, "", Ratio, "conversations all of whose turns meet every objective / sessions; null without an SLO"},
		{TTFTAttainment, "", Ratio, "requests that meet the bound of the TTFT / all requests offered; null without one"},
		{TPOTAttainment, "", Ratio, "requests that meet the bound of the TPOT / all requests offered; null without one"},
		{E2ELAttainment, "", Ratio, "requests that meet the bound of the E2EL / all requests offered; null without one"},
		{ITLAttainment, "", Ratio, "requests whose p99 gap between tokens meets its bound / all requests offered; null without one"},
		{MaxServiceDifference, "tok/s", Number, "what clients got less than the most served one, or than they asked for, prompt tokens and twice the generated ones, in the 60 s where that is most; null with one client, in runs shorter than that, and with streaming"},
		{MeanServiceDifference, "tok/s", Number, "the same, mean over windows of 60 s; null likewise"},
		{Saturated, "", YesNo, "whether more is offered than can be served; null where the run is too short to tell"},
		{MeanAtRouter, "req", Number, "time average of the requests that wait at the router; null where none does"},
		{MeanInTransfer, "req", Number, "time average of the requests that wait for keys and values on their way from another replica; null where no prompt is computed for another replica"},
		{MeanInFrontEnd, "req", Number, "time average of the requests in the front end: compressed, tokenized, or waiting for a thread"},
		{MeanWaiting, "req", Number, "time average of the requests that wait for their first step, or again after a preemption"},
		{MeanRunning, "req", Number, "time average of the requests in the batch"},
		{Steps, "", Count, "forward passes"},
		{BusyFraction, "", Ratio, "time in steps / time, over the replicas"},
		{IdleShare, "", Ratio, "time without any request / time, over the replicas"},
		{Replicas, "", Number, "replicas that are paid for, time average"},
		{RoutedRequests, "", Count, "requests that came to the replicas and were not refused, each time that one comes"},
		{Failures, "", Count, "replicas that failed; null where none can"},
		{RetriedRequests, "", Count, "times that requests were sent again since their replica had failed, or its link; null where none can"},
		{Availability, "", Ratio, "time in which replicas serve / this and the time from failures until others serve in their place; null where none can fail"},
		{RecoveryTime, "s", Number, "from a failure until the replicas are replaced and no more requests are in the system than before, mean; null where that never was"},
		{PromptThroughput, "tok/s", Number, "prompt tokens that were computed / time"},
		{GenerationThroughput, "tok/s", Number, "tokens that were generated / time"},
		{LoadImbalance, "", Number, "requests at the replica that has most / mean over the replicas at that moment; null with one replica"},
		{MeanRegret, "ms", Number, "E2EL - the E2EL at the replica that would have served the request first, mean over sampled requests; null where none are"},
		{RegretShare, "", Ratio, "mean regret / mean E2EL of the sampled requests; null likewise"},
		{NoRegret, "", Ratio, "sampled requests that no other replica would have served earlier / sampled requests; null likewise"},
		{MBU, "", Ratio, "bytes that must be read / busy time / peak memory bandwidth"},
		{MFU, "", Ratio, "FLOPs of wanted tokens / busy time / dense peak of the compute type"},
		{LinkUtilization, "", Ratio, "bytes exchanged between accelerators / busy time / peak link bandwidth; null without a link"},
		{MeanKVUtilization, "", Ratio, "KV blocks in use / KV blocks, time average"},
		{MaxKVUtilization, "", Ratio, "KV blocks in use / KV blocks, highest"},
		{Preemptions, "", Count, "times that a running request lost its KV blocks"},
		{RecomputedTokens, "", Count, "tokens that were computed again after preemptions"},
		{KVMoved, "GB", Number, "keys and values moved between each accelerator and the memory below; null where nothing moved"},
		{KVExposedTime, "s", Number, "time of steps that moves took and no computation hid, over the replicas; null where nothing moved"},
		{PrefixHitRate, "", Ratio, "cached prompt tokens / prompt tokens"},
		{PrefixReuseRate, "", Ratio, "prompt tokens that an earlier request of the pool had / prompt tokens: the hit rate of one cache that forgets nothing"},
		{PrefixPooledRate, "", Ratio, "the same of one cache that has as much memory as all replicas of the pool and forgets first what was used longest ago"},
		{PrefixHitLoss, "", Ratio, "prefix_pooled_rate - prefix_hit_rate: what is lost since each replica has a cache of its own"},
		{PrefixLoadRate, "", Ratio, "prompt tokens that came from the memory below / prompt tokens; null where nothing moved"},
		{PrefixFetchRate, "", Ratio, "prompt tokens that were fetched from other replicas or a store / prompt tokens; null where none did"},
		{KVFetched, "GB", Number, "keys and values fetched from other replicas or a store; null where none were"},
		{AcceptanceRate, "", Ratio, "accepted / proposed draft tokens; null without speculation"},
		{
			MeanAcceptanceLength,
			"tok",
			Number,
			"tokens of a sequence in a step that verifies guesses, the model's own included; null without speculation",
		},
		{WastedFLOPs, "", Ratio, "FLOPs for guesses that were not accepted / these and those of wanted tokens; null without speculation"},
		{PrefixBlockHitRate, "", Ratio, "cached KV blocks / KV blocks of the prompts"},
		{Accelerators, "", Count, "accelerators of all replicas"},
		{MeanPower, "W", Number, "mean power of the accelerators over the duration"},
		{Energy, "J", Number, "energy of the accelerators over the duration"},
		{EnergyPerToken, "J/tok", Number, "energy / generated tokens of completed requests"},
		{EnergyPerMillionTokens, "MJ/Mtok", Number, "the same, per million generated tokens"},
		{EnergyPerMillionGoodTokens, "MJ/Mtok", Number, "energy per million generated tokens of requests that meet every objective"},
		{SitePower, "kW", Number, "mean power of the site: accelerators and servers, times the PUE"},
		{CarbonPerMillionTokens, "g/Mtok", Number, "CO2 of the site's energy, per million generated tokens; null where prices.gco2_per_kwh is not given"},
		{CarbonPerMillionGoodTokens, "g/Mtok", Number, "the same, per million generated tokens of requests that meet every objective"},
		{PricePerHour, "$/h", Number, "price of the accelerators for an hour"},
		{Cost, "$", Number, "price of the accelerators for the duration"},
		{CostPerMillionTokens, "$/Mtok", Number, "price of the accelerators for the duration, per million generated tokens"},
		{CostPerMillionGoodTokens, "$/Mtok", Number, "the same, per million generated tokens of requests that meet every objective"},
	}...)
}

// Latency is one of the latency metrics, which come with a mean, a median, a
// standard deviation and percentiles, in milliseconds.
type Latency struct {
	Name   string // as in vLLM's keys: ttft, tpot, itl, e2el
	Doc    string
	Spread bool // has the SpreadPercentiles too
}

// Latencies are the latency metrics, in the order of results.
var Latencies = []Latency{
	{"ttft", "time to first token: first token - arrival", true},
	{"tpot", "time per output token after the first: (E2EL - TTFT) / (tokens - 1)", true},
	{"itl", "inter-token latency: every gap between tokens (with speculation, chunks of them), all requests pooled", true},
	{"e2el", "end-to-end latency: last token - arrival", true},
	{"normalized_latency", "end-to-end latency / generated tokens", false},
	{"client_queue_time", "arrival - the time at which the client wanted to send", false},
}

func (l Latency) definitions() []Definition {
	defs := []Definition{
		{"mean_" + l.Name + "_ms", "ms", Number, "mean " + l.Doc},
		{"median_" + l.Name + "_ms", "ms", Number, "median " + l.Doc},
		{"std_" + l.Name + "_ms", "ms", Number, "population standard deviation of the " + l.Doc},
	}
	for _, p := range l.percentiles() {
		defs = append(defs, Definition{PercentileKey(l.Name, p), "ms", Number, ordinal(p) + " percentile of the " + l.Doc})
	}
	return defs
}

// ordinal is a percentile as it is read aloud: of the whole ones 1st, 2nd and 3rd are not like the rest.
func ordinal(p float64) string {
	suffix := "th"
	if ones, tens := math.Mod(p, 10), math.Floor(math.Mod(p, 100)/10); tens != 1 && ones >= 1 && ones <= 3 && ones == math.Trunc(ones) {
		suffix = []string{"st", "nd", "rd"}[int(ones)-1]
	}
	return units.Shortest(p) + suffix
}
