package estimate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/units/badinput"
)

// anyQuestion draws a question that the model can answer.
func anyQuestion(t *rapid.T, m *deployed) Question {
	q := Question{
		Prompt:  rapid.IntRange(1, 30000).Draw(t, "prompt"),
		Output:  rapid.IntRange(1, 2000).Draw(t, "output"),
		Context: rapid.SampledFrom([]int{0, 0, 100, 5000}).Draw(t, "context"),
		Batch:   1,
	}
	limit := m.deployment.MaxModelLen
	q.Prompt, q.Output = min(q.Prompt, limit/2), min(q.Output, limit/4)
	q.Context = min(q.Context, limit-q.Prompt-q.Output)
	q.Batch = rapid.IntRange(1, min(256, m.users(q.Length()))).Draw(t, "batch")
	if err := Check(m.Model, q); err != nil {
		t.Fatal(err)
	}
	return q
}

func TestFloorIsNeverAboveExpected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyDeployment(t)
		e := Of(m.Model, anyQuestion(t, m))
		for _, p := range []*Phase{&e.Prefill, e.PrefillBatch, e.Decode} {
			if p == nil {
				continue
			}
			if !(0 < p.FloorMS && p.FloorMS <= p.TimeMS*(1+1e-12)) || p.FloorBound == "" {
				t.Fatalf("floor %v of %v ms, bound by %q", p.FloorMS, p.TimeMS, p.FloorBound)
			}
			if p.MBU <= 0 || p.MBU > 1+1e-12 || p.MFU <= 0 {
				t.Fatalf("MBU %v, MFU %v", p.MBU, p.MFU)
			}
			checkShares(t, p)
		}
	})
}

// checkShares demands that a phase's operators account for all of its time.
func checkShares(t *rapid.T, p *Phase) {
	var ms, share float64
	for _, o := range p.Operators {
		ms, share = ms+o.TimeMS, share+o.Share
	}
	if p.Operators != nil && (math.Abs(ms/p.TimeMS-1) > 1e-12 || math.Abs(share-1) > 1e-12) {
		t.Fatalf("operators take %v of %v ms, shares %v", ms, p.TimeMS, share)
	}
}

// One sequence alone: the sum over its steps, as the engine would do them.
func TestServiceOfOneIsItsSteps(t *testing.T) {
	for _, name := range []string{"llama-3.1-8b", "qwen3-30b-a3b"} {
		m := build(t, deployment(t, "h200-sxm", "vllm-v1", name, 1))
		q := Question{Prompt: 1000, Output: 200, Batch: 1}
		s := Of(m.Model, q).Service
		want := m.RequestTime(1000) + m.Step(rested(prefill(1, 1000))).Time
		for context := 1001; context < 1200; context++ {
			want += m.Step(&hardware.Work{DecodeRows: 1, DecodeContext: int64(context), LogitRows: 1}).Time
		}
		about(t, name+" E2EL", s.E2ELMS, want.Milliseconds(), 1e-9)
		about(t, name+" identity", s.TTFTMS+199**s.TPOTMS, s.E2ELMS, 1e-12)
	}
}

// rested is the work where the accelerator has had no prompts for a long time.
func rested(w *hardware.Work) *hardware.Work {
	w.Rested = 1e9
	return w
}

// Prompts longer than a step's budget are computed in chunks; several short ones
// share a step.
func TestPrefillSteps(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	at := func(prompt, batch int) Report {
		return Of(m.Model, Question{Prompt: prompt, Output: 10, Batch: batch})
	}
	frontEnd := func(n int) float64 { return m.RequestTime(n).Milliseconds() }
	about(t, "four in one step", at(2048, 4).PrefillBatch.TimeMS, m.Step(rested(prefill(4, 2048))).Time.Milliseconds()+frontEnd(2048), 1e-12)
	behind := m.Step(rested(prefill(4, 2048))).Time + m.Step(prefill(4, 2048)).Time
	about(t, "eight in two", at(2048, 8).PrefillBatch.TimeMS, behind.Milliseconds()+frontEnd(2048), 1e-12)
	first := prefill(1, 8192)
	first.LogitRows = 0
	second := prefill(1, 8192)
	second.Prefill[0].Context = 8192
	want := m.Step(rested(first)).Time + m.Step(second).Time
	about(t, "one in two", at(16384, 1).Prefill.TimeMS, want.Milliseconds()+frontEnd(16384), 1e-12)
}

