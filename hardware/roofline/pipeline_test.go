package roofline

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/units"
)

// The cases of vLLM's own tests/distributed/test_pipeline_partition.py, and one
// more.
func TestLayersOfStages(t *testing.T) {
	for _, c := range []struct {
		layers int
		want   []int
	}{
		{2, []int{1, 1}}, {3, []int{2, 1}},
		{3, []int{1, 1, 1}}, {4, []int{1, 2, 1}}, {5, []int{2, 2, 1}},
		{61, []int{15, 15, 16, 15}}, {80, []int{80}},
	} {
		var d Deployment
		d.Architecture.Layers, d.PP = c.layers, len(c.want)
		if got := d.stageLayers(); !slices.Equal(got, c.want) {
			t.Errorf("%d layers: %v, want %v", c.layers, got, c.want)
		}
	}
}

// anyPipeline draws a deployment of any number of stages, on servers of eight.
func anyPipeline(t *rapid.T) *Model {
	m := anyModel(t)
	d := m.deployment
	d.PP, d.Engine.MicroBatchOverlap = rapid.IntRange(1, d.Architecture.Layers).Draw(t, "stages"), "none"
	d.Accelerator.Network = &hardware.Network{Name: "network", Bandwidth: 1e9}
	d.Constants = Constants{}
	m, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestStageTimesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyPipeline(t), anyWork(t)
		times := make([]units.Seconds, m.Stages())
		if len(times) != m.deployment.PP {
			t.Fatalf("%d stages, want %d", len(times), m.deployment.PP)
		}
		m.StageTimes(w, times)
		var sum units.Seconds
		for _, t := range times {
			sum += t
		}
		if want := m.Step(w).Time; math.Abs(float64(sum-want)) > 1e-12*float64(want) {
			t.Fatalf("stages take %v, the step %v", sum, want)
		}
		if operators := Total(m.Breakdown(w)); math.Abs(float64(sum-operators)) > 1e-9*float64(sum) {
			t.Fatalf("stages take %v, operators %v", sum, operators)
		}
	})
}

// No stage is faster than its layers' bytes and FLOPs allow, and the last one
// has the head's besides.
func TestNoStageBeatsPhysics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyPipeline(t), anyWork(t)
		if w.Tokens() == 0 {
			return
		}
		times := make([]units.Seconds, m.Stages())
		m.StageTimes(w, times)
		ranks := m.deployment.ranks()
		bandwidth := m.machine.bandwidth * units.BytesPerSecond(ranks)
		peak := max(m.machine.compute, m.machine.wide) * units.FLOPsPerSecond(ranks)
		layers := *w
		layers.LogitRows = 0
		cost, whole := m.Step(&layers), m.Step(w)
		cost.Bytes -= units.Bytes(w.Tokens()) * m.totals.rowBytes
		for i, share := range m.shares {
			bytes, flops := units.Bytes(share)*cost.Bytes, units.FLOPs(share)*cost.FLOPs
			if i == len(times)-1 {
				bytes += whole.Bytes - cost.Bytes - units.Bytes(w.Tokens())*m.totals.rowBytes
				flops += whole.FLOPs - cost.FLOPs
			}
			if floor := max(bytes.At(bandwidth), flops.At(peak)); times[i] < floor*(1-1e-9) {
				t.Fatalf("stage %d of %d takes %v, but physics needs %v", i, len(times), times[i], floor)
			}
		}
	})
}

func TestOneStageIsTheStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyModel(t), anyWork(t)
		if m.Stages() > 1 {
			return
		}
		times := make([]units.Seconds, 1)
		if m.StageTimes(w, times); times[0] != m.Step(w).Time {
			t.Fatalf("%v, the step takes %v", times[0], m.Step(w).Time)
		}
	})
}

