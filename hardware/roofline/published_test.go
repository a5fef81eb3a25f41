package roofline

import (
	"errors"
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// databricks is one row of table 2 in "LLM Inference Performance Engineering:
// Best Practices" (Databricks, October 2023): requests per second of MPT-7B in
// fp16 under FasterTransformer, static batches of 512 tokens in and 64 out.
func databricks(t *testing.T, accelerator string, batch int) (*Model, error) {
	d := deployment(t, accelerator, "fastertransformer", "mpt-7b", 1)
	d.Weights, d.Activations, d.KV = hardware.FP16, hardware.FP16, hardware.FP16
	d.MaxNumBatchedTokens, d.MaxNumSeqs = 512*batch, batch
	return New(d)
}

func TestDatabricksStaticBatches(t *testing.T) {
	for accelerator, row := range map[string]map[int]float64{
		"a100-sxm-40": {1: 0.9, 4: 3.2, 8: 5.3, 16: 8.0, 32: 10.5, 64: 12.5},
		"a10":         {1: 0.4, 4: 1.4, 8: 2.3, 16: 3.5},
	} {
		t.Run(accelerator, func(t *testing.T) {
			for batch, want := range row {
				m, err := databricks(t, accelerator, batch)
				if err != nil {
					t.Fatal(err)
				}
				got := float64(batch) / float64(staticBatch(m, batch, 512, 64))
				t.Logf("%s batch %2d: %.2f requests/s, published %.1f (%+.1f %%)", accelerator, batch, got, want, 100*(got/want-1))
				if math.Abs(got/want-1) > 0.15 {
					t.Errorf("%s batch %d: %.2f requests/s, published %.1f", accelerator, batch, got, want)
				}
			}
		})
	}
}

// The claims of the text: on one A100, batch 64 has 4 times the latency and 14
// times the throughput of batch 1.
func TestDatabricksClaims(t *testing.T) {
	times := map[int]float64{}
	for _, batch := range []int{1, 64} {
		m, err := databricks(t, "a100-sxm-40", batch)
		if err != nil {
			t.Fatal(err)
		}
		times[batch] = float64(staticBatch(m, batch, 512, 64))
	}
	latency := times[64] / times[1]
	if throughput := 64 / latency; latency < 4 || latency > 5.2 || throughput < 12 || throughput > 16 {
		t.Errorf("latency x %.2f, throughput x %.2f", latency, throughput)
	}
}

// The row of the 24 GB A10 ends at batch 16: larger batches ran out of memory.
func TestDatabricksOutOfMemory(t *testing.T) {
	for _, c := range []struct {
		accelerator string
		batch       int
		fits        bool
	}{
		{"a10", 1, true}, {"a10", 8, true}, {"a10", 16, true}, {"a10", 32, false}, {"a10", 64, false}, {"a10", 128, false},
		{"a100-sxm-40", 64, true}, {"a100-sxm-40", 128, false},
	} {
		m, err := databricks(t, c.accelerator, c.batch)
		var bad *badinput.Error
		if err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		if fits := err == nil && m.Capacity().KVTokens >= c.batch*(512+64); fits != c.fits {
			t.Errorf("%s batch %d: fits %v, published %v", c.accelerator, c.batch, fits, c.fits)
		}
	}
}

// Llama-2-70B in fp16 under vLLM of 2023, 512 tokens in, batch 1: medians of
// SplitwiseSim's table (Mutinifni/splitwise-sim@8f99e7dc, MIT).
func TestSplitwiseTokenTimes(t *testing.T) {
	for _, c := range []struct {
		accelerator string
		tp          int
		decodeMS    float64
	}{
		{"a100-sxm-80", 2, 54.9}, {"a100-sxm-80", 4, 45.0}, {"a100-sxm-80", 8, 44.9},
		{"h100-sxm", 2, 37.0}, {"h100-sxm", 4, 29.7}, {"h100-sxm", 8, 29.8},
	} {
		d := deployment(t, c.accelerator, "vllm-v0-2023", "llama-2-70b", c.tp)
		d.Weights, d.Activations, d.KV = hardware.FP16, hardware.FP16, hardware.FP16
		d.GPUMemoryUtilization, d.MaxNumBatchedTokens = 0.95, 2048
		got := build(t, d).Step(decode(1, 576)).Time.Milliseconds()
		t.Logf("%s tp %d: %.1f ms, measured %.1f (%+.1f %%)", c.accelerator, c.tp, got, c.decodeMS, 100*(got/c.decodeMS-1))
		if math.Abs(got/c.decodeMS-1) > 0.25 {
			t.Errorf("%s tp %d: %.1f ms, measured %.1f", c.accelerator, c.tp, got, c.decodeMS)
		}
	}
}
