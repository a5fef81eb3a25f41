package roofline

import (
	"math"
	"sync"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

func TestIdealDecodeIsTheRoofline(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "ideal", "llama-3.1-8b", 1))
	got := m.Step(decode(1, 1000))
	// Weights of all layers and the LM head, keys and values, once, at full
	// bandwidth; activations add a little.
	a := m.Deployment().Architecture
	bytes := 2*(a.MatrixWeights()+a.EmbeddingWeights()) + 1000*131072 + 2*4096
	if float64(got.Bytes) != bytes {
		t.Errorf("%v bytes, want %v", float64(got.Bytes), bytes)
	}
	if floor := bytes / 3.35e12; float64(got.Time) < floor || float64(got.Time) > 1.01*floor {
		t.Errorf("%v, the roofline is %v s", got.Time, floor)
	}
	if want := a.DecodeFLOPs(1000); math.Abs(float64(got.FLOPs/want)-1) > 1e-12 {
		t.Errorf("%v FLOPs, want %v", got.FLOPs, want)
	}
}

func TestFLOPsAreWantedTokensOnly(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	clean := m.Step(&hardware.Work{Prefill: []hardware.Chunk{{Context: 300, Tokens: 500}}})
	dirty := m.Step(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 900, Recomputed: 300, Padding: 100}}, PaddingRows: 7})
	if clean.FLOPs != dirty.FLOPs || clean.Bytes > dirty.Bytes || clean.Time >= dirty.Time {
		t.Errorf("clean %+v, with recomputed tokens and padding %+v", clean, dirty)
	}
	rectangle := m.Step(&hardware.Work{DecodeRows: 16, DecodeContext: 16 * 3000, LogitRows: 16})
	padded := m.Step(&hardware.Work{DecodeRows: 16, DecodeContext: 3000 + 15*100, PaddingContext: 15 * 2900, LogitRows: 16})
	if padded.Time != rectangle.Time || padded.Bytes >= rectangle.Bytes || padded.FLOPs >= rectangle.FLOPs {
		t.Errorf("16 sequences of 3000 tokens %+v, one of them and 15 of 100 with padding %+v", rectangle, padded)
	}
	if got := m.Step(&hardware.Work{}); got != (hardware.Cost{}) {
		t.Errorf("no work costs %+v", got)
	}
}

func TestHostsShareOfAStep(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	d.Engine.StepCPU, d.Engine.StepCPUPerSequence = 0, 0
	gpu := build(t, d).Step(decode(10, 100)).Time
	d.Engine.StepCPU, d.Engine.StepCPUPerSequence = 20e-3, 1e-3
	if got := build(t, d).Step(decode(10, 100)).Time; math.Abs(float64(got-gpu-30e-3)) > 1e-12 {
		t.Errorf("host %v after %v of kernels", got-gpu, gpu)
	}
	d.Engine.StepCPUPerAccelerator = 5e-3
	if got := build(t, d).Step(decode(10, 100)).Time; math.Abs(float64(got-gpu-30e-3)) > 1e-12 {
		t.Errorf("host %v after %v of kernels, with no other accelerator to call", got-gpu, gpu)
	}
	four := d
	four.TP, four.Engine.Overlap = 4, true
	if got := build(t, four).Step(decode(10, 100)).Time; math.Abs(float64(got-45e-3)) > 1e-12 {
		t.Errorf("overlapped: %v, want the host's 30 ms and 5 ms for each of three others", got)
	}
	d.Engine.Overlap = true
	if got := build(t, d).Step(decode(10, 100)).Time; math.Abs(float64(got-30e-3)) > 1e-12 {
		t.Errorf("overlapped: %v, want the host's 30 ms", got)
	}
	d.Engine.LaunchFloor = 2e-3
	if got := build(t, d).Step(decode(10, 100)).Time; math.Abs(float64(got-64e-3)) > 1e-12 {
		t.Errorf("32 layers at 2 ms a launch: %v", got)
	}
}

// Eager engines launch a layer no faster on eight accelerators than on four.
func TestLaunchFloorStopsTensorParallelism(t *testing.T) {
	step := func(engine string, tp int) units.Seconds {
		d := deployment(t, "a100-sxm-80", engine, "llama-2-70b", tp)
		d.MaxNumBatchedTokens = 2048
		return build(t, d).Step(decode(1, 576)).Time
	}
	if four, eight := step("vllm-v0-2023", 4), step("vllm-v0-2023", 8); math.Abs(float64(eight/four)-1) > 0.02 {
		t.Errorf("eager: %v on 4, %v on 8", four, eight)
	}
	if four, eight := step("vllm-v1", 4), step("vllm-v1", 8); eight/four < 0.55 || eight/four > 0.8 {
		t.Errorf("CUDA graphs: %v on 4, %v on 8", four, eight)
	}
}

func TestQuantization(t *testing.T) {
	base := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1)
	time := func(w, a hardware.Precision, work *hardware.Work) units.Seconds {
		d := base
		d.Weights, d.Activations = w, a
		return build(t, d).Step(work).Time
	}
	small, large := decode(1, 100), prefill(1, 8192)
	if wide, narrow := time("bf16", "bf16", small), time("int4", "bf16", small); narrow >= wide {
		t.Errorf("decode: int4 weights %v, bf16 %v", narrow, wide)
	}
	// Weight-only quantization computes at the activations' peak: no gain on a
	// long prompt, unlike fp8.
	wide, narrow, fp8 := time("bf16", "bf16", large), time("int4", "bf16", large), time("fp8", "fp8", large)
	if narrow < 0.8*wide || fp8 > 0.9*wide {
		t.Errorf("prefill: bf16 %v, int4 weights %v, fp8 %v", wide, narrow, fp8)
	}
}

