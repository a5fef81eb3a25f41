package experiments

import (
	"context"
	"os"
	"testing"
)

// eightNodes replays conversations a quarter faster than they were on eight nodes of 8 A100,
// with times of prompts near those that SplitwiseSim has of 70B.
const eightNodes = `
title = "Eight nodes and conversations"
[model]
name = "llama-3.1-70b"
[hardware]
accelerator = "a100-sxm-80"
tp = 8
replicas = 8
kv_tokens = 1200000
engine = "ideal"
cost_model = "measured"
[hardware.measured]
decode = [{ base = "40ms", per_sequence = "300us" }]
[hardware.measured.prefill]
base = "35ms"
per_token = "115us"
per_token2 = "2ns"
[workload.trace]
path = "../../shared/traces/mooncake/conversation_trace.jsonl.gz"
format = "mooncake"
time_scale = 0.8
limit = 3000
[[strategy]]
name = "random"
[strategy.fleet]
router = "random"
[[strategy]]
name = "load"
[strategy.fleet]
router = "least-pending-tokens"
[[strategy]]
name = "cache"
[strategy.fleet]
router = "prefix-aware"
index = "precise"
[[strategy]]
name = "KVCache-centric"
[strategy.fleet]
router = "least-ttft"
kv_sharing = { from = "peers", bandwidth = "50GB/s", per = "replica" }
`

// TestMooncakeRouters: figure 8 of Mooncake (Qin et al., FAST 2025) has mean TTFT of 92.1 s where
// requests are sent by random, 60.4 s by load, 14.4 s by load and cached prefixes, and 6.3 s where
// replicas fetch these from each other besides, on another trace. The order comes out.
func TestMooncakeRouters(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	if _, err := os.Stat("../../shared/traces/mooncake/conversation_trace.jsonl.gz"); err != nil {
		t.Skip("the Mooncake trace needs ../shared: ", err)
	}
	found, err := experiment(t, eightNodes).Run(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	ttft := map[string]float64{}
	for _, curve := range found.Series {
		ttft[curve.Strategy] = curve.Points[0].Metrics["mean_ttft_ms"].Mean
	}
	t.Logf("mean TTFT in ms: %v", ttft)
	if !(ttft["random"] > ttft["load"] && ttft["load"] > 2*ttft["cache"] && ttft["cache"] > 1.5*ttft["KVCache-centric"]) {
		t.Errorf("mean TTFT in ms: %v, want the order of figure 8, less than half where the router knows prefixes, and two thirds of that with fetches", ttft)
	}
}
