package sim

import (
	"context"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/paging"
	"kneepoint/workloads"
)

// TestStretchesAgreeWithSteps is the stretch engine's proof: over random runs it
// takes the same decisions as the step-by-step reference, and every number
// agrees to 1e-9, inter-token latencies to the histogram's resolution.
func TestStretchesAgreeWithSteps(t *testing.T) {
	effort.Check(t, 50, func(t *rapid.T) { s := drawScene(t); compareEngines(t, s.fresh) })
}

// TestStretchesAgreeOnRealCosts is the same for models on accelerators, with
// longer requests, realistic memory pressure, and windows.
func TestStretchesAgreeOnRealCosts(t *testing.T) {
	effort.Check(t, 10, func(t *rapid.T) { compareEngines(t, drawDeployment(t)) })
}

// drawDeployment is a run of a model of the catalog under some load.
func drawDeployment(t *rapid.T) func() Config {
	name := rapid.SampledFrom([]string{"llama-3.1-8b", "mistral-7b-v0.1", "gemma-2-9b", "mixtral-8x7b"}).Draw(t, "model")
	overlap := rapid.SampledFrom([]string{"none", "none", "exchanges", "all"}).Draw(t, "overlap")
	cost := windowed{overlapping(t, name, overlap), rapid.SampledFrom([]int{0, 100, 300}).Draw(t, "window")}
	n := rapid.IntRange(1, 120).Draw(t, "requests")
	lengths := func(name string, longest float64) workloads.LengthSpec {
		return workloads.LengthSpec{Type: "lognormal", Mean: rapid.Float64Range(2, longest).Draw(t, name), Std: longest / 3, Min: 1, Max: int(4 * longest)}
	}
	workload := poisson(rapid.Float64Range(0.1, 200).Draw(t, "rate"), n, lengths("input", 400), lengths("output", 200))
	switch rapid.IntRange(0, 4).Draw(t, "arrivals") {
	case 1:
		workload.Arrival = &workloads.ArrivalSpec{Process: "at_once"}
	case 2:
		workload.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: rapid.IntRange(1, 30).Draw(t, "clients")}
	case 3:
		workload.Prefix = &workloads.PrefixSpec{Distinct: rapid.IntRange(1, 8).Draw(t, "prompts")}
	case 4:
		drawSessions(t, &workload)
	}
	rank, maxWaiting := drawClients(t, &workload)
	scheduler := rapid.SampledFrom(schedulers).Draw(t, "scheduler")
	seqs := rapid.SampledFrom([]int{2, 16, 256}).Draw(t, "seqs")
	tokens := rapid.SampledFrom([]int{32, 256, 8192}).Draw(t, "tokens")
	s := setup{
		workload:   workload,
		rank:       rank,
		maxWaiting: maxWaiting,
		cost:       cost,
		batching: func() policies.Batching {
			return scheduler.New(policies.Parameters{MaxNumSeqs: seqs, MaxNumBatchedTokens: tokens})
		},
		blocks:        rapid.SampledFrom([]int{150, 400, 5000}).Draw(t, "blocks"),
		replicas:      rapid.IntRange(1, 3).Draw(t, "replicas"),
		frontEnd:      units.Seconds(rapid.SampledFrom([]float64{0, 4e-3}).Draw(t, "front end")),
		prefixCaching: rapid.Bool().Draw(t, "caching"),
	}
	if scheduler.NeverPreempts != "" {
		s.reserve = policies.ReserveDeclared
	}
	if rapid.IntRange(0, 3).Draw(t, "batching") == 0 {
		s.batching = static(rapid.IntRange(1, 32).Draw(t, "batch"))
		s.reserve = policies.ReserveDeclared
		s.prefixCaching = false
	}
	var surroundings Pool
	drawSurroundings(t, &surroundings)
	s.threads, s.sequential, s.compression = surroundings.Threads, surroundings.Sequential, surroundings.Compression
	async := rapid.Bool().Draw(t, "async")
	var windows paging.Windows
	if cost.window > 0 && s.reserve == nil && rapid.Bool().Draw(t, "windows come free") {
		windows = paging.Windows{Tokens: cost.window, Groups: rapid.IntRange(1, 5).Draw(t, "groups with a window"), Full: rapid.IntRange(0, 1).Draw(t, "groups without")}
		s.prefixCaching = false
	}
	return func() Config {
		c := s.config(t, 1, 0)
		if c.Pools[0].Windows = windows; scheduler.Chunks {
			c.Pools[0].Chunk = tokens
		}
		c.Pools[0].MaxTokens = 1600
		c.Pools[0].AsyncScheduling = async
		return c
	}
}

