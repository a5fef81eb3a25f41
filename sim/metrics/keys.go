package metrics

// The keys of metrics, as results have them; Definitions says what each is. Those
// of the first two groups are the keys of vLLM's serving benchmark.
const (
	Duration           = "duration"
	CompletedRequests  = "completed"
	RejectedRequests   = "rejected"
	UnfinishedRequests = "unfinished"
	TruncatedRequests  = "truncated"
	InputTokens        = "total_input_tokens"
	OutputTokens       = "total_output_tokens"
	OfferedRate        = "offered_rate"
	RequestThroughput  = "request_throughput"
	Goodput            = "request_goodput"
	OutputThroughput   = "output_throughput"
	TokenThroughput    = "total_token_throughput"
)

// The keys of latencies, in milliseconds.
const (
	MeanTTFT   = "mean_ttft_ms"
	MedianTTFT = "median_ttft_ms"
	StdTTFT    = "std_ttft_ms"
	P90TTFT    = "p90_ttft_ms"
	P95TTFT    = "p95_ttft_ms"
	P99TTFT    = "p99_ttft_ms"

	MeanTPOT   = "mean_tpot_ms"
	MedianTPOT = "median_tpot_ms"
	StdTPOT    = "std_tpot_ms"
	P90TPOT    = "p90_tpot_ms"
	P95TPOT    = "p95_tpot_ms"
	P99TPOT    = "p99_tpot_ms"

	MeanITL   = "mean_itl_ms"
	MedianITL = "median_itl_ms"
	StdITL    = "std_itl_ms"
	P90ITL    = "p90_itl_ms"
	P95ITL    = "p95_itl_ms"
	P99ITL    = "p99_itl_ms"

	MeanE2EL   = "mean_e2el_ms"
	MedianE2EL = "median_e2el_ms"
	StdE2EL    = "std_e2el_ms"
	P90E2EL    = "p90_e2el_ms"
	P95E2EL    = "p95_e2el_ms"
	P99E2EL    = "p99_e2el_ms"

	MeanNormalizedLatency   = "mean_normalized_latency_ms"
	MedianNormalizedLatency = "median_normalized_latency_ms"
	StdNormalizedLatency    = "std_normalized_latency_ms"
	P90NormalizedLatency    = "p90_normalized_latency_ms"
	P95NormalizedLatency    = "p95_normalized_latency_ms"
	P99NormalizedLatency    = "p99_normalized_latency_ms"

	MeanClientQueueTime   = "mean_client_queue_time_ms"
	MedianClientQueueTime = "median_client_queue_time_ms"
	StdClientQueueTime    = "std_client_queue_time_ms"
	P90ClientQueueTime    = "p90_client_queue_time_ms"
	P95ClientQueueTime    = "p95_client_queue_time_ms"
	P99ClientQueueTime    = "p99_client_queue_time_ms"
)

// The keys of objectives, of the engine, of energy and of cost.
const (
	Attainment                 = "slo_attainment"
	Saturated                  = "saturated"
	MeanInFrontEnd             = "frontend_mean"
	MeanWaiting                = "waiting_mean"
	MeanRunning                = "running_mean"
	Steps                      = "steps"
	BusyFraction               = "busy_fraction"
	MBU                        = "mbu"
	MFU                        = "mfu"
	MeanKVUtilization          = "kv_utilization_mean"
	MaxKVUtilization           = "kv_utilization_max"
	Preemptions                = "preemptions"
	RecomputedTokens           = "recomputed_tokens"
	KVMoved                    = "kv_moved_gb"
	KVExposedTime              = "kv_exposed_time"
	PrefixHitRate              = "prefix_hit_rate"
	PrefixLoadRate             = "prefix_load_rate"
	AcceptanceRate             = "acceptance_rate"
	MeanAcceptanceLength       = "mean_acceptance_length"
	WastedFLOPs                = "wasted_flops"
	PrefixBlockHitRate         = "prefix_block_hit_rate"
	Energy                     = "energy_j"
	EnergyPerToken             = "energy_j_per_token"
	EnergyPerMillionTokens     = "energy_mj_per_million_output_tokens"
	EnergyPerMillionGoodTokens = "energy_mj_per_million_output_tokens_at_goodput"
	Cost                       = "cost_usd"
	CostPerMillionTokens       = "usd_per_million_output_tokens"
	CostPerMillionGoodTokens   = "usd_per_million_output_tokens_at_goodput"
)
