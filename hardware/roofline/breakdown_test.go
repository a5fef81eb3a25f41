package roofline

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/units"
)

// The same terms are added up in another order.
func TestBreakdownAddsUpToStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyModel(t), anyWork(t)
		m.deployment.Engine.LaunchFloor = units.Seconds(rapid.SampledFrom([]float64{0, 1e-3, 0.1}).Draw(t, "floor"))
		m.floor = units.Seconds(m.deployment.Architecture.Layers) * m.deployment.Engine.LaunchFloor
		if rapid.Bool().Draw(t, "guesses") {
			w.DraftRows = w.DecodeRows * rapid.IntRange(1, 4).Draw(t, "guesses of a sequence")
			w.DraftContext = int64(w.DraftRows) * rapid.Int64Range(1, 100000).Draw(t, "context of guesses")
		}
		want, got := float64(m.Step(w).Time), float64(Total(m.Breakdown(w)))
		if math.Abs(got-want) > 1e-12*want {
			t.Fatalf("operators take %v s, the step %v s", got, want)
		}
	})
}

// No operator is faster than its own FLOPs, bytes and sent bytes allow.
func TestNoOperatorBeatsPhysics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyModel(t), anyWork(t)
		m.deployment.Engine.MicroBatchOverlap = "none" // beside others an operator adds less than it takes
		for i := range m.exchanges {
			m.exchanges[i].fused = nil
		}
		peak := max(m.machine.compute, m.machine.wide)
		for _, o := range m.Breakdown(w) {
			floor := max(o.FLOPs.At(peak), o.Bytes.At(m.machine.bandwidth))
			if link := m.deployment.fastestLink().Bandwidth; o.LinkBytes > 0 {
				floor = max(floor, o.LinkBytes.At(link))
			}
			if o.Time <= 0 || o.Time < floor*(1-1e-12) || o.Bound == "" {
				t.Fatalf("%+v, but physics needs %v", o, floor)
			}
		}
	})
}

func TestBoundsOfOperators(t *testing.T) {
	dense := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4))
	sparse := build(t, deployment(t, "h200-sxm", "vllm-v1", "qwen3-30b-a3b", 1))
	slow := build(t, deployment(t, "h100-sxm", "hf-eager", "llama-3.1-8b", 1))
	for _, c := range []struct {
		m        *Model
		w        *hardware.Work
		operator string
		bound    Bound
	}{
		{dense, prefill(1, 4096), "MLP", ComputeBound},
		{dense, prefill(1, 4096), "all-reduce", LinkBound},
		{dense, prefill(1, 8192), "attention (prefill)", ComputeBound},
		{dense, decode(1, 1000), "MLP", MemoryBound},
		{dense, decode(1, 1000), "all-reduce", LatencyBound},
		{dense, decode(1, 1000), "LM head", MemoryBound},
		{dense, decode(1, 1000), "scheduler", HostBound},
		{dense, decode(128, 8000), "attention (decode)", MemoryBound},
		{sparse, decode(32, 1000), "experts", MemoryBound},
		{slow, decode(1, 100), "waiting for launches", HostBound},
	} {
		found := false
		for _, o := range c.m.Breakdown(c.w) {
			if o.Name == c.operator {
				found = true
				if o.Bound != c.bound {
					t.Errorf("%s is bound by %s, want %s", o.Name, o.Bound, c.bound)
				}
			}
		}
		if !found {
			t.Errorf("no operator %q", c.operator)
		}
	}
}

// A decode step reads all weights of the layers and the head once.
func TestBreakdownCountsTheWeights(t *testing.T) {
	m := ideal(t, "llama-3.1-8b", 1, same)
	var bytes float64
	for _, o := range m.Breakdown(decode(1, 1)) {
		if o.FLOPs > 0 && o.Name != "attention (decode)" {
			bytes += float64(o.Bytes)
		}
	}
	a := m.Deployment().Architecture
	about(t, "bytes of the products", bytes, 2*(a.MatrixWeights()+a.EmbeddingWeights()), 1e-3)
}

// What each of the accelerators sends, over all of them, is what the step sends.
func TestBreakdownCountsTheLinks(t *testing.T) {
	const tp, hidden = 4, 8192
	m := ideal(t, "llama-3.1-70b", tp, same)
	w := decode(10, 100)
	w.LogitRows = 0
	var bytes float64
	for _, o := range m.Breakdown(w) {
		bytes += float64(o.LinkBytes)
	}
	// Two all-reduces a layer and one for the embedding, of hidden states of 16 bits.
	about(t, "bytes that an accelerator sends", bytes, (2*80+1)*2*(tp-1)/float64(tp)*10*hidden*2, 1e-12)
	about(t, "bytes on all links", tp*bytes, float64(m.Step(w).LinkBytes), 1e-12)
}

// Queries and keys of every head meet, and weights and values: 4*heads*width FLOPs
// for each token that a token or a guess attends to.
func TestBreakdownCountsGuesses(t *testing.T) {
	m := ideal(t, "llama-3.1-8b", 1, same)
	w := decode(3, 1000)
	w.DraftRows, w.DraftContext = 6, 6*1001
	for _, o := range m.Breakdown(w) {
		if o.Name == "attention (decode)" {
			about(t, "FLOPs of attention", float64(o.FLOPs), 32*4*32*128*(3*1000+6*1001), 1e-12)
			return
		}
	}
	t.Error("no attention")
}

func TestNothingTakesNoTime(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	if got := m.Breakdown(&hardware.Work{}); got != nil {
		t.Errorf("nothing to do: %+v", got)
	}
}

// Every operator's time is bound by one thing, so the times add up to the step.
func TestBoundsAddUpToStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyModel(t), anyWork(t)
		b, _ := m.Bounds(w)
		want, got := float64(m.Step(w).Time), float64(b.Total())
		if math.Abs(got-want) > 1e-12*want {
			t.Fatalf("%+v is %v s, the step %v s", b, got, want)
		}
	})
}
