package sim

import (
	"context"
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// hostCached is a replica of Llama-3.1-8B on one H100 whose accelerator holds a
// number of tokens of keys and values, above a host with 500 GB of memory.
func hostCached(t *testing.T, tokens int, bandwidth units.BytesPerSecond, traffic workloads.Traffic) Config {
	t.Helper()
	return hostCachedBy(deployed8B(t), tokens, bandwidth, traffic)
}

// hostCachedBy is that of any deployment.
func hostCachedBy(model *roofline.Model, tokens int, bandwidth units.BytesPerSecond, traffic workloads.Traffic) Config {
	perToken := model.Memory().KVPerToken
	return Config{
		Traffic: traffic, Drain: true,
		Pools: []Pool{{
			Replicas: 1, Batching: continuous(256, 8192), Cost: model, FrontEnd: model.RequestTime, Reserve: policies.ReservePaged,
			Blocks: tokens / 16, BlockSize: 16, MaxTokens: math.MaxInt, Eviction: policies.LRU{},
			Tiers: []Tier{{Blocks: int(500e9 / float64(perToken) / 16), Bandwidth: bandwidth, Latency: polling}}, BlockBytes: 16 * perToken,
		}},
	}
}

func deployed8B(t *testing.T) *roofline.Model {
	t.Helper()
	return deployedOn(t, "h100-sxm", "llama-3.1-8b", 1)
}

// deployedOn is a model on so many accelerators.
func deployedOn(t *testing.T, accelerator, name string, tp int) *roofline.Model {
	t.Helper()
	m := deployed(t, name).Deployment()
	of := roofline.Deployment{Engine: m.Engine, Architecture: m.Architecture, TP: tp}
	var err error
	if of.Accelerator, err = hardware.LookupAccelerator(accelerator); err != nil {
		t.Fatal(err)
	}
	deployed, err := roofline.New(of)
	if err != nil {
		t.Fatal(err)
	}
	return deployed
}

// prompts adds n requests of a number of tokens and one of output, whose contents have
// the IDs from first on.
func prompts(s *scripted, at units.Seconds, n, first, tokens int) {
	for i := range n {
		s.add(at, tokens, 1)
		r := &s.requests[len(s.requests)-1]
		r.Content, r.Named = &workloads.Content{IDs: []int{first + i}, Span: 1}, tokens
	}
}

func outcome(t *testing.T, c Config) *metrics.Record {
	t.Helper()
	rec, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	return rec
}

// fromHost is the bandwidth of copies from the host in blocks of 2 MB, those of 16
// tokens of Llama-3.1-8B (vLLM blog, 2026-01-08, figure 4).
const fromHost = units.BytesPerSecond(47.7e9)

// polling is how long a load takes besides: the connector asks for it in one step
// and finds it done in a later one. Assumed.
const polling = units.Seconds(5e-3)

// vLLM's KV offloading connector (Ozeri and Harnik, vLLM blog, 2026-01-08), figure
// 1: TTFT of a single request whose prompt is in the host's memory.
func TestLoadFromHost(t *testing.T) {
	for tokens, published := range map[int]float64{10: 44, 20: 72, 30: 101, 40: 127, 50: 155, 60: 192, 70: 219, 80: 247, 90: 276, 100: 312} {
		tokens *= 1000
		traffic := &scripted{}
		prompts(traffic, 0, 2, 1, tokens) // the second one takes the first one's place
		prompts(traffic, 1000, 1, 1, tokens)
		c := hostCached(t, tokens+tokens/10, fromHost, traffic)
		c.Pools[0].FrontEnd = func(int) units.Seconds { return 4e-3 } // without a tokenizer
		rec := outcome(t, c)
		got := rec.Requests[2].TTFT().Milliseconds()
		t.Logf("%6d tokens: %.0f ms, published %v (%+.0f %%)", tokens, got, published, 100*(got/published-1))
		if math.Abs(got/published-1) > 0.15 {
			t.Errorf("%d tokens come in %.0f ms, published %v", tokens, got, published)
		}
	}
}

// The same, figure 2: tokens a second of prompts of 512 tokens, of which a share
// is in the host's memory. The published points lie on
//
//	1/X = (1-h)/43.8k + h/389k
//
// so loads and computation took turns in that run, though the connector would let them
// pass beside each other: serial transfers meet them, asynchronous ones are up to 80 %
// faster between 60 and 90 % of hits, where both take about as long. With -short three
// shares of four are left out.
func TestThroughputAgainstHitRate(t *testing.T) {
	for name, c := range map[string]struct {
		serial bool
		above  float64 // that it may be
	}{"serial": {true, 0.15}, "async": {false, 0.9}} {
		t.Run(name, func(t *testing.T) { throughputAgainstHitRate(t, c.serial, c.above) })
	}
}

func throughputAgainstHitRate(t *testing.T, serial bool, above float64) {
	const before, n = 4000, 1500
	for i, published := range []float64{42.2, 46.6, 51.7, 56.6, 64.3, 74.0, 89.0, 116, 159, 219, 389} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		hits := n * i / 10
		traffic := &scripted{}
		prompts(traffic, 0, before, 1, 512)
		for k := range n { // hits evenly among the others
			if first := 1 + k; k*hits/n != (k+1)*hits/n {
				prompts(traffic, 1000, 1, first, 512)
			} else {
				prompts(traffic, 1000, 1, before+first, 512)
			}
		}
		c := hostCached(t, 140_000, fromHost, traffic)
		c.Pools[0].SerialMoves = serial
		rec := outcome(t, c)
		got := n * 512 / float64(rec.Ended-1000) / 1e3
		t.Logf("%3d %% hits: %.1f k tokens/s, published %v (%+.0f %%)", 10*i, got, published, 100*(got/published-1))
		if got < 0.85*published || got > (1+above)*published {
			t.Errorf("%d %% hits: %.1f k tokens a second, published %v", 10*i, got, published)
		}
		if loaded := rec.Totals.LoadedTokens; loaded != int64(hits)*511 { // the last token is computed
			t.Errorf("%d tokens came from the host for %d hits", loaded, hits)
		}
	}
}

