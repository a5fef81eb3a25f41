package sim

import (
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/workloads"
)

// mooncakePath is the published trace of conversations.
var mooncakePath = filepath.Join("..", "..", "shared", "traces", "mooncake", "conversation_trace.jsonl.gz")

// readMooncake reads the trace once for all replays.
var readMooncake = sync.OnceValues(func() (*workloads.Trace, error) {
	return workloads.LoadTrace(mooncakePath, workloads.TraceSpec{Path: mooncakePath, Format: "mooncake"})
})

// oneByOne replays the trace on a replica of the given number of blocks of 512 tokens that
// serves one request at a time, and returns the metrics.
func oneByOne(t *testing.T, blocks int, eviction policies.Eviction) metrics.Values {
	t.Helper()
	if testing.Short() {
		t.Skip("long")
	}
	if _, err := os.Stat(mooncakePath); err != nil {
		t.Skip("the Mooncake trace needs ../shared: ", err)
	}
	trace, err := readMooncake()
	if err != nil {
		t.Fatal(err)
	}
	spec := workloads.TraceSpec{Path: mooncakePath, Format: "mooncake"}
	traffic, err := workloads.New(workloads.Spec{Trace: &spec}, trace, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := setup{cost: &hardware.Synthetic{StepFixed: 1e-9}, batching: continuous(1, math.MaxInt), blocks: blocks}
	c := s.configOf(traffic)
	c.Pools[0].BlockSize, c.Pools[0].Eviction = 512, eviction
	rec, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	return metrics.Summarize(rec, metrics.Objective{}, []metrics.Deployment{{}})
}

// TestMooncakeHitRates compares with the hit rates of a plain LRU cache over the
// ids of the trace, in order of arrival, by its capacity in blocks. Both count every
// block of a prompt, 288 500 in all, of 182 790 ids; but here only whole blocks are
// cached, a request holds blocks for its answer too, and its last block goes first.
func TestMooncakeHitRates(t *testing.T) {
	for _, c := range []struct {
		blocks int
		want   float64
	}{{1 << 30, 0.366}, {100_000, 0.364}, {50_000, 0.355}, {30_000, 0.326}, {10_000, 0.211}, {1_000, 0.044}} {
		got := oneByOne(t, c.blocks, policies.LRU{}).Get("prefix_block_hit_rate")
		if math.Abs(got-c.want) > 0.01 {
			t.Errorf("%d blocks: hit rate %.4f, a plain cache has %.3f", c.blocks, got, c.want)
		}
	}
}

// TestMooncakeTokens: with room for everything, 37.4 % of the prompt tokens of the
// trace as it is were in a prompt before, and .7 % in an answer that a later row goes
// on with, as far as they fill blocks of 512; no eviction policy matters then.
func TestMooncakeTokens(t *testing.T) {
	for _, eviction := range []policies.Eviction{policies.LRU{}, policies.LFU{}, policies.LengthAware{}} {
		got := oneByOne(t, 1<<30, eviction).Get("prefix_hit_rate")
		if math.Abs(got-0.381) > 0.001 {
			t.Errorf("%T: %.4f of the tokens hit, want 0.381", eviction, got)
		}
	}
}
