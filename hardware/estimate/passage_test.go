package estimate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/units"
)

func TestPassageShare(t *testing.T) {
	for _, c := range []struct {
		prompts float64
		n       int
		want    float64
	}{{0.3, 1, 1}, {7, 1, 1}, {0, 4, 1}, {1e-6, 4, 1}, {4, 4, 0.25}, {40, 4, 0.25}, {1, 2, 0.75}} {
		about(t, "share", passageShare(c.prompts, c.n), c.want, 1e-5)
	}
	rapid.Check(t, func(t *rapid.T) {
		prompts, n := rapid.Float64Range(0, 20).Draw(t, "prompts"), rapid.IntRange(1, 16).Draw(t, "micro-batches")
		more := rapid.Float64Range(0, 5).Draw(t, "more")
		if got := passageShare(prompts, n); got < 1/float64(n)-1e-12 || got > 1+1e-9 {
			t.Fatalf("a share of %v", got)
		}
		if a, b := prompts*passageShare(prompts, n), (prompts+more)*passageShare(prompts+more, n); b < a-1e-9 {
			t.Fatalf("%v prompts hold up less than %v", prompts+more, prompts)
		}
	})
}

// Steps of equal stages follow each other at the distance of one stage.
func TestPassage(t *testing.T) {
	m := hardware.InStages(&hardware.Synthetic{StepFixed: 1}, 4)
	w := &hardware.Work{Prefill: []hardware.Chunk{{Tokens: 4096}}}
	p := newPassage(m)
	step := float64(m.Step(w).Time)
	for i := range 5 {
		p.add(w)
		about(t, "end", float64(p.end()), step*(1+float64(i)/4), 1e-12)
	}
	about(t, "cycle of a long queue", float64(p.cycle(8)), 8*5*step/4, 1e-12)
	about(t, "cycle of one", float64(p.cycle(1)), float64(p.end()), 1e-12)
}

// A batch is served as one micro-batch for each stage: TPOT is the latency of
// its step, and no less than the longest stage allows.
func TestServiceInAPipeline(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4)
	d.PP = 2
	m := build(t, d)
	for _, c := range []struct{ batch, count, rows int }{{1, 1, 1}, {2, 2, 1}, {3, 2, 2}, {64, 2, 32}} {
		q := Question{Prompt: 1, Output: 4000, Batch: c.batch}
		if count, rows := m.microBatches(c.batch); count != c.count || rows != c.rows {
			t.Errorf("a batch of %d is %d of %d", c.batch, count, rows)
		}
		w := m.decodeWork(&q, c.rows)
		times := make([]units.Seconds, 2)
		m.StageTimes(w, times)
		want := max(m.Step(w).Time, units.Seconds(c.count)*max(times[0], times[1]))
		e := Of(m.Model, q)
		about(t, "decode step", e.Decode.TimeMS, want.Milliseconds(), 1e-12)
		about(t, "TPOT", *e.Service.TPOTMS, want.Milliseconds(), 0.01)
		about(t, "throughput", e.Service.OutputThroughput, float64(c.batch)/float64(want), 0.01)
	}
}

// Two stages serve twice the batch of one in the same time, but for the hand-over.
func TestStagesMultiplyThroughput(t *testing.T) {
	one := ideal(t, "llama-3.1-70b", 1)
	two := ideal(t, "llama-3.1-70b", 2)
	at := func(m *deployed, prompt, output, batch int) float64 {
		q := Question{Prompt: prompt, Output: output, Batch: batch}
		return m.serve(q).RequestThroughput
	}
	about(t, "decode", at(two, 1, 2000, 128)/at(one, 1, 2000, 64), 2, 0.05)
	about(t, "prefill", at(two, 1000, 1, 16)/at(one, 1000, 1, 8), 2, 0.05)
	if alone := at(two, 1000, 2000, 1) / at(one, 1000, 2000, 1); math.Abs(alone-1) > 0.01 {
		t.Errorf("a request alone is %v times as fast", alone)
	}
}