// drawClients may split the requests into classes that do not come in order of
// arrival, and limit the queue.
func drawClients(t *rapid.T, workload *workloads.Spec) (rank func(workloads.Request) float64, maxWaiting int) {
	maxWaiting = rapid.SampledFrom([]int{0, 0, 1, 10}).Draw(t, "max waiting")
	distinct := workload.Prefix != nil && workload.Prefix.Distinct > 0
	if rapid.Bool().Draw(t, "one class") || workload.Session != nil || distinct {
		return nil, maxWaiting
	}
	long := workloads.LengthSpec{Type: "exponential", Mean: 500, Min: 1, Max: 1000}
	workload.Client = []workloads.ClientSpec{{Share: 0.7}, {Share: 0.3, Input: &long}}
	if workload.Arrival.Process == "poisson" {
		workload.Client = append(workload.Client, workloads.ClientSpec{Arrival: &workloads.ArrivalSpec{Process: "constant", Rate: 5}, Output: &long})
	}
	if rapid.Bool().Draw(t, "deadlines") {
		return func(r workloads.Request) float64 { return float64(r.Arrival) + 0.5*float64(r.Class) }, maxWaiting
	}
	return func(r workloads.Request) float64 { return float64(-r.Class) }, maxWaiting
}

// drawSessions makes the requests turns of conversations.
func drawSessions(t *rapid.T, workload *workloads.Spec) {
	workload.Session = &workloads.SessionSpec{
		Turns:     workloads.Turns{Type: "uniform", Min: 1, Max: rapid.IntRange(1, 6).Draw(t, "turns")},
		ThinkTime: workloads.Thinking(units.Seconds(rapid.SampledFrom([]float64{0, 0.1, 5}).Draw(t, "think time"))),
	}
	if rapid.Bool().Draw(t, "shared") {
		workload.Prefix = &workloads.PrefixSpec{Count: 2, Tokens: 100}
	}
	if rapid.Bool().Draw(t, "users") {
		workload.Arrival = nil
		workload.Session.Users = rapid.IntRange(1, 30).Draw(t, "number of users")
	}
}

// windowed gives a cost model another window.
type windowed struct {
	*roofline.Model
	window int
}

// Window implements hardware.CostModel.
func (w windowed) Window() int { return w.window }

// deployments are those of overlapping, by the model's name and what overlaps.
var deployments = map[[2]string]*roofline.Model{}

func deployed(t reporter, name string) *roofline.Model { return overlapping(t, name, "none") }

// overlapping is a model whose steps of 64 tokens and more are computed as two halves.
func overlapping(t reporter, name, overlap string) *roofline.Model {
	if m, ok := deployments[[2]string{name, overlap}]; ok {
		return m
	}
	accelerator, err := hardware.LookupAccelerator("h100-sxm")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := hardware.LookupEngine("vllm-v1")
	if err != nil {
		t.Fatal(err)
	}
	architecture, err := model.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	if engine.MicroBatchOverlap = overlap; overlap != "none" {
		engine.MicroBatchTokens = 64
	}
	m, err := roofline.New(roofline.Deployment{Accelerator: accelerator, Engine: engine, Architecture: architecture, TP: 2})
	if err != nil {
		t.Fatal(err)
	}
	deployments[[2]string{name, overlap}] = m
	return m
}

// compareEngines runs a configuration with both engines, gaps held against some bounds.
func compareEngines(t *rapid.T, unbound func() Config) {
	bounds := drawBounds(t)
	fresh := func() Config {
		c := unbound()
		c.GapBounds = bounds
		return c
	}
	c := fresh()
	c.Reference = true
	steps, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	stretches, err := Run(context.Background(), fresh())
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, stretches)
	sameRequests(t, steps, stretches)
	sameTotals(t, steps, stretches)
	sameSteps(t, steps.Pools[0].Steps, stretches.Pools[0].Steps)
	sameGaps(t, &steps.ITL, &stretches.ITL)
	sameGaps(t, &steps.ITLIn, &stretches.ITLIn)
}

// drawBounds are those of up to three classes, around steps of some milliseconds or some seconds.
func drawBounds(t *rapid.T) []units.Seconds {
	var bounds []units.Seconds
	for range 3 {
		bounds = append(bounds, units.Seconds(math.Pow(10, rapid.Float64Range(-3, 1).Draw(t, "bound of gaps, logarithm"))))
	}
	return bounds
}

// near reports whether two numbers agree to 1e-9, of the larger or absolutely.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func sameRequests(t *rapid.T, a, b *metrics.Record) {
	if len(a.Requests) != len(b.Requests) {
		t.Fatalf("%d requests arrived step by step, %d in stretches", len(a.Requests), len(b.Requests))
	}
	for id := range a.Requests {
		sameRequest(t, id, a.Requests[id], b.Requests[id])
	}
}