// Data-parallel groups verify their shares of the guesses: two groups take as long as one
// with half of the sequences, in layers with a window too.
func TestGroupsShareTheGuesses(t *testing.T) {
	work := func(groups int) *hardware.Work {
		w := decode(16*groups, 4000)
		w.DraftRows = 5 * w.DecodeRows
		w.DraftContext = int64(w.DraftRows) * 4003
		return w
	}
	for _, name := range []string{"qwen3-30b-a3b", "gpt-oss-20b"} {
		one := ideal(t, name, 1, same)
		two := ideal(t, name, 1, func(d *Deployment) { d.DP, d.EP = 2, 2 })
		half, whole := one.decodeTime(&one.decode, work(1)), two.decodeTime(&two.decode, work(2))
		about(t, name, float64(whole), float64(half), 1e-12)
	}
}

// A prompt too short to fill the accelerator leaves room for a second one, which then takes
// no time in attention; of two long ones each takes its own.
func TestShortPromptsFillTheAccelerator(t *testing.T) {
	for _, name := range []string{"llama-3.1-8b", "gpt-oss-20b"} {
		m := build(t, deployment(t, "rtx-pro-6000", "vllm-v1", name, 1))
		if m.prefill.efficiency.Fill == 0 {
			t.Fatal("nothing says how much fills the accelerator")
		}
		short, long := prefill(1, 16).Prefill[0], prefill(1, 8192).Prefill[0]
		one, two := m.prefillTime([]hardware.Chunk{short}), m.prefillTime([]hardware.Chunk{short, short})
		if one != two {
			t.Errorf("%s: a short prompt takes %v, two take %v", name, one, two)
		}
		one, two = m.prefillTime([]hardware.Chunk{long}), m.prefillTime([]hardware.Chunk{long, long})
		about(t, name+", two long ones", float64(two), 2*float64(one), 0.01)
	}
}

// Beside a prompt the decode kernel reads keys and values again, half as often as there are
// query heads for each of them: 32 to 8 heads, twice. Alone it reads them once.
func TestMixedStepsReadAgain(t *testing.T) {
	m := build(t, deployment(t, "l40s", "vllm-v1", "llama-3.1-8b", 1))
	perToken := func(w hardware.Work) float64 {
		longer := w
		longer.DecodeContext += 1e6
		return float64(m.Step(&longer).Time-m.Step(&w).Time) / 1e6
	}
	alone := *decode(16, 4000)
	beside := alone
	beside.Prefill = []hardware.Chunk{{Tokens: 512}}
	about(t, "time of a token of context beside a prompt", perToken(beside), 2*perToken(alone), 1e-6)
}

func TestLinkBytes(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 4))
	got := m.Step(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 10}}}).LinkBytes
	// Two all-reduces a layer and one for the embedding; each accelerator sends
	// 2*3/4 of 10 hidden states of 16 bits.
	if want := units.Bytes(65 * 4 * 2 * 3.0 / 4 * 10 * 4096 * 2); got != want {
		t.Errorf("%v over the link, want %v", float64(got), float64(want))
	}
}

func TestModelIsSafeForConcurrentUse(t *testing.T) {
	m := build(t, deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1))
	var workers sync.WaitGroup
	costs := make([]units.Seconds, 8)
	for i := range costs {
		workers.Go(func() {
			for n := 1; n < 500; n++ {
				costs[i] += m.Step(decode(n, 100)).Time
			}
		})
	}
	workers.Wait()
	for _, c := range costs {
		if c != costs[0] {
			t.Errorf("%v and %v", c, costs[0])
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	for _, model := range []string{"llama-3.1-8b", "gpt-oss-20b"} {
		m := build(t, deployment(t, "h100-sxm", "vllm-v1", model, 4))
		for name, w := range map[string]*hardware.Work{"decode": decode(64, 700), "prefill": prefill(4, 500), "beyond the memo": prefill(2, memoTokens)} {
			if n := testing.AllocsPerRun(100, func() { m.Step(w) }); n != 0 {
				t.Errorf("%s, %s: %v allocations", model, name, n)
			}
		}
	}
}

func BenchmarkDecodeStep(b *testing.B) {
	m := build(b, deployment(b, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4))
	w := decode(64, 700)
	b.ReportAllocs()
	for b.Loop() {
		m.Step(w)
	}
}

func BenchmarkMixedStep(b *testing.B) {
	m := build(b, deployment(b, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4))
	w := decode(64, 700)
	w.Prefill = []hardware.Chunk{{Tokens: 512}, {Context: 512, Tokens: 512}}
	b.ReportAllocs()
	for b.Loop() {
		m.Step(w)
	}
}

func BenchmarkNew(b *testing.B) {
	d := deployment(b, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4)
	for b.Loop() {
		if _, err := New(d); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	d := deployment(b, "h100-sxm", "vllm-v1", "llama-3.1-70b", 4)
	for b.Loop() {
		if _, err := d.Resolve(); err != nil {
			b.Fatal(err)
		}
	}
}
