package roofline

import (
	"errors"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// timeOf is the time of the operator of a name in a step.
func timeOf(m *Model, w *hardware.Work, name string) (t units.Seconds) {
	for _, o := range m.Breakdown(w) {
		if o.Name == name {
			t += o.Time
		}
	}
	return t
}

// TestLinearAttentionReadsAndWritesItsState: on the roofline a decode step of Qwen3-Next moves the states
// of its sequences twice, 36 layers of 32 heads of 128 x 128 in 16 bits and of three inputs of 8,192
// channels, and the queries, keys, values, gates and outputs of a token; whatever the context.
func TestLinearAttentionReadsAndWritesItsState(t *testing.T) {
	const name = "linear attention"
	m := ideal(t, "qwen3-next-80b-a3b", 1, same)
	state := 32*128*128*2 + 3*8192*2
	want := 36 * 64 * float64(2*state+2*(8192+4096)) / 4.8e12
	about(t, "64 sequences", float64(timeOf(m, decode(64, 1000), name)), want, 1e-3)
	if a, b := timeOf(m, decode(64, 1000), name), timeOf(m, decode(64, 100_000), name); a != b {
		t.Errorf("%v at 1,000 tokens, %v at 100,000", a, b)
	}
	for _, o := range m.Breakdown(decode(64, 1000)) {
		if o.Name == name {
			about(t, "bytes of its operator", float64(o.Bytes), want*4.8e12, 1e-3)
		}
	}
	halves := ideal(t, "qwen3-next-80b-a3b", 2, same)
	about(t, "shared by two", float64(timeOf(halves, decode(64, 1000), name)), want/2, 1e-3)
	// The rest of a token's context is read by twelve layers alone.
	context := float64(m.Step(decode(1, 2001)).Bytes - m.Step(decode(1, 1001)).Bytes)
	about(t, "bytes of a token of context", context/1000, 12*2*2*256*2, 1e-9)
}

// TestLinearAttentionOfPromptsIsLinear: a prompt twice as long takes twice the time, but for its last state: that
// of its products, or of its own tokens and the states between chunks.
func TestLinearAttentionOfPromptsIsLinear(t *testing.T) {
	const name = "linear attention"
	m := ideal(t, "qwen3.5-9b", 1, same)
	about(t, "twice the prompt", float64(timeOf(m, prefill(1, 20_000), name)/timeOf(m, prefill(1, 10_000), name)), 2, 5e-3)
	flops := 24 * 32 * (6*128*128 + 64*(6*128+4*128)) * 10_000.0
	bytes := 24 * 2 * (8192 + 4096 + 2*32*128*128/64) * 10_000.0 // in and out, and the states between chunks
	about(t, "10,000 tokens", float64(timeOf(m, prefill(1, 10_000), name)), max(flops/989e12, bytes/4.8e12), 0.01)
	w := &hardware.Work{Prefill: []hardware.Chunk{{Tokens: 1, Context: 9}}}
	first := &hardware.Work{Prefill: []hardware.Chunk{{Tokens: 1}}}
	kept := 9 * float64(8*2*4*256*2) // keys and values of 8 layers
	about(t, "a chunk behind others reads the state", float64(m.Step(w).Bytes-m.Step(first).Bytes),
		kept+float64(m.deployment.Architecture.StateBytes()), 1e-9)
}

// TestScansOnTheRoofline: a decode step moves the states of Granite's 36 layers of Mamba-2 twice, and a prompt of 10,000 tokens has
// two products with the state and those of its chunks; on two accelerators, each of which has the group, half of that but for its keys.
func TestScansOnTheRoofline(t *testing.T) {
	const name = "linear attention"
	m := ideal(t, "granite-4.0-h-small", 1, same)
	state := 2 * (128*128*64 + 3*8448)
	about(t, "64 sequences", float64(timeOf(m, decode(64, 1000), name)), 36*64*float64(2*state+2*(8448+8192))/4.8e12, 1e-3)
	flops := 36 * (4*128*128*64 + 256*2*(128+8192)) * 10_000.0
	bytes := 36 * (2*(8448+8192) + 2*4*128*128*64/256) * 10_000.0
	about(t, "10,000 tokens", float64(timeOf(m, prefill(1, 10_000), name)), max(flops/989e12, bytes/4.8e12), 0.01)
	halves := ideal(t, "granite-4.0-h-small", 2, same)
	half := 2 * (64*128*64 + 3*(4096+256))
	about(t, "shared by two", float64(timeOf(halves, decode(64, 1000), name)), 36*64*float64(2*half+2*(4096+256+4096))/4.8e12, 1e-3)
}

// TestStatesAreSetAside: of all sequences that may run, beside the keys and values of a quarter of the layers.
func TestStatesAreSetAside(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "qwen3.5-9b", 1)
	d.MaxNumSeqs = 100
	few := build(t, d).Memory()
	d.MaxNumSeqs = 200
	more := build(t, d).Memory()
	a := &d.Architecture
	about(t, "states of 100 sequences", float64(more.States-few.States), 100*float64(a.StateBytes()), 1e-9)
	about(t, "a token", float64(few.KVPerToken), 8*2*4*256*2, 1e-12)
	d.MaxNumSeqs = 2000
	_, err := New(d)
	var bad *badinput.Error
	if !errors.As(err, &bad) || bad.Key != "strategy.max_num_seqs" {
		t.Errorf("states that do not fit: %v", err)
	}
}

