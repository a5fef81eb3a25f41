package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestGuessersAgreeWithSteps: where the scheduler plans as many guesses for each sequence, or none, as long as the batch and its context
// change little, what sequences have of all steps is known when they join.
func TestGuessersAgreeWithSteps(t *testing.T) {
	planned := func(s *scene) bool { return s.guesses != nil && s.proposes() }
	effort.Check(t, 20, func(t *rapid.T) { s := drawSuiting(t, planned); compareEngines(t, s.fresh) })
}

// slidden is a cost of what is attended to in layers with a window.
type slidden struct{ hardware.Plain }

// Window implements hardware.CostModel.
func (slidden) Window() int { return 40 }

// Step implements hardware.CostModel.
func (slidden) Step(w *hardware.Work) hardware.Cost {
	return hardware.Cost{Time: units.Seconds(1+float64(w.DecodeWindowContext)) / 1024}
}

// TestGuessersAreForeknown: what sequences attend to within a window, and blocks that others may find, are not summed up ahead.
func TestGuessersAreForeknown(t *testing.T) {
	output := workloads.LengthSpec{Type: "exponential", Mean: 60, Min: 1, Max: 200}
	plain, turns := poisson(20, 40, fixed(20), output), poisson(10, 40, fixed(20), output)
	turns.Session = &workloads.SessionSpec{Turns: workloads.Turns(fixed(4)), ThinkTime: workloads.Thinking(0.1)}
	for name, s := range map[string]setup{
		"window": {workload: plain, cost: slidden{}, blocks: 10_000},
		"names":  {workload: turns, cost: &hardware.Synthetic{StepFixed: 0.01}, blocks: 40, prefixCaching: true},
	} {
		t.Run(name, func(t *testing.T) {
			s.batching = func() policies.Batching {
				return &policies.Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 64,
					Guesses: &policies.Guesses{Proposals: &policies.FixedProposals{Tokens: 3}, Lookahead: 3}}
			}
			effort.Check(t, 1, func(t *rapid.T) {
				seed := rapid.Uint64().Draw(t, "seed")
				compareEngines(t, func() Config {
					c := s.config(t, seed, 0)
					c.Pools[0].Acceptance, c.Pools[0].AsyncScheduling = workloads.NewAcceptance([]float64{0.6}, seed, 0), seed%2 == 0
					return c
				})
			})
		})
	}
}

// TestStepTotals: of every step sequences have together what each has of it, also once the ring has grown and gone round; and those that
// leave early leave nothing.
func TestStepTotals(t *testing.T) {
	effort.Check(t, 5, func(t *rapid.T) {
		rule, g := newRowRule(rapid.SampledFrom([]int{1, 3, 4, 16, 128, 256}).Draw(t, "tokens of a block")), guessers{}
		rule.draft = rapid.SampledFrom([]int{4, mostOfLane, 30, 64}).Draw(t, "guesses")
		rule.nodes = rule.draft + rapid.SampledFrom([]int{0, 200}).Draw(t, "branches")
		rule.slots, rule.mask = 1+rule.nodes, -1
		plain := rapid.Bool().Draw(t, "without guesses")
		switch {
		case plain:
			rule.nodes, rule.slots = 0, rapid.IntRange(1, 5).Draw(t, "slots")
		case rapid.Bool().Draw(t, "counts on all"):
			rule.assumed, rule.mask = rule.nodes, 0
		}
		for range rapid.IntRange(1, 8).Draw(t, "turns") {
			var rows []guessedRow
			var paths [][]uint8
			shortest := math.MaxInt
			for range rapid.IntRange(1, 3).Draw(t, "sequences") {
				steps := rapid.OneOf(rapid.IntRange(1, 600), rapid.IntRange(32*stepLanes-20, 32*stepLanes)).Draw(t, "steps")
				shortest = min(shortest, steps)
				s := &sequence{}
				if rule.assumed > 0 {
					s.Assumed = rapid.SampledFrom([]int{0, rule.nodes - 1, rule.nodes, rule.nodes + 2}).Draw(t, "assumed") // more where there were more guesses
				}
				s.Computed, s.Blocks = rapid.IntRange(0, 50).Draw(t, "tokens"), rapid.IntRange(0, 20).Draw(t, "blocks")
				right := make([]uint8, steps)
				if plain {
					g.addPlain(s, steps, &rule)
				} else {
					right = rapid.SliceOfN(rapid.Uint8Range(0, uint8(rule.draft)), steps, steps).Draw(t, "right")
					g.add(s, right, &rule)
				}
				rows, paths = append(rows, guessedRow{computed: s.Computed, known: s.Computed + s.Assumed, blocks: s.Blocks}), append(paths, right)
			}
			passed := rapid.IntRange(0, shortest).Draw(t, "passed")
			for step := range passed {
				context, demand := int64(0), 0
				for i := range rows {
					r, right := &rows[i], paths[i][step]
					context += int64(r.computed + 1)
					needed := max(r.blocks, (r.known+rule.slots+rule.size-1)/rule.size)
					demand += needed - r.blocks
					r.blocks, r.known = needed, rule.knownAfter(r.computed, right)
					r.computed += 1 + int(right)
				}
				if g.context != context || g.demand() != demand {
					t.Fatalf("step %d attends to %d tokens and takes %d blocks, want %d and %d", step, g.context, g.demand(), context, demand)
				}
				g.pass(1, 0)
			}
			g.clear()
		}
		for i, eight := range g.ahead {
			if eight != (eightSteps{}) {
				t.Errorf("%v is left of eight steps, %d", eight, i)
			}
		}
	})
}

