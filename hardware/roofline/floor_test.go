package roofline

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// TestFloor: what asks for the most time is the bound, over the peaks of all accelerators
// of the replica; where there is one, no link bounds anything.
func TestFloor(t *testing.T) {
	for _, tp := range []int{1, 2} {
		m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", tp))
		peaks := m.Capacity()
		compute, memory := 3*float64(peaks.PeakCompute), 2*float64(peaks.PeakBandwidth)
		for _, c := range []struct {
			cost  hardware.Cost
			time  float64
			bound Bound
		}{
			{hardware.Cost{FLOPs: units.FLOPs(compute), Bytes: units.Bytes(memory)}, 3, ComputeBound},
			{hardware.Cost{FLOPs: units.FLOPs(compute / 3), Bytes: units.Bytes(memory)}, 2, MemoryBound},
		} {
			got, bound := m.Floor(c.cost)
			if about(t, "floor", float64(got), c.time, 1e-9); bound != c.bound {
				t.Errorf("%+v is bound by %s, want %s", c.cost, bound, c.bound)
			}
		}
		if peaks.PeakLink > 0 != (tp > 1) {
			t.Fatalf("tp %d: a link of %v", tp, peaks.PeakLink)
		}
		got, bound := m.Floor(hardware.Cost{LinkBytes: units.Bytes(5 * float64(peaks.PeakLink)), Bytes: units.Bytes(memory)})
		if tp == 1 && (bound != MemoryBound || got != 2) || tp == 2 && bound != LinkBound {
			t.Errorf("tp %d: %v, bound by %s", tp, got, bound)
		}
	}
}

// TestUtilizationOfMemory: all of it may be used, and no more.
func TestUtilizationOfMemory(t *testing.T) {
	for utilization, works := range map[float64]bool{1: true, 0.5: true, 1.01: false, -0.1: false} {
		d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
		d.GPUMemoryUtilization = utilization
		if _, err := New(d); works != (err == nil) {
			t.Errorf("a share of %v: %v", utilization, err)
		}
	}
}

// TestWidestOutput: a token's outputs of all experts that it is sent to count together, of
// those that one accelerator has.
func TestWidestOutput(t *testing.T) {
	d := build(t, deployment(t, "h200-sxm", "vllm-v1", "qwen3-30b-a3b", 1)).Deployment()
	s := d.shard()
	e := d.Architecture.Experts
	about(t, "widest output", d.widest(&s), float64(e.Active*2*e.FFN), 1e-12)
}

// TestTablesOfAStage: the first stage has the embedding and what names positions, the last
// one the head where it is not the embedding itself.
func TestTablesOfAStage(t *testing.T) {
	d := build(t, deployment(t, "a100-sxm-80", "vllm-v1", "opt-13b", 1)).Deployment()
	a := &d.Architecture
	if a.PositionEmbeddings == 0 {
		t.Fatal("a model without positions")
	}
	heads := 2.0
	if a.TiedEmbeddings {
		heads = 1
	}
	about(t, "weights of the tables", d.tableWeights(0), heads*a.EmbeddingWeights()+float64(a.PositionEmbeddings*a.Hidden), 1e-12)
}