// TestHybridsRefuseSpeculation: states of tokens that are not accepted are not described.
func TestHybridsRefuseSpeculation(t *testing.T) {
	hybrid, err := model.Lookup("qwen3.5-9b")
	if err != nil {
		t.Fatal(err)
	}
	for key, d := range map[string]Deployment{
		"strategy.speculation.method": deployment(t, "h100-sxm", "vllm-v1", "qwen3.5-9b", 1),
		"strategy.speculation.draft":  deployment(t, "h100-sxm", "vllm-v1", "qwen3-32b", 1),
	} {
		d.Speculation = &Speculation{Method: DraftModel, Draft: hybrid, Tokens: 2}
		_, err := New(d)
		var bad *badinput.Error
		if !errors.As(err, &bad) || bad.Key != key {
			t.Errorf("got %v, want an error about %s", err, key)
		}
	}
}

// TestIndexerScoresEveryToken: on the roofline a decode step of DeepSeek-V3.2 reads the index keys of the
// whole context, and latent vectors of 2,048 tokens of it.
func TestIndexerScoresEveryToken(t *testing.T) {
	m := ideal(t, "deepseek-v3.2", 8, same)
	work := func(context int) *hardware.Work {
		w := decode(16, context)
		w.DecodeWindowContext = 16 * int64(min(context, 2048))
		return w
	}
	const index, attention = "sparse attention's indexer", "attention (decode)"
	more := timeOf(m, work(101_000), index) - timeOf(m, work(1_000), index)
	about(t, "16 x 100,000 tokens", float64(more), 61*16*100_000*(132+8)/4.8e12, 1e-3)
	if a, b := timeOf(m, work(2048), attention), timeOf(m, work(100_000), attention); a != b {
		t.Errorf("attention takes %v behind 2,048 tokens and %v behind 100,000", a, b)
	}
	bytes := float64(m.Step(work(101_000)).Bytes - m.Step(work(3_000)).Bytes)
	about(t, "bytes of the context", bytes, 61*16*98_000*132, 1e-9)
	// Longer contexts are cheaper than without, short ones dearer.
	plain := ideal(t, "deepseek-v3", 8, same)
	if a, b := m.Step(work(100_000)).Time, plain.Step(work(100_000)).Time; a > b {
		t.Errorf("behind 100,000 tokens %v, without an indexer %v", a, b)
	}
	if a, b := m.Step(work(100)).Time, plain.Step(work(100)).Time; a < b {
		t.Errorf("behind 100 tokens %v, without an indexer %v", a, b)
	}
	// No block comes free: any token may be selected.
	d := m.Deployment()
	if w, blocks := d.Windowed(10); w.Groups != 0 || blocks != 10 {
		t.Errorf("%+v, %d blocks", w, blocks)
	}
}

// TestSparseAttentionKeepsScales: in 8 bits 656 bytes of a token and layer and the index key are kept; a decode step within
// the 2,048 tokens reads the former, and in the plain model 576 of one width.
func TestSparseAttentionKeepsScales(t *testing.T) {
	for name, want := range map[string]struct{ kept, read float64 }{"deepseek-v3.2": {656 + 132, 656}, "deepseek-v3": {576, 576}} {
		m := ideal(t, name, 8, func(d *Deployment) { d.KV = hardware.FP8 })
		about(t, name+": kept", float64(m.Memory().KVPerToken), 61*want.kept, 1e-12)
		work := func(context int) *hardware.Work {
			w := decode(64, context)
			w.DecodeWindowContext = int64(64 * context)
			return w
		}
		const attention = "attention (decode)"
		more := timeOf(m, work(2000), attention) - timeOf(m, work(1000), attention)
		about(t, name+": read", float64(more)*4.8e12, 61*64*1000*want.read, 1e-3)
		about(t, name+": counted", float64(m.Step(work(2000)).Bytes-m.Step(work(1000)).Bytes), 61*64*1000*want.kept, 1e-9)
	}
}

// TestIndexersOfGroups: each of two data-parallel groups scores half of what all sequences and their guesses attend to.
func TestIndexersOfGroups(t *testing.T) {
	work := func(n int64) *hardware.Work {
		return &hardware.Work{DecodeRows: int(8 * n), DecodeContext: 8000 * n, DraftRows: int(24 * n), DraftContext: 24_000 * n}
	}
	one := (&Model{deployment: Deployment{DP: 1}}).indexedDecode(work(1))
	two := (&Model{deployment: Deployment{DP: 2}}).indexedDecode(work(2))
	if one != two || one.queries != 32 || one.pairs-one.keys != 24_000 {
		t.Errorf("one group %+v, each of two %+v", one, two)
	}
}

