package roofline

import (
	"math"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// ideal is a deployment on the roofline itself, with room for anything.
func ideal(t *testing.T, name string, tp int, change func(*Deployment)) *Model {
	t.Helper()
	d := deployment(t, "h200-sxm", "ideal", name, tp)
	d.Accelerator.Memory = 1 << 50
	change(&d)
	return build(t, d)
}

func same(*Deployment) {}

func about(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got/want-1) > tolerance {
		t.Errorf("%s: %.6g, want %.6g", what, got, want)
	}
}

// One accelerator has the whole of every model's attention.
func TestOneAcceleratorHasAllMatrices(t *testing.T) {
	for _, name := range model.Names() {
		a, err := model.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		var want float64
		for _, m := range a.AttentionMatrices() {
			want += float64(m.Elements())
		}
		for _, m := range a.IndexMatrices() {
			want += float64(m.Elements())
		}
		s := (&Deployment{Architecture: a, TP: 1, DP: 1, EP: 1, PP: 1}).shard()
		about(t, name, elements(s.attention)+elements(s.index), want, 1e-12)
		if got, want := elements(s.linear), model.Elements(a.LinearMatrices()); got != want {
			t.Errorf("%s: %v weights around linear attention, want %v", name, got, want)
		}
	}
}

// A step touches the experts that its tokens are sent to, and no others.
func TestStepTouchesDistinctExperts(t *testing.T) {
	m := ideal(t, "qwen3-30b-a3b", 1, same)
	a := m.Deployment().Architecture
	expert := 3 * 2048 * 768 * 2.0
	bytes := func(rows int) float64 { return float64(m.Step(decode(rows, 1)).Bytes) }
	kv := float64(a.KVBytesPerToken(hardware.BF16)) + 2*2048 // and a row of the embedding
	about(t, "two tokens over one", bytes(2)-bytes(1)-kv, 48*expert*(a.Experts.Distinct(2)-8), 1e-9)
	about(t, "all experts", bytes(4096)-bytes(2048)-2048*kv, 48*expert*(a.Experts.Distinct(4096)-a.Experts.Distinct(2048)), 1e-3)
	// A decode step on the roofline takes what it reads.
	got := m.Step(decode(1, 1000))
	about(t, "one sequence", float64(got.Time), float64(got.Bytes)/4.8e12, 0.02)
	about(t, "active FLOPs", float64(got.FLOPs), float64(a.DecodeFLOPs(1000)), 1e-9)
}

func TestBusiestExpertsSetThePace(t *testing.T) {
	step := func(ep int, imbalance float64) units.Seconds {
		return ideal(t, "qwen3-30b-a3b", 4, func(d *Deployment) { d.EP, d.Engine.ExpertImbalance = ep, imbalance }).Step(prefill(1, 8192)).Time
	}
	if split, whole := step(1, 1), step(4, 1); math.Abs(float64(split/whole)-1) > 0.05 {
		t.Errorf("experts split %v, shared %v: the same products", split, whole)
	}
	if even, skewed := step(4, 1), step(4, 1.5); skewed <= even {
		t.Errorf("balanced %v, half more on the busiest %v", even, skewed)
	}
	if without, with := step(1, 1), step(1, 1.5); without != with {
		t.Errorf("nothing is shared: %v and %v", without, with)
	}
}

// The busiest group of accelerators reads no more experts than it has, however many tokens it is sent.
func TestBusiestGroupReadsItsOwnExperts(t *testing.T) {
	e := experts{mixture: model.Experts{Count: 128, Active: 8}, groups: 4, imbalance: 1.5, weights: 1000, weightBytes: 2}
	if _, bytes := e.work(1e6); bytes != 128/4*1000*2 {
		t.Errorf("%v bytes, want those of %d experts", bytes, 128/4)
	}
}

// Windows give blocks back only where sequences outgrow them.
func TestWindowedBeyondTheWindow(t *testing.T) {
	for longest, grouped := range map[int]bool{1024: false, 1025: true} {
		d := ideal(t, "gemma-3-27b", 1, func(d *Deployment) { d.MaxModelLen = longest }).Deployment()
		w, blocks := d.Windowed(10)
		if grouped != (w.Groups > 0) || grouped != (blocks > 10) {
			t.Errorf("sequences of %d tokens: %+v, %d blocks", longest, w, blocks)
		}
	}
}

// Absorbed attention reads one latent vector per token whatever the number of
// heads, and every accelerator reads all of it.
func TestLatentDecode(t *testing.T) {
	for _, tp := range []int{1, 8} {
		m := ideal(t, "deepseek-v3", tp, same)
		slope := float64(m.Step(decode(1, 3000)).Time-m.Step(decode(1, 2000)).Time) / 1000
		heads := 128 / float64(tp)
		memory, compute := 576*2/4.8e12, 2*heads*(576+512)/989e12
		about(t, "time per token of context", slope, 61*max(memory, compute), 0.01)
		if got := float64(m.Memory().KVPerToken); got != 61*576*2 {
			t.Errorf("tp %d: %v bytes per token on each accelerator", tp, got)
		}
	}
}

// A chunk on a context projects the context's latent vectors up once more.
func TestLatentPrefillProjectsItsContext(t *testing.T) {
	m := ideal(t, "deepseek-v3", 8, same)
	at := func(context int) float64 {
		return float64(m.Step(&hardware.Work{Prefill: []hardware.Chunk{{Context: context, Tokens: 4096}}}).Time)
	}
	pairs := 2 * 16.0 * (192 + 128) * 4096
	up := 2 * 512.0 * 16 * (128 + 128)
	about(t, "per token of context", (at(20000)-at(10000))/10000, 61*(pairs+up)/989e12, 0.01)
}

