package sim

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// drawProposals draws how many guesses there are in a step: always as many, none in a large batch, or as many as
// promise the most tokens a second.
func (s *scene) drawProposals(t *rapid.T, guesses int) policies.Proposals {
	p := &s.config.Pools[0]
	cost := p.Cost // that of the scene: a test that changes it leaves how many guesses there are as it is
	if synthetic, ok := cost.(*hardware.Synthetic); ok {
		synthetic.PerDraftPass = units.Seconds(rapid.SampledFrom([]float64{0, 0, 0.25, 0.1}).Draw(t, "per pass"))
		synthetic.PerDraftRow = units.Seconds(rapid.SampledFrom([]float64{0, 0, 0.05}).Draw(t, "per guess"))
	}
	above := rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "disable above")
	if rapid.Bool().Draw(t, "as many as planned") {
		return &policies.FixedProposals{Tokens: guesses, DisableAboveBatch: above}
	}
	return &policies.AdaptiveProposals{Tokens: guesses, DisableAboveBatch: above, Expected: p.Acceptance.Expected,
		StepTime: func(sequences int, context int64, guesses int) units.Seconds {
			return cost.Step(&hardware.Work{DecodeRows: sequences, DecodeContext: context, DraftRows: sequences * guesses, DraftPasses: guesses}).Time
		}}
}

// proposes tells whether sequences of a scene guess.
func (s *scene) proposes() bool { return s.config.Pools[0].Acceptance != nil }

// TestSpeculatingAgreesWithSteps: with guesses the fast engine does what the reference does, too.
func TestSpeculatingAgreesWithSteps(t *testing.T) {
	effort.Check(t, 20, func(t *rapid.T) { s := drawSuiting(t, (*scene).proposes); compareEngines(t, s.fresh) })
}

// TestPipelinesAgreeWithSteps: a pipeline whose policy decides from totals does what one does whose policy looks at
// every sequence.
func TestPipelinesAgreeWithSteps(t *testing.T) {
	piped := func(s *scene) bool { return hardware.PipelineOf(s.config.Pools[0].Cost).Stages() > 1 }
	effort.Check(t, 10, func(t *rapid.T) { s := drawSuiting(t, piped); compareEngines(t, s.fresh) })
}

// TestSpeculatingAgreesOnRealCosts is the same for a model with a drafter, with long answers and little memory.
func TestSpeculatingAgreesOnRealCosts(t *testing.T) {
	cost := withDrafter(t)
	effort.Check(t, 2, func(t *rapid.T) { compareEngines(t, drawSpeculation(t, cost)) })
}

// TestSpeculatingLeavesCurves: steps ahead go from the curve that the cost of one is on to the next one.
func TestSpeculatingLeavesCurves(t *testing.T) {
	effort.Check(t, 1, func(t *rapid.T) { compareEngines(t, drawSpeculation(t, edged{})) })
}

// seenGuesses is an observer that keeps the work of the steps of each replica, and how full the memory is in them.
type seenGuesses map[int][]seenTurn

func (o seenGuesses) Steps(e StepsEvent) {
	for k := range e.Steps {
		context := e.Work.DecodeContext + int64(k*e.Work.DecodeRows)
		o[e.Replica] = append(o[e.Replica], seenTurn{rows: e.Work.DecodeRows, blocks: e.Blocks, context: context, window: int64(e.Work.DraftRows)})
	}
}
func (seenGuesses) Move(MoveEvent)   {}
func (seenGuesses) Phase(PhaseEvent) {}

// TestObserverSeesGuessesAlike: of steps with guesses it sees the same, whether they are computed ahead or one by one.
func TestObserverSeesGuessesAlike(t *testing.T) {
	cost := withDrafter(t)
	effort.Check(t, 1, func(t *rapid.T) {
		fresh := drawSpeculation(t, cost)
		var seen [2]seenGuesses
		for i := range seen {
			seen[i] = seenGuesses{}
			config := fresh()
			config.Reference, config.Observer = i == 0, seen[i]
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
		}
		for replica, steps := range seen[0] {
			for i, step := range steps {
				if i >= len(seen[1][replica]) || seen[1][replica][i] != step {
					t.Fatalf("step %d of replica %d is %+v in the reference, then %+v ahead", i, replica, step, seen[1][replica][i:])
				}
			}
		}
	})
}