// sameRequest compares what came of a request, times but for rounding.
func sameRequest(t *rapid.T, id int, p, q metrics.Request) {
	if !near(float64(p.First), float64(q.First)) || !near(float64(p.Last), float64(q.Last)) || !near(float64(p.Arrival), float64(q.Arrival)) {
		t.Errorf("request %d: %+v, and %+v", id, p, q)
	}
	sameParts(t, id, p.ToFirst, q.ToFirst)
	sameParts(t, id, p.ToLast, q.ToLast)
	q.ToFirst, q.ToLast = p.ToFirst, p.ToLast
	q.First, q.Last, q.Arrival, q.ClientQueue = p.First, p.Last, p.Arrival, p.ClientQueue
	if p != q {
		t.Errorf("request %d: %+v, and %+v", id, p, q)
	}
}

// sameParts compares to single precision.
func sameParts(t *rapid.T, id int, p, q metrics.Packed) {
	for i := range p {
		if a, b := float64(p[i]), float64(q[i]); math.Abs(a-b) > 1e-6*math.Max(1e-3, math.Max(a, b)) {
			t.Errorf("request %d, %s: step by step %v, in stretches %v", id, metrics.PartKeys[i], a, b)
		}
	}
}

// sameSteps compares what steps add up to.
func sameSteps(t *rapid.T, a, b metrics.StepSums) {
	p, q := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range p.NumField() {
		for j := range p.Field(i).NumField() {
			if x, y := p.Field(i).Field(j).Float(), q.Field(i).Field(j).Float(); !near(x, y) {
				t.Errorf("%s of steps: step by step %v, in stretches %v", p.Field(i).Type().Field(j).Name, x, y)
			}
		}
	}
}

func sameTotals(t *rapid.T, a, b *metrics.Record) {
	p, q := a.Totals, b.Totals
	for _, pair := range []struct {
		name string
		p, q float64
	}{
		{"busy", float64(p.Busy), float64(q.Busy)},
		{"preparing", float64(p.Preparing), float64(q.Preparing)},
		{"bytes", float64(p.Bytes), float64(q.Bytes)},
		{"FLOPs", float64(p.FLOPs), float64(q.FLOPs)},
		{"link bytes", float64(p.LinkBytes), float64(q.LinkBytes)},
		{"energy", p.Energy, q.Energy},
		{"wasted FLOPs", float64(p.WastedFLOPs), float64(q.WastedFLOPs)},
		{"front end", p.InFrontEnd, q.InFrontEnd},
		{"waiting", p.Waiting, q.Waiting},
		{"running", p.Running, q.Running},
		{"occupied", float64(p.Occupied), float64(q.Occupied)},
		{"held by memory", p.HeldByMemory, q.HeldByMemory},
		{"held by slots", p.HeldBySlots, q.HeldBySlots},
		{"KV blocks", p.KVBlocks, q.KVBlocks},
		{"KV max", p.KVMax, q.KVMax},
		{"end", float64(a.Ended), float64(b.Ended)},
	} {
		if !near(pair.p, pair.q) {
			t.Errorf("%s: step by step %v, in stretches %v", pair.name, pair.p, pair.q)
		}
	}
	if m, n := countsOf(&p), countsOf(&q); m != n {
		t.Errorf("step by step %+v, in stretches %+v", m, n)
	}
}

// counts are totals that are whole numbers.
type counts struct {
	steps, preemptions, recomputed, admitted, cached, cachedBlocks, fetched, requests, generated int64
	proposed, accepted, guessed, verifications                                                   int64
}

func countsOf(t *metrics.Totals) counts {
	return counts{t.Steps, t.Preemptions, t.RecomputedTokens, t.AdmittedTokens, t.CachedTokens, t.CachedBlocks, t.FetchedTokens, t.Requests,
		t.GeneratedTokens, t.ProposedTokens, t.AcceptedTokens, t.GuessedTokens, t.Verifications}
}

func sameGaps(t *rapid.T, a, b *metrics.Histogram) {
	if a.Count() != b.Count() {
		t.Errorf("%d gaps step by step, %d in stretches", a.Count(), b.Count())
		return
	}
	if a.Count() == 0 {
		return
	}
	if !near(a.Mean(), b.Mean()) {
		t.Errorf("the mean gap is %v step by step, %v in stretches", a.Mean(), b.Mean())
	}
	for _, p := range []float64{0, 0.5, 0.9, 0.99, 1} {
		if x, y := a.Quantile(p), b.Quantile(p); math.Abs(x-y) > 2.001*metrics.HistogramResolution*x {
			t.Errorf("the %v-quantile of gaps is %v step by step, %v in stretches", p, x, y)
		}
	}
}