func TestWindowedLayersStopGrowing(t *testing.T) {
	m := ideal(t, "gpt-oss-20b", 1, same)
	if m.Window() != 128 {
		t.Fatalf("window of %d", m.Window())
	}
	at := func(context int64) hardware.Cost {
		return m.Step(&hardware.Work{DecodeRows: 1, DecodeContext: context, DecodeWindowContext: min(context, 128), LogitRows: 1})
	}
	layer := 2 * 8 * 64 * 2.0 // bytes of a token's keys and values
	about(t, "bytes within the window", float64(at(100).Bytes-at(50).Bytes), 50*24*layer, 1e-9)
	about(t, "bytes beyond the window", float64(at(10100).Bytes-at(10050).Bytes), 50*12*layer, 1e-9)
	about(t, "time beyond the window", float64(at(20000).Time-at(10000).Time), 10000*12*layer/4.8e12, 0.01)
	// An engine that does not say is taken to attend to as much as can be.
	if got := m.Step(decode(1, 5000)); got != at(5000) {
		t.Errorf("not said: %+v, said: %+v", got, at(5000))
	}
	if whole := float64(m.Step(prefill(1, 4096)).FLOPs - m.totals.headFLOPs); math.Abs(whole/float64(m.deployment.Architecture.ChunkFLOPs(0, 4096))-1) > 1e-9 {
		t.Errorf("a prompt does %v FLOPs", whole)
	}
}

// OpenAI's model card: checkpoints of 60.8 and 12.8 GiB, experts in MXFP4.
func TestMXFP4Checkpoints(t *testing.T) {
	for name, gib := range map[string]float64{"gpt-oss-120b": 60.8, "gpt-oss-20b": 12.8} {
		t.Run(name, func(t *testing.T) {
			m := ideal(t, name, 1, same)
			about(t, name, m.Memory().Weights.GiB(), gib, 0.01)
		})
	}
}

func TestAttentionDataParallelism(t *testing.T) {
	wide := func(d *Deployment) { d.Weights, d.Activations = hardware.BF16, hardware.BF16 }
	tensor := ideal(t, "deepseek-v3", 8, wide)
	data := ideal(t, "deepseek-v3", 1, func(d *Deployment) { wide(d); d.DP, d.EP = 8, 8 })
	gathered := ideal(t, "deepseek-v3", 1, func(d *Deployment) { wide(d); d.DP, d.EP, d.Engine.Dispatch = 8, 8, "allgather" })
	// Latent vectors are replicated under tensor parallelism, and not here.
	about(t, "tokens of KV", float64(data.Capacity().KVTokens)/float64(tensor.Capacity().KVTokens), 8, 0.01)
	w := decode(512, 4000)
	if tensor.Step(w).Time <= data.Step(w).Time {
		t.Errorf("a large batch takes %v with 8 heads' groups, %v with 8 groups of sequences", tensor.Step(w).Time, data.Step(w).Time)
	}
	// Each token reaches every other group once in each direction, or as many
	// groups as its 8 experts are in.
	hidden := 512 * 7168.0 * 2
	about(t, "gathered", float64(gathered.Step(w).LinkBytes), 58*2*7*hidden, 1e-9)
	about(t, "sent", float64(data.Step(w).LinkBytes), 58*2*7*(1-math.Pow(7.0/8, 8))*hidden, 1e-9)
}

// One prompt cannot be shared among data-parallel groups.
func TestDataParallelGroupsWaitForTheLongestPrompt(t *testing.T) {
	m := ideal(t, "deepseek-v3", 1, func(d *Deployment) { d.DP, d.EP = 8, 8 })
	one, eight := m.Step(prefill(1, 4096)).Time, m.Step(prefill(8, 4096)).Time
	if eight < one || eight > 3*one {
		t.Errorf("one prompt %v, one for each group %v", one, eight)
	}
}

// MXFP4 experts with inputs in 8 bits read 4 bits and an eighth of a scale for a weight, and
// compute at the peak of fp8, of which their kernels in a model reach 32 %.
func TestExpertsOfFourBitsComputeInEight(t *testing.T) {
	d := deployment(t, "b200-sxm", "trtllm", "gpt-oss-120b", 1)
	d.Weights, d.Activations = hardware.FP4, hardware.FP8
	m := build(t, d)
	const tokens, layers = 8192, 36
	expert := 3. * 2880 * 2880
	flops, bytes := 2*expert*4*tokens, 128*expert*4.25/8+4*tokens*2880*(1+2)
	kernel := flops/(4500e12*.3765*.85) + bytes/7.7e12 // q is 1.002: a sum; .85 is the engine's compute_efficiency
	about(t, "experts", float64(m.expertTime(tokens)), layers*(17e-6+kernel), 2e-3)
}

// Kernels of experts that are loaded alike were measured apart; nothing else of a step changes.
func TestBalancedExperts(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "deepseek-v3", 8)
	d.Accelerator.Memory = 1 << 40 // whether it fits is not asked
	skewed := build(t, d)
	d.Engine.BalancedExperts = true
	balanced := build(t, d)
	w := prefill(32, 8192) // bound by compute
	before := skewed.Breakdown(w)
	for i, o := range balanced.Breakdown(w) {
		switch was := before[i]; {
		case o.Name == "experts" && o.Time > 0.8*was.Time:
			t.Errorf("%v, loaded as routers do %v", o.Time, was.Time)
		case o.Name != "experts" && o != was:
			t.Errorf("%+v, loaded as routers do %+v", o, was)
		}
	}
	const assumption = "experts assumed to be loaded all alike"
	if !slices.Contains(balanced.Estimated(), assumption) || slices.Contains(skewed.Estimated(), assumption) {
		t.Errorf("%q", balanced.Estimated())
	}
}