// drawSpeculation is a run of a model with a drafter under some load.
func drawSpeculation(t *rapid.T, cost hardware.CostModel) func() Config {
	input := workloads.LengthSpec{Type: "exponential", Mean: 200, Min: 1, Max: 600}
	output := workloads.LengthSpec{Type: "exponential", Mean: rapid.Float64Range(10, 300).Draw(t, "output"), Min: 1, Max: 700}
	acceptance := workloads.NewAcceptance([]float64{rapid.Float64Range(0, 1).Draw(t, "acceptance"), 0.5}, rapid.Uint64().Draw(t, "seed"), 0)
	tokens := rapid.SampledFrom([]int{rapid.IntRange(1, 5).Draw(t, "few guesses"), 3, 16, 64}).Draw(t, "guesses")
	var proposals policies.Proposals = &policies.FixedProposals{Tokens: tokens, DisableAboveBatch: rapid.SampledFrom([]int{0, 0, 10}).Draw(t, "disable above")}
	if rapid.Bool().Draw(t, "adaptive") {
		proposals = &policies.AdaptiveProposals{Tokens: tokens, Expected: acceptance.Expected,
			StepTime: func(n int, context int64, guesses int) units.Seconds {
				return cost.Step(&hardware.Work{DecodeRows: n, DecodeContext: context, LogitRows: n * (guesses + 1),
					DraftRows: n * guesses, DraftPasses: guesses, DraftContext: context * int64(guesses)}).Time
			}}
	}
	guesses := &policies.Guesses{Proposals: proposals, Lookahead: rapid.SampledFrom([]int{0, tokens}).Draw(t, "lookahead")}
	s := setup{
		workload: poisson(rapid.Float64Range(0.1, 100).Draw(t, "rate"), rapid.IntRange(1, 60).Draw(t, "requests"), input, output),
		cost:     cost, blocks: rapid.SampledFrom([]int{150, 400, 5000}).Draw(t, "blocks"), prefixCaching: rapid.Bool().Draw(t, "caching"),
		replicas: rapid.IntRange(1, 2).Draw(t, "replicas"),
		batching: func() policies.Batching {
			return &policies.Continuous{MaxNumSeqs: 64, MaxNumBatchedTokens: 2048, Guesses: guesses}
		},
	}
	if clients := rapid.IntRange(0, 20).Draw(t, "clients"); clients > 0 {
		s.workload.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: clients}
	}
	async := rapid.Bool().Draw(t, "async")
	return func() Config {
		c := s.config(t, 1, 0)
		c.Pools[0].Acceptance, c.Pools[0].AsyncScheduling = acceptance, async
		return c
	}
}

// withDrafter is llama-3.1-8b on an H100 with a smaller one that guesses.
func withDrafter(t testing.TB) *roofline.Model {
	t.Helper()
	accelerator, err := hardware.LookupAccelerator("h100-sxm")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := hardware.LookupEngine("vllm-v1")
	if err != nil {
		t.Fatal(err)
	}
	architecture, err := model.Lookup("llama-3.1-8b")
	if err != nil {
		t.Fatal(err)
	}
	drafter, err := model.Lookup("llama-3.2-1b")
	if err != nil {
		t.Fatal(err)
	}
	cost, err := roofline.New(roofline.Deployment{Accelerator: accelerator, Engine: engine, Architecture: architecture,
		Speculation: &roofline.Speculation{Method: roofline.DraftModel, Draft: drafter}})
	if err != nil {
		t.Fatal(err)
	}
	return cost
}

// TestStepsWithoutGuessesSpareTheModel: where the batch is too large for guesses, steps that follow each other are taken together, and
// cost what a line says.
func TestStepsWithoutGuessesSpareTheModel(t *testing.T) {
	model := &counted{CostModel: &hardware.Synthetic{StepFixed: 1, PerContextToken: 1. / 1024}}
	s := setup{cost: model, blocks: 10_000, batching: func() policies.Batching {
		return &policies.Speculative{Batching: continuous(8, 8192)(), Proposals: &policies.FixedProposals{Tokens: 3, DisableAboveBatch: 1}}
	}}
	traffic := &scripted{}
	traffic.add(0, 100, 4000)
	traffic.add(0, 200, 4000)
	c := s.configOf(traffic)
	c.Pools[0].Acceptance = accepting(0.5)
	rec, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if steps := rec.Totals.Steps; steps < 4000 || model.steps > 100 {
		t.Errorf("of %d steps the model was asked for %d", steps, model.steps)
	}
}