func TestServiceIdentities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyDeployment(t)
		q := anyQuestion(t, m)
		s, o := m.serve(q), m.occupy(&q)
		n, batch := float64(q.Output), float64(q.Batch)
		equal := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
		if q.Output > 1 {
			equal("E2EL", s.TTFTMS+(n-1)**s.TPOTMS, s.E2ELMS)
		}
		before := (m.RequestTime(q.Prompt) + m.wait(&q, &o)).Milliseconds()
		equal("Little's law", s.RequestThroughput*(s.E2ELMS-before)/1e3, batch)
		equal("tokens", s.OutputThroughput, n*s.RequestThroughput)
		p := s.Price
		equal("price", n*p.PerOutput, float64(q.Prompt)*p.Prompts+n*p.Generated)
		equal("rent", p.PerOutput*s.OutputThroughput*3600/1e6, 3*float64(m.deployment.Accelerators()))
		a, count := m.deployment.Accelerator, float64(m.deployment.Accelerators())
		if watts := s.EnergyJPerToken * s.OutputThroughput / count; watts < a.IdleWatts*(1-1e-12) || watts > a.TDPWatts*(1+1e-12) {
			t.Fatalf("%v W, idle %v, TDP %v", watts, a.IdleWatts, a.TDPWatts)
		}
	})
}

// The largest batch meets what was asked; one more does not.
func TestLargestBatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyDeployment(t)
		q := anyQuestion(t, m)
		alone := q
		alone.Batch = 1
		q.TTFT = m.occupy(&alone).own * 3
		q.TPOT = m.occupy(&alone).tpot * 2
		batch, limit := m.largestBatch(q)
		meets := func(n int) bool {
			q.Batch = n
			s := m.serve(q)
			return s.meetsTTFT(&q) && s.meetsTPOT(&q)
		}
		if batch > 0 && !meets(batch) {
			t.Fatalf("%d sequences do not meet the objectives", batch)
		}
		slots, _ := m.deployment.StepSequences()
		switch most := min(m.users(q.Length()), slots); {
		case batch > most:
			t.Fatalf("%d sequences, only %d fit", batch, most)
		case batch < most && meets(batch+1):
			t.Fatalf("%d sequences, limited by %s, but one more meets them", batch, limit)
		}
	})
}

func TestLimits(t *testing.T) {
	h100 := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	for _, c := range []struct {
		name  string
		m     *deployed
		q     Question
		limit string
		none  bool
	}{
		{"short", h100, Question{Prompt: 100, Output: 100}, "max_num_seqs", false},
		{"long", h100, Question{Prompt: 60000, Output: 100}, "KV memory", false},
		{"TPOT", h100, Question{Prompt: 1000, Output: 200, TPOT: 0.02}, "TPOT objective", false},
		{"TTFT", h100, Question{Prompt: 1000, Output: 200, TTFT: 0.05}, "TTFT objective", false},
		{"tight TPOT", h100, Question{Prompt: 1000, Output: 200, TPOT: 0.001}, "not even one sequence meets the TPOT objective", true},
		{"tight TTFT", h100, Question{Prompt: 1000, Output: 200, TTFT: 0.001}, "not even one sequence meets the TTFT objective", true},
	} {
		c.q.Batch = 1
		if e := Of(c.m.Model, c.q); e.Limit != c.limit || (e.Largest == nil) != c.none {
			t.Errorf("%s: %+v, limited by %q, want %q", c.name, e.Largest, e.Limit, c.limit)
		}
	}
}

func TestUsersAreCountedInWholeBlocks(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	d.KVTokens = 1600
	m := build(t, d)
	for tokens, want := range map[int]int{16: 100, 17: 50, 1600: 1, 1601: 0} {
		t.Run(fmt.Sprint(tokens), func(t *testing.T) {
			if got := m.users(tokens); got != want {
				t.Errorf("%d users of %d tokens, want %d", got, tokens, want)
			}
		})
	}
}

