package sim

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
	"kneepoint/units/paging"
	"kneepoint/workloads"
)

// TestChunksAgreeOnRealCosts: steps that compute a long prompt in equal chunks beside others that decode are what they are
// step by step, with short memory, chunks of all lengths, and requests that come or are looked for in the middle.
func TestChunksAgreeOnRealCosts(t *testing.T) {
	effort.Check(t, 5, func(t *rapid.T) { compareEngines(t, drawChunks(t)) })
}

// drawChunks is a run of long prompts with a small budget.
func drawChunks(t *rapid.T) func() Config {
	budget := rapid.SampledFrom([]int{17, 64, 128, 500}).Draw(t, "budget")
	longest := budget * rapid.IntRange(2, 40).Draw(t, "chunks")
	input := workloads.LengthSpec{Type: "uniform", Min: 1, Max: longest}
	output := workloads.LengthSpec{Type: "exponential", Mean: rapid.Float64Range(1, 200).Draw(t, "output"), Min: 1, Max: 500}
	s := setup{
		workload: poisson(rapid.Float64Range(0.1, 30).Draw(t, "rate"), rapid.IntRange(1, 40).Draw(t, "requests"), input, output),
		cost:     deployed(t, rapid.SampledFrom([]string{"llama-3.1-8b", "mixtral-8x7b"}).Draw(t, "model")),
		blocks:   longest/16 + rapid.SampledFrom([]int{1, 60, 400, 5000}).Draw(t, "blocks"), prefixCaching: rapid.Bool().Draw(t, "caching"),
		replicas: rapid.IntRange(1, 3).Draw(t, "replicas"), frontEnd: units.Seconds(rapid.SampledFrom([]float64{0, 4e-3}).Draw(t, "front end")),
		maxTime: units.Seconds(rapid.SampledFrom([]float64{0, 0.4, 3}).Draw(t, "max time")),
		router:  always(rapid.SampledFrom([]routing.Router{nil, fewest{}, roomiest{}, looking{}}).Draw(t, "router")),
	}
	seqs := rapid.SampledFrom([]int{2, 16}).Draw(t, "seqs")
	threshold := rapid.SampledFrom([]int{0, 0, budget / 2}).Draw(t, "threshold")
	s.batching = rapid.SampledFrom([]func() policies.Batching{
		func() policies.Batching {
			return &policies.Continuous{MaxNumSeqs: seqs, MaxNumBatchedTokens: budget, LongPrefillTokenThreshold: threshold}
		},
		func() policies.Batching { return &policies.Sarathi{MaxNumSeqs: seqs, MaxNumBatchedTokens: budget} },
	}).Draw(t, "policy")
	switch rapid.IntRange(0, 3).Draw(t, "arrivals") {
	case 0:
		s.workload.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: rapid.IntRange(1, 20).Draw(t, "clients")}
	case 1:
		drawSessions(t, &s.workload)
	case 2:
		s.workload.Prefix = &workloads.PrefixSpec{Count: 3, Tokens: longest / 2}
	}
	async := rapid.Bool().Draw(t, "async")
	s.change = func(p *Pool, _ uint64) { p.AsyncScheduling = async }
	return func() Config { return s.config(t, 1, 0) }
}

// questioned counts how often a policy is asked.
type questioned struct {
	policies.Continuous
	asked *int
}

// Totals implements policies.Batching.
func (c *questioned) Totals() policies.Aggregating { return c }

// PlanAggregate implements policies.Aggregating.
func (c *questioned) PlanAggregate(v *policies.Aggregate, d *policies.Decision) bool {
	*c.asked++
	return c.Continuous.PlanAggregate(v, d)
}

// TestChunksAreTakenTogether: a prompt of 8,192 tokens beside a sequence that decodes takes 65 steps, most of which follow from
// few decisions.
func TestChunksAreTakenTogether(t *testing.T) {
	traffic, asked := &scripted{}, 0
	traffic.add(0, 1, 100)
	traffic.add(0.001, 8192, 1)
	s := setup{cost: deployed(t, "llama-3.1-8b"), batching: func() policies.Batching {
		return &questioned{policies.Continuous{MaxNumSeqs: 4, MaxNumBatchedTokens: 128}, &asked}
	}}
	record, err := Run(context.Background(), s.configOf(traffic))
	if err != nil {
		t.Fatal(err)
	}
	if steps := record.Pools[0].Steps.Prompts.Steps; steps != 66 || asked > 16 {
		t.Errorf("%v steps with prompts, and the policy was asked %d times", steps, asked)
	}
}