// TestIndexerOfPrompts: a prompt is scored in 8 bits, every pair of tokens once.
func TestIndexerOfPrompts(t *testing.T) {
	m := ideal(t, "glm-5", 8, func(d *Deployment) { d.Weights, d.Activations = hardware.FP8, hardware.FP8 })
	pairs := 30_000 * 30_001 / 2.0
	flops := pairs * 2 * 32 * 128 / 1979e12
	about(t, "30,000 tokens", float64(timeOf(m, prefill(1, 30_000), "sparse attention's indexer")), 78*max(flops, pairs*8/4.8e12), 0.1)
}

// TestDecodedTokensMoveTheirState: a further sequence of Qwen3.5-9B reads its state and writes it, reads keys and
// values of eight layers, and a row of the embedding.
func TestDecodedTokensMoveTheirState(t *testing.T) {
	m := ideal(t, "qwen3.5-9b", 1, same)
	more := float64(m.Step(decode(2, 1)).Bytes - m.Step(decode(1, 1)).Bytes)
	about(t, "bytes", more, 2*24*(32*128*128*4+3*8192*2)+8*2*4*256*2+4096*2, 1e-9)
}

// TestSparsePromptsReadLatentVectors: queries of DeepSeek-V3.2 attend to 2,048 tokens as they are kept, each of 16 heads
// to latent vectors of 576 elements with values of 512.
func TestSparsePromptsReadLatentVectors(t *testing.T) {
	m := ideal(t, "deepseek-v3.2", 8, same)
	const tokens = 5000
	pairs := 2048*2049/2 + (tokens-2048)*2048.0
	for _, o := range m.Breakdown(prefill(1, tokens)) {
		if o.Name == "attention (prefill)" {
			about(t, "FLOPs", float64(o.FLOPs), 61*pairs*2*16*(576+512), 1e-9)
		}
	}
}

// TestLaunchesOfHybrids: an indexer has four kernels more in each layer; of Qwen3-Next, twelve layers have a norm of
// queries and keys and a gate, 36 two more kernels of linear attention, and all 48 a router and a shared expert.
func TestLaunchesOfHybrids(t *testing.T) {
	launches := func(name string) float64 {
		d := deployment(t, "h200-sxm", "vllm-v1", name, 8)
		return d.elementwiseLaunches() - float64(d.Architecture.Layers)*d.Engine.ElementwiseKernels
	}
	if got := launches("deepseek-v3.2") - launches("deepseek-v3"); got != 61*4 {
		t.Errorf("%v more with indexers, want %d", got, 61*4)
	}
	if got, want := launches("qwen3-next-80b-a3b"), 12*2+36*2+48*2.0; got != want {
		t.Errorf("%v more than of plain layers, want %v", got, want)
	}
}

// TestElementsOfHybrids: what elementwise kernels of Qwen3.5-9B read and write for a token: two norms in 32 layers; in
// eight the rotary embedding, the norms of queries and keys, their writing, and the gate; in 24 the split, the
// convolution and the gated norm; and the activation of its MLPs.
func TestElementsOfHybrids(t *testing.T) {
	d := build(t, deployment(t, "h200-sxm", "vllm-v1", "qwen3.5-9b", 1)).Deployment()
	s := d.shard()
	const queries, kept, channels, values = 16 * 256, 2 * 4 * 256, 8192, 4096
	attention := 8 * (2*queries + 2*kept + 2*queries + kept + 3*queries)
	linear := 24 * (2*(channels+values) + 2*channels + 3*values)
	about(t, "elements", d.elementwiseElements(&s), float64(32*8*4096+attention+linear+32*3*12288), 1e-12)
}

// TestStagesOfHybridsHaveWholeLayers: of Qwen3.5-35B's 40 layers every fourth has keys and values. Four stages of ten
// have two, three, two and three of them, and those with three hold the fewest tokens; two stages have five each.
func TestStagesOfHybridsHaveWholeLayers(t *testing.T) {
	for _, c := range []struct{ pp, attention, linear int }{{1, 10, 30}, {2, 5, 15}, {4, 3, 7}} {
		d := deployment(t, "h100-sxm", "vllm-v1", "qwen3.5-35b-a3b", 1)
		d.TP, d.PP, d.MaxNumSeqs = 2, c.pp, 32
		b, err := d.Budget()
		if err != nil {
			t.Fatal(err)
		}
		about(t, "a token", float64(b.KVPerToken), float64(c.attention)*2*256*2, 1e-12)
		about(t, "a state", float64(b.State), float64(c.linear)*float64(d.Architecture.Linear.StateBytes())/2, 1e-12)
		about(t, "states", float64(b.States), 32*float64(b.State), 1e-12)
	}
}
