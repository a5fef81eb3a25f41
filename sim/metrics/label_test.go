package metrics

import (
	"strings"
	"testing"
)

// TestLabels: every metric has a label of its own, in words and without its unit.
func TestLabels(t *testing.T) {
	seen := map[string]string{}
	for _, d := range Definitions {
		label := d.Label()
		if label == "" || strings.ContainsAny(label, "_$") || strings.HasSuffix(label, " ms") || strings.HasSuffix(label, " usd") {
			t.Errorf("%s is labelled %q", d.Key, label)
		}
		if other := seen[label]; other != "" {
			t.Errorf("%s and %s are both labelled %q", other, d.Key, label)
		}
		seen[label] = d.Key
	}
	for key, want := range map[string]string{P99TTFT: "p99 TTFT", MedianITL: "median ITL", MeanNormalizedLatency: "mean normalized latency",
		Attainment: "SLO attainment", OutputThroughput: "output throughput", MBU: "MBU", WastedFLOPs: "wasted FLOPs", Cost: "cost"} {
		d, _ := Lookup(key)
		if got := d.Label(); got != want {
			t.Errorf("%s is labelled %q, want %q", key, got, want)
		}
	}
}

// TestHigher: what is better and worse, with one metric of every rule.
func TestHigher(t *testing.T) {
	for key, want := range map[string]Sense{P99TTFT: Worse, StdITL: Worse, EnergyPerToken: Worse, CostPerMillionGoodTokens: Worse, PricePerHour: Worse,
		OutputThroughput: Better, Goodput: Better, Attainment: Better, PrefixHitRate: Better, CompletedRequests: Better,
		Preemptions: Worse, Saturated: Worse, Accelerators: Worse, InputTokens: Neither, OfferedRate: Neither, BusyFraction: Neither, MeanRunning: Neither, Duration: Neither} {
		d, _ := Lookup(key)
		if got := d.Higher(); got != want {
			t.Errorf("more of %s is %s, want %s", key, got, want)
		}
	}
}
