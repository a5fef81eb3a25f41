package sim

import (
	"context"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestTurnsAgreeOnRealCosts: cohorts that take turns for a long time do what a pipeline does step by step, with
// short memory, stages of other lengths, and requests that come whenever somebody ends.
func TestTurnsAgreeOnRealCosts(t *testing.T) {
	effort.Check(t, 1, func(t *rapid.T) { compareEngines(t, drawTurns(t)) })
}

// drawTurns is a run of a model in a pipeline under some load.
func drawTurns(t *rapid.T) func() Config {
	var cost hardware.CostModel = deployed(t, "llama-3.1-8b")
	if stages := rapid.IntRange(2, 5).Draw(t, "stages"); rapid.Bool().Draw(t, "even") {
		cost = hardware.EvenStages{CostModel: cost, N: stages}
	} else {
		cost = unevenStages{cost, stages}
	}
	if window := rapid.SampledFrom([]int{0, 0, 100}).Draw(t, "window"); window > 0 {
		cost = narrow{cost, window}
	}
	input := workloads.LengthSpec{Type: "exponential", Mean: 200, Min: 1, Max: 600}
	output := workloads.LengthSpec{Type: "exponential", Mean: rapid.Float64Range(10, 300).Draw(t, "output"), Min: 1, Max: 700}
	s := setup{
		workload: poisson(rapid.Float64Range(0.1, 100).Draw(t, "rate"), rapid.IntRange(1, 60).Draw(t, "requests"), input, output),
		cost:     cost, blocks: rapid.SampledFrom([]int{150, 400, 5000}).Draw(t, "blocks"), prefixCaching: rapid.Bool().Draw(t, "caching"),
		replicas: rapid.IntRange(1, 2).Draw(t, "replicas"), frontEnd: units.Seconds(rapid.SampledFrom([]float64{0, 4e-3}).Draw(t, "front end")),
		maxTime: units.Seconds(rapid.SampledFrom([]float64{0, 0, 3}).Draw(t, "max time")),
	}
	seqs, tokens := rapid.SampledFrom([]int{4, 64}).Draw(t, "seqs"), rapid.SampledFrom([]int{100, 2048}).Draw(t, "tokens")
	s.batching = func() policies.Batching { return &policies.Continuous{MaxNumSeqs: seqs, MaxNumBatchedTokens: tokens} }
	if clients := rapid.IntRange(0, 20).Draw(t, "clients"); clients > 0 {
		s.workload.Arrival = &workloads.ArrivalSpec{Process: "closed", Concurrency: clients}
	} else if rapid.Bool().Draw(t, "sessions") {
		drawSessions(t, &s.workload)
	}
	s.sequential = rapid.Bool().Draw(t, "sequential")
	return func() Config { return s.config(t, 1, 0) }
}

// narrow gives a cost model a window.
type narrow struct {
	hardware.CostModel
	window int
}

// Window implements hardware.CostModel.
func (n narrow) Window() int { return n.window }

// TestUnequalCohortsAgree: some of the sequences that take turns have so many tokens more in memory than others, or become so
// many, that those before them end while they are still in the first stage, and go on together.
func TestUnequalCohortsAgree(t *testing.T) {
	effort.Check(t, 1, func(t *rapid.T) { compareEngines(t, drawCohorts(t)) })
}

// drawCohorts is a few groups of requests, one behind the other, with long answers.
func drawCohorts(t *rapid.T) func() Config {
	cost := &hardware.Synthetic{StepFixed: units.Seconds(rapid.SampledFrom([]float64{0, 16}).Draw(t, "fixed")), PerContextToken: 1}
	s := setup{cost: hardware.EvenStages{CostModel: cost, N: rapid.IntRange(2, 5).Draw(t, "stages")}}
	s.batching = rapid.SampledFrom([]func() policies.Batching{continuous(64, 4096), func() policies.Batching {
		return &policies.Alternating{MaxNumSeqs: 64, MaxNumBatchedTokens: 4096}
	}}).Draw(t, "policy")
	s.blocks = rapid.SampledFrom([]int{0, 0, 40, 60}).Draw(t, "blocks")
	traffic, at := &scripted{}, 0.0
	for range rapid.IntRange(2, 5).Draw(t, "groups") {
		input, size := rapid.IntRange(1, 100).Draw(t, "input"), rapid.IntRange(1, 4).Draw(t, "size")
		for range size {
			traffic.add(units.Seconds(at), input, rapid.IntRange(40, 300).Draw(t, "output"))
		}
		at += float64(rapid.IntRange(1, 200).Draw(t, "later"))
	}
	return func() Config { return s.configOf(traffic.again()) }
}

// seenTurns is an observer that keeps the work of steps, and how full the memory is in them, by replica in the order of their ends.
type seenTurns map[int][]seenTurn

type seenTurn struct {
	start, end      units.Seconds
	rows, blocks    int
	context, window int64
}

func (o seenTurns) Steps(e StepsEvent) {
	o[e.Replica] = append(o[e.Replica], seenTurn{e.Start, e.End, e.Work.DecodeRows, e.Blocks, e.Work.DecodeContext, e.Work.DecodeWindowContext})
}
func (seenTurns) Move(MoveEvent)   {}
func (seenTurns) Phase(PhaseEvent) {}

// TestObserverSeesTurnsAlike: of turns it sees the same as of steps one by one, also where a router looks at replicas amid those that are planned.
func TestObserverSeesTurnsAlike(t *testing.T) {
	effort.Check(t, 1, func(t *rapid.T) {
		fresh, entry := drawTurns(t), rapid.SampledFrom(routing.Routers).Draw(t, "router")
		var seen [2]seenTurns
		for i := range seen {
			seen[i] = seenTurns{}
			config := fresh()
			config.Router = func() routing.Router { return entry.New(entry.Defaults, rand.New(rand.NewPCG(1, 2))) }
			config.Reference, config.Observer = i == 0, seen[i]
			if _, err := Run(context.Background(), config); err != nil {
				t.Fatal(err)
			}
		}
		for replica, steps := range seen[0] {
			turns := seen[1][replica]
			if len(steps) != len(turns) {
				t.Fatalf("%d steps of the reference, %d in turns", len(steps), len(turns))
			}
			for i, a := range steps {
				if b := turns[i]; !a.like(b) {
					t.Errorf("a step of replica %d is %+v in the reference, %+v in turns", replica, a, b)
				}
			}
		}
	})
}

// like tells whether two steps are alike, times but for rounding.
func (a seenTurn) like(b seenTurn) bool {
	same := near(float64(a.start), float64(b.start)) && near(float64(a.end), float64(b.end))
	b.start, b.end = a.start, a.end
	return same && a == b
}