// Loads pay for themselves or are left: over a slow link a prompt is computed
// again.
func TestSlowTierIsNotUsed(t *testing.T) {
	for _, c := range []struct {
		bandwidth units.BytesPerSecond
		loads     bool
	}{{fromHost, true}, {1e9, false}} {
		traffic := &scripted{}
		prompts(traffic, 0, 2, 1, 10_000)
		prompts(traffic, 1000, 1, 1, 10_000)
		rec := outcome(t, hostCached(t, 11_000, c.bandwidth, traffic))
		if loads := rec.Totals.LoadedTokens > 0; loads != c.loads {
			t.Errorf("over %v: %d tokens loaded", c.bandwidth, rec.Totals.LoadedTokens)
		}
	}
}

// Copies go from tier to tier, the least recently used first, and are lost below
// the last one.
func TestCopiesOverflow(t *testing.T) {
	l := newCopies([]Tier{{Blocks: 2}, {Blocks: 1}})
	l.now = forever
	key := func(id int) blockKey { return blockKey{id, 0} }
	for id := 1; id <= 4; id++ {
		l.add(key(id), false)
		if id == 3 {
			l.use(key(2)) // so that 3 goes before it
		}
	}
	want := map[int]int{1: -1, 2: 0, 3: 1, 4: 0}
	for id, tier := range want {
		if got := l.find(key(id)); got != tier {
			t.Errorf("block %d is in tier %d, want %d", id, got, tier)
		}
	}
	l.limit(0)
	for id, tier := range map[int]int{2: -1, 3: -1, 4: 1} {
		if got := l.find(key(id)); got != tier {
			t.Errorf("without the first tier block %d is in tier %d, want %d", id, got, tier)
		}
	}
}

// A load pays where the link is faster than the prefill makes keys and values. With half
// the peak F of the accelerators that is, for n tokens, above
//
//	kv F TP / (2 P + 2 L heads d n)
//
// and for 4,096 of them the bandwidth in each row, of all accelerators together. The prefill here comes to another share of the peak beyond what a step
// takes for one token, which moves the crossover with it; the form counts the embedding, too.
func TestLoadCrossover(t *testing.T) {
	for _, c := range []struct {
		accelerator, model string
		tp                 int
		atHalfPeak         float64
	}{
		{"h100-sxm", "llama-3.1-8b", 1, 3.78e9}, {"h100-sxm", "llama-3.1-70b", 4, 4.42e9}, {"l4", "llama-3.1-8b", 1, 0.46e9}, {"h100-sxm", "llama-2-7b", 1, 17.8e9},
	} {
		model := deployedOn(t, c.accelerator, c.model, c.tp)
		above := float64(loadsPayAbove(t, model))
		prefill := func(context int) float64 {
			return float64(model.Step(&hardware.Work{Prefill: []hardware.Chunk{{Context: context, Tokens: 4096 - context}}, LogitRows: 1}).Time)
		}
		flops := model.Step(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 4096}}, LogitRows: 1}).FLOPs
		ofPeak := float64(flops) / (prefill(0) - prefill(4095)) / float64(model.Capacity().PeakCompute)
		want := float64(model.Memory().KVPerToken) * 4096 / (prefill(0) - prefill(4095))
		t.Logf("%s on %d %s: loads pay above %.3g B/s, with prefills at %.2f of the peak; at half of it %.3g", c.model, c.tp, c.accelerator, above,
			ofPeak, c.atHalfPeak)
		if math.Abs(above/want-1) > 0.01 {
			t.Errorf("%s on %s: loads pay above %.4g B/s, want %.4g", c.model, c.accelerator, above, want)
		}
		if scaled := c.atHalfPeak / float64(c.tp) * ofPeak / 0.5; math.Abs(above/scaled-1) > 0.15 {
			t.Errorf("%s on %s: loads pay above %.4g B/s, the form says %.4g", c.model, c.accelerator, above, scaled)
		}
	}
}

// loadsPayAbove is the least bandwidth at which a prompt of 4,096 tokens is loaded from the host instead of being computed again.
func loadsPayAbove(t *testing.T, model *roofline.Model) units.BytesPerSecond {
	pays := func(bandwidth units.BytesPerSecond) bool {
		traffic := &scripted{}
		prompts(traffic, 0, 1, 1, 4096)
		prompts(traffic, 50, 1, 2, 4096)
		prompts(traffic, 100, 1, 1, 4096)
		c := hostCachedBy(model, 4096+16, bandwidth, traffic)
		c.Pools[0].Tiers[0].Latency = 0
		return outcome(t, c).Totals.LoadedTokens > 0
	}
	low, high := units.BytesPerSecond(0.05e9), units.BytesPerSecond(500e9)
	for high/low > 1.001 {
		if middle := units.BytesPerSecond(math.Sqrt(float64(low * high))); pays(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