// TestChunksGoOnBehindAQueue: while a request waits for a prompt of 64 chunks, a hundred others come, and the policy is asked for few steps.
func TestChunksGoOnBehindAQueue(t *testing.T) {
	for _, async := range []bool{false, true} {
		traffic, asked := &scripted{}, 0
		traffic.add(0, 8192, 1)
		for k := range 100 {
			traffic.add(0.01+units.Seconds(k)/1000, 1, 1)
		}
		s := setup{cost: deployed(t, "llama-3.1-8b"), frontEnd: 1e-4, batching: func() policies.Batching {
			return &questioned{policies.Continuous{MaxNumSeqs: 200, MaxNumBatchedTokens: 128}, &asked}
		}, change: func(p *Pool, _ uint64) { p.AsyncScheduling = async }}
		if _, err := Run(context.Background(), s.configOf(traffic)); err != nil {
			t.Fatal(err)
		}
		if asked > 16 {
			t.Errorf("async %t: the policy was asked %d times", async, asked)
		}
	}
}

// TestArrivalsBesideChunksAreHeldBySlots: a request that comes beside the chunks of the one sequence that a batch may have waits for its
// slot from the next plan on.
func TestArrivalsBesideChunksAreHeldBySlots(t *testing.T) {
	for _, async := range []bool{false, true} {
		var held [2]float64
		for i := range held {
			traffic := &scripted{}
			traffic.add(0, 80, 1)
			traffic.add(3.2, 1, 1)
			config := written(traffic, 100, continuous(1, 4)())
			config.Reference, config.Pools[0].AsyncScheduling = i == 0, async
			record, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			held[i] = record.Totals.HeldBySlots
		}
		if held[0] != held[1] || held[0] < 10 {
			t.Errorf("async %t: %v s in the reference, %v s in stretches", async, held[0], held[1])
		}
	}
}

// TestBlocksBesideChunksAreFound: of a prompt that is computed four tokens a step, six steps' are found in the sixth, and of
// an answer of which a token comes in each step, those of its whole blocks, beside a prompt of which nobody looks for anything.
func TestBlocksBesideChunksAreFound(t *testing.T) {
	content := &workloads.Content{IDs: []int{7}, Span: 1}
	add := func(s *scripted, at units.Seconds, input, output, named int) {
		s.add(at, input, output)
		r := &s.requests[len(s.requests)-1]
		r.Content, r.Named = content, named
	}
	prompt, answer := &scripted{}, &scripted{}
	add(prompt, 0, 40, 1, 40)
	add(prompt, 5.5, 41, 1, 40)
	add(answer, 0, 2, 60, 62)
	answer.add(0, 60, 1)
	add(answer, 15.5, 61, 1, 60)
	for traffic, want := range map[*scripted]int{prompt: 24, answer: 16} {
		for _, reference := range []bool{false, true} {
			var seen []int
			config := written(traffic.again(), 100, continuous(8, 4)())
			config.Pools[0].Eviction = policies.LRU{}
			config.Router, config.Reference = always(notingCached{&seen}), reference
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
			if found := seen[len(seen)-1]; found != want {
				t.Errorf("reference %t: %d tokens are found, want %d", reference, found, want)
			}
		}
	}
}

// TestChunksWithGroupsOfLayers: the blocks of a prompt that is computed two tokens a step.
func TestChunksWithGroupsOfLayers(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 1, 40)
	traffic.add(0.5, 40, 3)
	var blocks [2]float64
	for i, reference := range []bool{false, true} {
		config := written(traffic.again(), 200, continuous(8, 3)())
		p := &config.Pools[0]
		p.Windows, p.Chunk, config.Reference = paging.Windows{Tokens: 5, Groups: 1, Full: 1}, 3, reference
		record, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		blocks[i] = record.Totals.KVBlocks
	}
	if blocks[0] != blocks[1] {
		t.Errorf("%v and %v blocks and seconds", blocks[0], blocks[1])
	}
}

// seenSteps is an observer that keeps the steps with prompts.
type seenSteps struct {
	Observer
	steps map[stepEnd]StepsEvent
}

func (o *seenSteps) Steps(e StepsEvent) {
	if len(e.Work.Prefill) > 0 {
		work := *e.Work
		work.Prefill = slices.Clone(work.Prefill)
		e.Work = &work
		o.steps[stepEnd{e.Replica, e.End}] = e
	}
}
func (o *seenSteps) Phase(PhaseEvent) {}

// TestObserverSeesChunksAlike: of steps with prompts it sees the same in both engines, of each by itself.
func TestObserverSeesChunksAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fresh := drawChunks(t)
		var seen [2]map[stepEnd]StepsEvent
		for i := range seen {
			seen[i] = map[stepEnd]StepsEvent{}
			config := fresh()
			config.Reference, config.Observer = i == 0, &seenSteps{steps: seen[i]}
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
		}
		if len(seen[0]) != len(seen[1]) {
			t.Fatalf("%d steps with prompts in the reference, %d in stretches", len(seen[0]), len(seen[1]))
		}
		for at, a := range seen[0] {
			if b := seen[1][at]; !reflect.DeepEqual(a, b) {
				t.Errorf("the step of replica %d that ends at %v is %+v of %+v in the reference, %+v of %+v in stretches", at.replica, at.end, a, a.Work, b, b.Work)
			}
		}
	})
}