// TestTotalsAreNotTooLarge: a batch of which a step may have more than totals count to is none, also where it becomes as large while it is.
func TestTotalsAreNotTooLarge(t *testing.T) {
	s := setup{cost: withDrafter(t), blocks: 100_000, batching: func() policies.Batching {
		return &policies.Continuous{MaxNumSeqs: 1000, MaxNumBatchedTokens: 1 << 20,
			Guesses: &policies.Guesses{Proposals: &policies.FixedProposals{Tokens: workloads.LongestTrail}}}
	}}
	traffic := &scripted{}
	for i := range 200 {
		traffic.add(units.Seconds(i/100*100), 10, 20_000)
	}
	c := s.configOf(traffic)
	c.Pools[0].Acceptance = workloads.NewAcceptance([]float64{0.1}, 1, 0)
	f := newFleet(t.Context(), &c)
	for f.schedule(); f.kernel.step(); f.schedule() {
	}
	g := &f.replicas[0].engine.(*speculating).guessers
	if f.replicas[0].advance(99); !g.gathered || g.count != 100 {
		t.Errorf("%d sequences are totals, want 100", g.count)
	}
	if f.replicas[0].advance(200); g.gathered {
		t.Errorf("%d sequences are totals, want none", g.count)
	}
}

// TestNobodyIsLookedAt: a batch that guesses alike becomes totals, and so does one that is too large for guesses.
func TestNobodyIsLookedAt(t *testing.T) {
	for _, above := range []int{0, 2} {
		testNobodyIsLookedAt(t, &policies.FixedProposals{Tokens: 4, DisableAboveBatch: above})
	}
}

func testNobodyIsLookedAt(t *testing.T, proposals policies.Proposals) {
	t.Helper()
	s := setup{cost: withDrafter(t), blocks: 1000, batching: func() policies.Batching {
		return &policies.Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 1024, Guesses: &policies.Guesses{Proposals: proposals}}
	}}
	traffic := &scripted{}
	for range 4 {
		traffic.add(0, 100, 100)
	}
	c := s.configOf(traffic)
	c.Pools[0].Acceptance = workloads.NewAcceptance([]float64{0.6}, 1, 0)
	f := newFleet(t.Context(), &c)
	for f.schedule(); f.kernel.step(); f.schedule() {
	}
	f.replicas[0].advance(0.2)
	if g := &f.replicas[0].engine.(*speculating).guessers; !g.gathered || g.count != 4 {
		t.Errorf("%d sequences are totals, want 4", g.count)
	}
}

// TestGatheringIsPutOff: ever longer where totals do not last, and not where nobody is left.
func TestGatheringIsPutOff(t *testing.T) {
	g := guessers{}
	for i, c := range []struct {
		lasted      int64
		count, want int
	}{{10, 1, 1}, {10, 1, 3}, {63, 2, 7}, {10, 0, 7}, {64, 1, 1}, {5, 3, 3}} {
		g.since, g.count = g.steps, c.count
		g.steps += c.lasted
		if g.dissolve(); g.wait != c.want {
			t.Errorf("after time %d for %d plans, want %d", i, g.wait, c.want)
		}
	}
}