func TestCheckSaysWhatIsWrong(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	d.KVTokens = 32000
	m := build(t, d)
	for want, q := range map[string]Question{
		"prompt = 0: too few":    {Prompt: 0, Output: 1, Batch: 1},
		"output = -1: too few":   {Prompt: 1, Output: -1, Batch: 1},
		"batch = 0: too few":     {Prompt: 1, Output: 1},
		"context = -1: too few":  {Prompt: 1, Output: 1, Batch: 1, Context: -1},
		"at most 131072 tokens":  {Prompt: 131072, Output: 1, Batch: 1},
		"at most 131072 token":   {Prompt: math.MaxInt, Output: math.MaxInt, Batch: 1},
		"with output 1 and cont": {Prompt: 30000, Output: 1, Batch: 1, Context: 3000},
		"at most 32000 tokens":   {Prompt: 32000, Output: 1, Batch: 1},
		"allowed: 1 to 31":       {Prompt: 1000, Output: 24, Batch: 32},
	} {
		t.Run(want, func(t *testing.T) {
			var bad *badinput.Error
			if err := Check(m.Model, q); !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v, want %q", q, err, want)
			}
		})
	}
}

func TestChat(t *testing.T) {
	phone := deployment(t, "apple-m4-max", "ideal", "llama-3.1-8b", 1)
	phone.Weights = "int4"
	for _, c := range []struct {
		d       roofline.Deployment
		prompt  int
		instant bool
	}{
		{phone, 200, true},
		{phone, 8000, false}, // the first token takes seconds
		{deployment(t, "epyc-9654", "ideal", "llama-3.1-70b", 1), 10, false}, // slower than reading
	} {
		m := build(t, c.d)
		got := Of(m.Model, Question{Prompt: c.prompt, Output: 100, Batch: 1}).Chat
		if got.FeelsInstant != c.instant {
			t.Errorf("%s: %+v", c.d.Accelerator.Name, got)
		}
		if got.WithSecond == nil || *got.WithSecond > got.TokensPerSecond || *got.WithSecond < got.TokensPerSecond/2 {
			t.Errorf("%s: with a second chat %+v", c.d.Accelerator.Name, got)
		}
	}
}

func TestEstimateIsJSON(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	d.Accelerator.USDPerHour = 3
	m := build(t, d)
	for _, output := range []int{1, 100} {
		text, err := json.Marshal(Of(m.Model, Question{Prompt: 100, Output: output, Batch: 2}))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{`"prompt":100`, `"floor_ms"`, `"operator":"MLP"`, `"kv_tokens"`, `"usd_per_million_output_tokens"`, `"estimated"`} {
			if !strings.Contains(string(text), key) {
				t.Errorf("no %s in %s", key, text)
			}
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	m := build(b, deployment(b, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4))
	for b.Loop() {
		Of(m.Model, Question{Prompt: 1024, Output: 256, Batch: 64, TPOT: 0.05})
	}
}

// No operator is faster than its accelerator, also in a pipeline whose stages work at the
// same time.
func TestOperatorsStayBelowTheRoof(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyDeployment(t)
		d := m.Deployment()
		q := Question{Prompt: rapid.IntRange(1, 20000).Draw(t, "prompt"), Output: 8, Batch: rapid.IntRange(1, 64).Draw(t, "batch")}
		e := Of(m.Model, q)
		fastest := 0.0
		for _, p := range d.ComputeTypes() {
			fastest = max(fastest, float64(d.Accelerator.Peak(p)))
		}
		for _, p := range []*Phase{&e.Prefill, e.Decode} {
			for _, o := range p.Operators {
				if roof := min(fastest, o.FLOPs/o.Bytes*float64(d.Accelerator.Bandwidth)); o.FLOPs > 0 && o.FLOPsPerSecond > roof*(1+1e-9) {
					t.Fatalf("%s on %s, pp %d: %s at %g FLOP/s of %g", d.Architecture.Name, d.Accelerator.Name, d.PP, o.Name, o.FLOPsPerSecond, roof)
				}
			}
		}
	})
}