func TestPipelineStages(t *testing.T) {
	one := ideal(t, "llama-3.1-70b", 1, same)
	four := ideal(t, "llama-3.1-70b", 1, func(d *Deployment) { d.PP = 4 })
	w := prefill(1, 4096)
	handOver := 3 * units.Bytes(2*4096*8192*2) // hidden states and residual
	about(t, "latency", float64(four.Step(w).Time), float64(one.Step(w).Time)+float64(handOver)/450e9, 1e-9)
	if got := four.Step(w).LinkBytes; got != handOver {
		t.Errorf("%v over the link, want %v", got, handOver)
	}
	about(t, "KV per token", float64(four.Memory().KVPerToken), float64(one.Memory().KVPerToken)/4, 1e-9)
	layers := one.deployment.Architecture.MatrixWeights() * 2
	about(t, "weights", float64(four.Memory().Weights), layers/4+128256*8192*2, 1e-9)
	if got := four.Capacity(); got.PeakBandwidth != 4*4.8e12 || got.PeakLink != 4*450e9 {
		t.Errorf("capacity %+v", got)
	}
}

// The first stage has the embedding and the all-reduce behind it besides what all have.
func TestFirstStage(t *testing.T) {
	m := ideal(t, "llama-3.1-70b", 2, func(d *Deployment) { d.PP = 4 })
	times := make([]units.Seconds, 4)
	m.StageTimes(prefill(1, 4096), times)
	reduce := 2 * 1.0 / 2 * 4096 * 8192 * 2 / 450e9
	about(t, "what the first stage has besides", float64(times[0]-times[1]), float64(m.embedding(4096).Time)+reduce, 1e-9)
	about(t, "the second stage", float64(times[1]), float64(times[2]), 1e-12)
}

// Each of two tensor-parallel ranks sends its half, and gathers the other one.
// TP groups stay in a server, and every second hand-over leaves it.
func TestHandOver(t *testing.T) {
	d := networked(t, "llama-3.1-70b", 4, 50e9)
	d.PP = 4
	m := build(t, d)
	const rows, message = 100, 100 * 8192 * 2.0
	gather := 3.0 / 4 * message / 450e9
	for i, link := range []float64{450e9, 50e9, 450e9} {
		about(t, "hand-over", float64(m.handOvers[i].time(rows)), 2*(message/4/link+gather), 1e-12)
	}
	d.TP, d.PP = 16, 2
	wide := build(t, d)
	about(t, "between pairs of servers", float64(wide.handOvers[0].time(rows)),
		2*(message/16/50e9+7.0/8*message/450e9+1.0/2*message/8/50e9), 1e-12)
}

// A hand-over between neighbours that a bridge joins, and one between pairs.
func TestHandOverOverBridges(t *testing.T) {
	d := deployment(t, "h100-pcie", "vllm-v1", "llama-3.1-70b", 1)
	d.PP = 4
	m := build(t, d)
	for i, want := range []string{"NVLink4 bridge", "PCIe5 x16", "NVLink4 bridge"} {
		if got := m.handOvers[i].transfers[0].link.Name; got != want {
			t.Errorf("hand-over %d goes over %s, want %s", i, got, want)
		}
	}
}

// The first stage has the embedding, the last the head and the logits; the one
// that holds the fewest tokens limits all.
func TestKVCapacityOfStages(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 1)
	d.PP = 3 // 27, 27 and 26 layers
	m := build(t, d)
	a := m.Deployment().Architecture
	layer := 2 * a.MatrixWeights() / 80
	table := 2 * a.EmbeddingWeights()
	b := m.Memory()
	about(t, "weights of the first stage", float64(b.Weights), 27*layer+table, 1e-9)
	if want := 16 * int(float64(b.KV)/(27*4096*16)); m.Capacity().KVTokens != want {
		t.Errorf("%d tokens, want %d", m.Capacity().KVTokens, want)
	}
	for stage := range 3 {
		if other := m.deployment.stageBudget(stage); other.KV/other.KVPerToken < b.KV/b.KVPerToken {
			t.Errorf("stage %d holds fewer: %+v", stage, other)
		}
	}
}
