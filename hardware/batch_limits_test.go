package hardware

import (
	"strings"
	"testing"
)

// TestBatchLimitsOn holds the profiles against what their engines do: vLLM's server
// takes large batches from 70 GiB on but on A100, SGLang's chunks grow with memory.
func TestBatchLimitsOn(t *testing.T) {
	for _, c := range []struct {
		engine, accelerator string
		seqs, tokens        int
	}{
		{"vllm-v1", "h100-sxm", 1024, 8192},
		{"vllm-v1", "b200-sxm", 1024, 8192},
		{"vllm-v1", "mi300x", 1024, 8192},
		{"vllm-v1", "rtx-pro-6000", 1024, 8192},
		{"vllm-v1", "a100-sxm-80", 256, 2048},
		{"vllm-v1", "a100-pcie-40", 256, 2048},
		{"vllm-v1", "mi210", 256, 2048}, // 64 GiB
		{"vllm-v1", "l40s", 256, 2048},
		{"vllm-v1", "tpu-v6e", 256, 1024},
		{"vllm-v1", "tpu-v7x", 256, 2048}, // not among those that it knows
		{"vllm-v1", "xeon-8480", 128, 2048},
		{"vllm-v0-2023", "a100-sxm-40", 256, 2560},
		{"sglang", "rtx-4090", 2048, 2048},
		{"sglang", "l40s", 2048, 4096},
		{"sglang", "h200-sxm", 2048, 8192},
		{"sglang", "b200-sxm", 2048, 16384},
		{"trtllm", "h100-sxm", 2048, 8192},
	} {
		t.Run(c.engine+" on "+c.accelerator, func(t *testing.T) {
			e, err := LookupEngine(c.engine)
			if err != nil {
				t.Fatal(err)
			}
			a, err := LookupAccelerator(c.accelerator)
			if err != nil {
				t.Fatal(err)
			}
			if l := e.BatchLimitsOn(&a); l.MaxNumSeqs != c.seqs || l.MaxNumBatchedTokens != c.tokens {
				t.Errorf("%d sequences and %d tokens, want %d and %d", l.MaxNumSeqs, l.MaxNumBatchedTokens, c.seqs, c.tokens)
			}
		})
	}
}

// TestBatchLimitsOnUnknown: nothing known counts as little, and a custom accelerator by
// what it is like.
func TestBatchLimitsOnUnknown(t *testing.T) {
	e, err := LookupEngine("vllm-v1")
	if err != nil {
		t.Fatal(err)
	}
	if l := e.BatchLimitsOn(nil); l.MaxNumSeqs != 256 || l.MaxNumBatchedTokens != 2048 {
		t.Errorf("without an accelerator: %+v", l)
	}
	for like, seqs := range map[string]int{"a100-sxm-80": 256, "h100-sxm": 1024} {
		t.Run(like, func(t *testing.T) {
			a, err := Custom(map[string]any{"like": like, "usd_per_hour": 1.0})
			if err != nil {
				t.Fatal(err)
			}
			if l := e.BatchLimitsOn(&a); l.MaxNumSeqs != seqs {
				t.Errorf("%d sequences, want %d", l.MaxNumSeqs, seqs)
			}
		})
	}
}

// TestOfRanks: vLLM and TensorRT-LLM limit each data-parallel rank, SGLang the whole of them.
func TestOfRanks(t *testing.T) {
	for _, c := range []struct {
		engine    string
		all, each int
	}{{"vllm-v1", 65536, 8192}, {"trtllm", 65536, 8192}, {"sglang", 8192, 1024}} {
		e, err := LookupEngine(c.engine)
		if err != nil {
			t.Fatal(err)
		}
		if all, each := e.OfRanks(8192, 8); all != c.all || each != c.each {
			t.Errorf("%s: %d tokens of a step and %d of a rank, want %d and %d", c.engine, all, each, c.all, c.each)
		}
		if all, each := e.OfRanks(5, 1); all != 5 || each != 5 {
			t.Errorf("%s: %d and %d of one rank", c.engine, all, each)
		}
	}
}

// TestOwnBatchLimits: a profile of one's own may have others, for every accelerator.
func TestOwnBatchLimits(t *testing.T) {
	e, err := ParseEngine("like = \"vllm-v1\"\nbatch_limits = [{ max_num_seqs = 64, max_num_batched_tokens = 512 }]", "mine")
	if err != nil {
		t.Fatal(err)
	}
	if l := e.BatchLimitsOn(nil); l.MaxNumSeqs != 64 || l.MaxNumBatchedTokens != 512 || len(e.BatchLimits) != 1 {
		t.Errorf("%+v", e.BatchLimits)
	}
	for _, limits := range []string{"[]", `[{ memory = "1GB", max_num_seqs = 64, max_num_batched_tokens = 512 }]`} {
		_, err := ParseEngine("like = \"vllm-v1\"\nbatch_limits = "+limits, "mine")
		if err == nil || !strings.Contains(err.Error(), "not for every accelerator") {
			t.Errorf("%s: %v", limits, err)
		}
	}
}
