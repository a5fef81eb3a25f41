package roofline

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// overlapping is a model whose steps from a number of tokens on are computed as halves.
func overlapping(t *testing.T, d Deployment, what string, from int) *Model {
	t.Helper()
	d.Engine.MicroBatchOverlap, d.Engine.MicroBatchTokens = what, from
	return build(t, d)
}

// A step in halves is made of two steps of half the work, taken from a model that computes them in one piece each.
func TestHalvesHideTheShorterOfKernelsAndExchanges(t *testing.T) {
	mixtral := deployment(t, "h100-sxm", "vllm-v1", "mixtral-8x7b", 2)
	mixtral.DP, mixtral.EP = 2, 4
	for name, d := range map[string]Deployment{
		"kernels take longer":   deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 8),
		"exchanges take longer": deployment(t, "l40s", "vllm-v1", "llama-3.1-8b", 8),
		"experts":               mixtral,
		"latent attention":      deployment(t, "h200-sxm", "vllm-v1", "deepseek-v3", 8),
	} {
		d.Engine.StepCPU, d.Engine.StepCPUPerSequence, d.Engine.LaunchFloor, d.Engine.LaunchFloorByArchitecture = 0, 0, 0, nil
		whole := build(t, d)
		half, all := decode(256, 2000), decode(512, 2000)
		half.LogitRows, all.LogitRows = 0, 0
		var kernels, links units.Seconds
		for _, o := range whole.Breakdown(half) {
			if o.LinkBytes > 0 {
				links += 2 * o.Time
			} else {
				kernels += 2 * o.Time
			}
		}
		longer, shorter := max(kernels, links), min(kernels, links)
		want := longer + shorter/units.Seconds(2*d.Architecture.Layers)
		got := overlapping(t, d, "exchanges", 0).Step(all).Time
		about(t, name, float64(got), float64(want), 1e-12)
		if (links > kernels) != (name == "exchanges take longer") {
			t.Errorf("%s: kernels %v, exchanges %v", name, kernels, links)
		}
	}
}

// Without overheads a step that only decodes keeps memory busy for what both halves read.
func TestOverlappedKernelsWaitForOneResource(t *testing.T) {
	d := deployment(t, "a100-sxm-80", "ideal", "llama-2-70b", 8)
	m := overlapping(t, d, "all", 0)
	a, bandwidth, peak := &d.Architecture, 8*float64(d.Accelerator.Bandwidth), 8*float64(d.Accelerator.Peak(hardware.FP16))
	for _, c := range []struct {
		name         string
		work         *hardware.Work
		weights      float64 // times that they are read
		compute      float64 // FLOPs
		bytesOfCache float64
	}{
		{"memory decides", &hardware.Work{DecodeRows: 64, DecodeContext: 64 * 4000}, 2, 0, 64 * 4000 * a.KVElements() * 2 * float64(a.Layers)},
		{"compute decides", &hardware.Work{DecodeRows: 1024, DecodeContext: 1024 * 1000, Prefill: []hardware.Chunk{{Tokens: 1024}}}, 0,
			2*2048*a.MatrixWeights() + float64(a.PairFLOPs())*float64(a.Layers)*(1024*1000+1024*1025/2), 0},
	} {
		want := max((c.weights*2*a.MatrixWeights()+c.bytesOfCache)/bandwidth, c.compute/peak)
		got := float64(m.Step(c.work).Time)
		if got < want || got > 1.05*want {
			t.Errorf("%s: %v s, of what it needs most %v", c.name, got, want)
		}
	}
}

func TestSmallStepsAreOfOnePiece(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 8)
	plain, m := build(t, d), overlapping(t, d, "exchanges", 64)
	for rows, halves := range map[int]bool{1: false, 63: false, 64: true} {
		if got := m.Step(decode(rows, 100)).Time != plain.Step(decode(rows, 100)).Time; got != halves {
			t.Errorf("%d sequences: in halves %v", rows, got)
		}
	}
	if m := overlapping(t, d, "exchanges", 0); m.Step(decode(1, 100)).Time != plain.Step(decode(1, 100)).Time {
		t.Error("one token was halved")
	}
}

// Both halves are launched.
func TestHalvesAreLaunchedApart(t *testing.T) {
	d := deployment(t, "h100-sxm", "hf-eager", "llama-3.1-8b", 2)
	d.Engine.StepCPU, d.Engine.StepCPUPerSequence = 0, 0
	d.Engine.LaunchFloor, d.Engine.LaunchFloorByArchitecture = 1, nil
	about(t, "launches", float64(overlapping(t, d, "exchanges", 0).Step(decode(8, 100)).Time), 2*32, 1e-12)
}

// Nobody measured how much kernels that run at the same time slow each other down.
func TestOverlapIsAnAssumption(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 8)
	assumed := func(m *Model) bool {
		return slices.ContainsFunc(m.Estimated(), func(reason string) bool { return strings.HasPrefix(reason, "micro-batches: ") })
	}
	if assumed(build(t, d)) || !assumed(overlapping(t, d, "exchanges", 0)) {
		t.Error("said of steps in one piece, or not of halves")
	}
}

func TestHalvesAreOfOneStage(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4)
	d.PP, d.Engine.MicroBatchOverlap = 2, "all"
	_, err := New(d)
	if e := new(badinput.Error); !errors.As(err, &e) || e.Key != "hardware.pp" {
		t.Errorf("%v", err)
	}
}

// What the shorter resource takes is not seen: its operators are listed with what they add.
func TestBreakdownOfHalves(t *testing.T) {
	m := overlapping(t, deployment(t, "a100-sxm-80", "vllm-v1", "llama-2-70b", 8), "all", 0)
	plain := build(t, deployment(t, "a100-sxm-80", "vllm-v1", "llama-2-70b", 8))
	w := decode(1024, 500)
	alone := map[string]Operator{}
	for _, o := range plain.Breakdown(w) {
		alone[o.Name] = o
	}
	for _, o := range m.Breakdown(w) {
		one := alone[o.Name]
		switch hidden := o.Time < one.Time/50; {
		case o.LinkBytes > 0 && o.Name != "gather of logits" && !hidden:
			t.Errorf("%+v is hidden behind kernels, alone it takes %v", o, one.Time)
		case o.Name == "MLP" && o.Time < one.Time/2:
			t.Errorf("%+v waits for what the step waits for, alone it takes %v", o, one.Time)
		}
		about(t, o.Name+"'s FLOPs", float64(o.FLOPs), float64(one.FLOPs), 1e-12)
		about(t, o.Name+"'s bytes over links", float64(o.LinkBytes), float64(one.LinkBytes), 1e-12)
		if o.Bytes < one.Bytes {
			t.Errorf("%+v reads less than %v", o, one.Bytes)
		}
	}
}
