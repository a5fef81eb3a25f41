package roofline

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// anyModel draws a deployment that works, from the whole catalog.
func anyModel(t *rapid.T) *Model {
	d := deployment(t,
		rapid.SampledFrom(hardware.Accelerators()).Draw(t, "accelerator"),
		rapid.SampledFrom(hardware.Engines()).Draw(t, "engine"),
		rapid.SampledFrom(model.Names()).Draw(t, "model"), 1)
	d = d.withDefaults()
	d.TP = rapid.SampledFrom(d.workingTPs()).Draw(t, "tp")
	drawParallelism(t, &d)
	if d.Engine.FusedSums = rapid.Bool().Draw(t, "fused sums"); d.PP == 1 && !d.Engine.FusedSums {
		d.Engine.MicroBatchOverlap = rapid.SampledFrom([]string{"none", "exchanges", "all", "shared"}).Draw(t, "overlap")
		d.Engine.MicroBatchTokens = rapid.SampledFrom([]int{0, 256}).Draw(t, "from tokens")
	}
	wide := rapid.SampledFrom(d.computable())
	d.Activations = wide.Draw(t, "activations")
	d.Weights = rapid.SampledFrom(slices.DeleteFunc(hardware.Precisions(), func(p hardware.Precision) bool {
		return p.Bytes() > d.Activations.Bytes()
	})).Draw(t, "weights")
	d.KV = rapid.SampledFrom(hardware.Precisions()).Draw(t, "kv")
	d.KVTokens = 1 << 20
	d.Accelerator.Memory = 1 << 50 // time does not depend on what fits
	m, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drawParallelism shares the replica further where links and experts allow it.
func drawParallelism(t *rapid.T, d *Deployment) {
	works := func(pp, dp, ep int) bool {
		other := *d
		other.PP, other.DP, other.EP = pp, dp, ep
		return other.checkParallelism() == nil
	}
	var choices [][3]int
	for _, pp := range []int{1, 2, 3} {
		for _, dp := range []int{1, 2, 4} {
			for _, ep := range []int{1, 2, 4, 8} {
				if works(pp, dp, ep) {
					choices = append(choices, [3]int{pp, dp, ep})
				}
			}
		}
	}
	c := rapid.SampledFrom(choices).Draw(t, "pp, dp, ep")
	d.PP, d.DP, d.EP = c[0], c[1], c[2]
	d.Engine.ExpertImbalance = rapid.SampledFrom([]float64{1, 1.5}).Draw(t, "imbalance")
}

func anyWork(t *rapid.T) *hardware.Work {
	w := &hardware.Work{
		DecodeRows:  rapid.IntRange(0, 512).Draw(t, "rows"),
		PaddingRows: rapid.IntRange(0, 16).Draw(t, "padding rows"),
	}
	if w.DecodeRows > 0 {
		w.DecodeContext = int64(w.DecodeRows) * rapid.Int64Range(1, 100000).Draw(t, "context")
	}
	for range rapid.IntRange(0, 4).Draw(t, "chunks") {
		n := rapid.IntRange(1, 20000).Draw(t, "tokens")
		recomputed := rapid.IntRange(0, n).Draw(t, "recomputed")
		w.Prefill = append(w.Prefill, hardware.Chunk{Context: rapid.IntRange(0, 100000).Draw(t, "before"), Tokens: n,
			Recomputed: recomputed, Padding: rapid.IntRange(0, n-recomputed).Draw(t, "padding")})
	}
	w.DecodeWindowContext = min(w.DecodeContext, int64(w.DecodeRows)*1024)
	w.LogitRows = rapid.IntRange(0, w.DecodeRows+len(w.Prefill)).Draw(t, "logits")
	return w
}

func TestNoStepBeatsPhysics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyModel(t), anyWork(t)
		got, c := m.Step(w), m.Capacity()
		// Attention and the LM head of a quantized model run at the wide peak,
		// which may be the higher one.
		peak := max(float64(c.PeakCompute), float64(m.machine.wide)*float64(m.deployment.Accelerators()))
		floor := max(float64(got.Bytes)/float64(c.PeakBandwidth), float64(got.FLOPs)/peak)
		if w.Tokens() > 0 && float64(got.Time) < floor*(1-1e-12) || math.IsNaN(float64(got.Time)) {
			t.Fatalf("%v, but physics needs %v s", got.Time, floor)
		}
		if c.PeakLink > 0 && float64(got.LinkBytes)/float64(c.PeakLink) > float64(got.Time) {
			t.Fatalf("%v for %v over the link", got.Time, got.LinkBytes)
		}
	})
}

func TestMoreWorkTakesNoLessTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyModel(t), anyWork(t)
		w.DecodeRows, w.DecodeContext = w.DecodeRows+1, w.DecodeContext+1
		w.Prefill = append(w.Prefill, hardware.Chunk{Tokens: 1})
		before := m.Step(w)
		for name, add := range map[string]func(*hardware.Work){
			"a padding row":    func(w *hardware.Work) { w.PaddingRows++ },
			"a row of logits":  func(w *hardware.Work) { w.LogitRows++ },
			"context":          func(w *hardware.Work) { w.DecodeContext += 1000 },
			"a decoding row":   func(w *hardware.Work) { w.DecodeRows, w.DecodeContext = w.DecodeRows+1, w.DecodeContext+1 },
			"a prompt's token": func(w *hardware.Work) { w.Prefill[0].Tokens++ },
			"a prompt's past":  func(w *hardware.Work) { w.Prefill[0].Context++ },
		} {
			more := *w
			more.Prefill = slices.Clone(w.Prefill)
			add(&more)
			if m.splits(m.groupTokens(w)) != m.splits(m.groupTokens(&more)) {
				continue // in two halves a step may take less than in one piece, whatever the token more
			}
			after := m.Step(&more)
			if after.Time < before.Time*(1-1e-12) || after.Bytes < before.Bytes || after.FLOPs < before.FLOPs || after.LinkBytes < before.LinkBytes {
				t.Fatalf("%s: %+v after %+v", name, after, before)
			}
		}
	})
}

// Of two accelerators that differ in one number the faster one takes no longer for any step,
// since every operator is bound by maxima and sums of what its parts take.
func TestFasterAcceleratorsTakeNoMoreTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyModel(t), anyWork(t)
		before, factor := m.Step(w), rapid.Float64Range(1, 10).Draw(t, "factor")
		for name, faster := range map[string]func(*hardware.Accelerator){
			"memory": func(a *hardware.Accelerator) { a.Bandwidth *= units.BytesPerSecond(factor) },
			"link":   func(a *hardware.Accelerator) { a.ScaleUp.Bandwidth *= units.BytesPerSecond(factor) },
			"compute": func(a *hardware.Accelerator) {
				for _, peak := range []*float64{&a.FP32TFLOPS, &a.TF32TFLOPS, &a.BF16TFLOPS, &a.FP16TFLOPS, &a.FP8TFLOPS, &a.INT8TFLOPS, &a.FP4TFLOPS, &a.INT4TFLOPS} {
					*peak *= factor
				}
			},
		} {
			d := m.deployment
			faster(&d.Accelerator)
			other, err := New(d)
			if err != nil {
				t.Fatal(err)
			}
			if after := other.Step(w); after.Time > before.Time*(1+1e-12) || after.Bytes != before.Bytes || after.FLOPs != before.FLOPs {
				t.Errorf("%.3g times the speed of the %s: %+v after %+v", factor, name, after, before)
			}
		}
	})
}

// At a fixed batch a decode step is affine in the summed context, but for the
// engine's max(): between any three points on one side of it.
func TestDecodeIsAffineInContext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyModel(t)
		m.deployment.Engine.Overlap, m.floor, m.promptFloor = false, 0, 0
		m.deployment.Engine.MicroBatchOverlap = "none"
		rows := rapid.IntRange(1, 512).Draw(t, "rows")
		base := rapid.Int64Range(int64(rows), 1<<22).Draw(t, "context")
		span := rapid.Int64Range(1, 1<<20).Draw(t, "span")
		at := func(context int64) float64 {
			return float64(m.Step(&hardware.Work{DecodeRows: rows, DecodeContext: context, DecodeWindowContext: int64(rows), LogitRows: rows}).Time)
		}
		low, middle, high := at(base), at(base+span), at(base+2*span)
		if math.Abs((high-middle)-(middle-low)) > 1e-12*high {
			t.Fatalf("%v, %v, %v", low, middle, high)
		}
	})
}

// A prompt computed whole, or in pieces, moves at least as many bytes and does
// exactly as many FLOPs.
func TestChunksDoTheSameWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := chunkModel(t)
		n := rapid.IntRange(2, 8192).Draw(t, "tokens")
		cut := rapid.IntRange(1, n-1).Draw(t, "cut")
		whole := m.Step(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: n}}})
		first := m.Step(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: cut}}})
		second := m.Step(&hardware.Work{Prefill: []hardware.Chunk{{Context: cut, Tokens: n - cut}}})
		if sum := first.FLOPs + second.FLOPs; math.Abs(float64(sum/whole.FLOPs)-1) > 1e-12 {
			t.Fatalf("%v FLOPs in pieces, %v whole", sum, whole.FLOPs)
		}
		if first.Time+second.Time < whole.Time || first.Bytes+second.Bytes < whole.Bytes {
			t.Fatalf("cheaper in pieces: %+v and %+v, whole %+v", first, second, whole)
		}
	})
}

func chunkModel(t *rapid.T) *Model {
	m, err := New(deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
