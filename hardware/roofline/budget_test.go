package roofline

import (
	"testing"

	"kneepoint/units"
)

// A rank sets memory aside for its own part of a step: less where the limits are the replica's.
func TestActivationsOfARank(t *testing.T) {
	activations := func(perRank bool) float64 {
		d := deployment(t, "h200-sxm", "vllm-v1", "qwen3-30b-a3b", 1)
		d.DP, d.EP, d.MaxNumBatchedTokens, d.MaxNumSeqs, d.Engine.LimitsPerRank = 8, 8, 8192, 512, perRank
		return float64(build(t, d).Memory().Activations)
	}
	about(t, "limits of eight ranks", activations(true), 8*activations(false), 1e-9)
}

// The budget of a deployment is that of its cost model, and is there also where it does not
// fit.
func TestBudget(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4)
	if b, err := d.Budget(); err != nil || b != build(t, d).Memory() {
		t.Errorf("%+v, %v", b, err)
	}
	d.TP = 1
	b, err := d.Budget()
	if err != nil || b.KV >= 0 || b.Weights+b.Activations+b.Reserve+b.KV-b.Available > units.Bytes(1) {
		t.Errorf("%+v, %v", b, err)
	}
	d.TP = 3
	if _, err := d.Budget(); err == nil {
		t.Error("three accelerators share 8 KV heads")
	}
}
