package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// Relations between two runs, of which neither's result need be known. Relations that
// look as true and are not are in anomalies_test.go, the change of units in scaled_test.go.

// metamorphic draws scenes in an open loop and holds a relation between runs of each that
// it may be held in.
func metamorphic(t *testing.T, suits func(s *scene) bool, relation func(t *rapid.T, s scene)) {
	effort.Check(t, 10, func(t *rapid.T) {
		s := drawSuiting(t, suits)
		s.config.Drain, s.traffic.clients = true, 0
		s.config.Reference = rapid.Bool().Draw(t, "reference")
		relation(t, s)
	})
}

// everyScene is for relations that hold in any of them.
func everyScene(*scene) bool { return true }

// static tells whether the policy is one of static batches, which has a clock of its own
// and pads memory with what it computes.
func (s *scene) static() bool {
	policy := s.policy()
	if guessing, ok := policy.(*policies.Speculative); ok {
		policy = guessing.Batching
	}
	_, static := policy.(*policies.Static)
	return static
}

// blindToMemory tells whether nothing looks at how much memory is free but who needs it: not
// moves to a tier below, nor batches that wait to be full.
func blindToMemory(s *scene) bool { return s.config.Pools[0].Tiers == nil && !s.static() }

// recordOf simulates a configuration.
func recordOf(t *rapid.T, c Config) *metrics.Record {
	rec, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestTheFutureDoesNotChangeThePast: without the requests that arrive from some time on,
// whatever happens before is the same: who has how many tokens by then, since when.
func TestTheFutureDoesNotChangeThePast(t *testing.T) {
	metamorphic(t, func(s *scene) bool { return len(s.traffic.requests) > 0 }, func(t *rapid.T, s scene) {
		n := rapid.IntRange(0, len(s.traffic.requests)-1).Draw(t, "kept")
		until := s.traffic.requests[n].Arrival
		whole := recordOf(t, s.fresh())
		s.traffic = &scripted{requests: s.traffic.requests[:n]}
		part := recordOf(t, s.fresh())
		for i := range part.Requests {
			a, b := &whole.Requests[i], &part.Requests[i]
			for what, times := range map[string][2]units.Seconds{"first": {a.First, b.First}, "last": {a.Last, b.Last}} {
				if before := min(times[0], times[1]); before < until && times[0] != times[1] && a.State == metrics.Completed && b.State == metrics.Completed {
					t.Errorf("request %d: %s token at %v, without those that arrive from %v on at %v", i, what, times[0], until, times[1])
				}
			}
		}
	})
}

// TestReplicasInTurnAreSplitTraces: replicas that requests go to in turn are as many runs
// of one replica, each with every n-th request.
func TestReplicasInTurnAreSplitTraces(t *testing.T) {
	unnumbered := func(s *scene) bool { return s.config.Pools[0].Acceptance == nil } // guesses are drawn by a request's number
	metamorphic(t, unnumbered, func(t *rapid.T, s scene) {
		n := s.count
		s.config.Router, s.config.Queue = nil, nil
		s.constant()
		all, traffic := recordOf(t, s.fresh()), s.traffic
		s.count = 1
		var steps int64
		for replica := range n {
			s.traffic = &scripted{}
			for i := replica; i < len(traffic.requests); i += n {
				r := traffic.requests[i]
				r.ID = len(s.traffic.requests)
				s.traffic.requests = append(s.traffic.requests, r)
			}
			rec := recordOf(t, s.fresh())
			steps += rec.Totals.Steps
			for i := range rec.Requests {
				a, b := all.Requests[i*n+replica], rec.Requests[i]
				a.InWindow = b.InWindow
				sameRequest(t, i*n+replica, a, b)
			}
		}
		if all.Totals.Steps != steps {
			t.Errorf("%d steps of %d replicas, %d of each alone", all.Totals.Steps, n, steps)
		}
	})
}

// TestBlocksOfAlignedSequences: where every sequence holds memory for its whole length, and
// that is a number of whole blocks, larger blocks of the same memory change nothing.
func TestBlocksOfAlignedSequences(t *testing.T) {
	byLength := func(s *scene) bool { // else memory is taken otherwise
		p := &s.config.Pools[0]
		_, spare := s.policy().(*policies.LightLLM) // which counts tokens, and to each sequence what a last block may have beyond them
		return !spare && !s.static() && p.Tiers == nil && p.Acceptance == nil && p.Windows.Groups == 0 && p.Compression == nil
	}
	metamorphic(t, byLength, func(t *rapid.T, s scene) {
		const larger = 3
		p := &s.config.Pools[0]
		p.Reserve, p.Eviction, s.config.TooLong = policies.ReserveDeclared, nil, Reject
		aligned := larger * p.BlockSize
		requests := slices.Clone(s.traffic.requests)
		for i := range requests {
			r := &requests[i]
			r.Output += (aligned - (r.Input+r.Output)%aligned) % aligned
		}
		s.traffic = &scripted{requests: requests}
		blocks := p.Blocks
		p.Blocks = blocks * larger
		p.MaxTokens = min(p.MaxTokens, p.Blocks*p.BlockSize)
		want := recordOf(t, s.fresh())
		p.Blocks, p.BlockSize = blocks, aligned
		got := recordOf(t, s.fresh())
		sameRequests(t, want, got)
		want.Totals.KVBlocks /= larger
		sameTotals(t, want, got)
	})
}

// TestMemoryThatNobodyLacks: more of it changes nothing where nobody ever waits for memory
// or loses it. Nothing is cached, since a cache fills whatever there is.
func TestMemoryThatNobodyLacks(t *testing.T) {
	var compared int
	metamorphic(t, blindToMemory, func(t *rapid.T, s scene) {
		s.constant()
		p := &s.config.Pools[0]
		p.Eviction, s.config.Router, s.config.TooLong, p.MaxTokens = nil, nil, Reject, min(p.MaxTokens, p.longest())
		p.Blocks *= rapid.IntRange(1, 20).Draw(t, "more")
		want := recordOf(t, s.fresh())
		longest := 0
		for _, r := range s.traffic.requests {
			longest = max(longest, r.Input+r.Output)
		}
		if used := want.Totals.KVMax * float64(p.Blocks); used+float64(2*p.blocksFor(longest+8)) > 0.95*float64(p.Blocks) {
			t.Skip("at some time two more requests with all their guesses, and what schedulers keep free, had no room")
		}
		if want.Totals.HeldByMemory > 0 {
			t.Skip("a prompt waited for blocks that come free behind a sliding window in the same step")
		}
		compared++
		p.Blocks *= 7
		got := recordOf(t, s.fresh())
		sameRequests(t, want, got)
		if p, q := want, got; p.Totals.Steps != q.Totals.Steps || p.Ended != q.Ended {
			t.Errorf("%d steps until %v, with more memory %d until %v", p.Totals.Steps, p.Ended, q.Totals.Steps, q.Ended)
		}
	})
	if compared == 0 {
		t.Error("memory was short in every run")
	}
}

// TestFasterStepsWhereAllComeAtOnce: if all requests come at once and nothing but steps takes
// time, schedulers decide by counts alone. Every run makes the same steps then, whatever
// they take, so that with a faster accelerator no token comes later.
func TestFasterStepsWhereAllComeAtOnce(t *testing.T) {
	metamorphic(t, blindToMemory, func(t *rapid.T, s scene) { // moves and batches that wait know times of their own, too
		s.constant()
		p := &s.config.Pools[0]
		p.FrontEnd, p.Compression, s.config.MaxTime, s.config.Router, s.config.Queue = func(int) units.Seconds { return 0 }, nil, 0, nil, nil
		p.CacheTTL = 0 // who is served sooner finds more that is not too old yet
		requests := slices.Clone(s.traffic.requests)
		for i := range requests {
			requests[i].Planned, requests[i].Arrival = 0, 0
		}
		s.traffic = &scripted{requests: requests}
		if _, plain := p.Cost.(*hardware.Synthetic); !plain {
			p.Cost = &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 0.25, PerContextToken: 0.1}
		}
		slow := recordOf(t, s.fresh())
		cost := *p.Cost.(*hardware.Synthetic)
		share := func(name string) units.Seconds { return units.Seconds(rapid.Float64Range(0.1, 1).Draw(t, name)) }
		cost.StepFixed *= share("faster step")
		cost.PerDecodeRow *= share("faster row")
		cost.PerContextToken *= share("faster context")
		cost.PerPrefillToken *= share("faster prompt")
		p.Cost = &cost
		fast := recordOf(t, s.fresh())
		if slow.Totals.Steps != fast.Totals.Steps || slow.Totals.Preemptions != fast.Totals.Preemptions {
			t.Errorf("%d steps and %d preemptions, faster %d and %d", slow.Totals.Steps, slow.Totals.Preemptions, fast.Totals.Steps, fast.Totals.Preemptions)
		}
		for i := range slow.Requests {
			a, b := &slow.Requests[i], &fast.Requests[i]
			if slack := 1e-9 * max(1, a.Last); b.First > a.First+slack || b.Last > a.Last+slack {
				t.Errorf("request %d: tokens from %v to %v, faster from %v to %v", i, a.First, a.Last, b.First, b.Last)
			}
		}
	})
}

// TestFasterSingleServer: one sequence at a time, first come, first served, is a queue with
// one server, in which faster service delays nobody (Lindley's recursion is monotone),
// whenever requests come.
func TestFasterSingleServer(t *testing.T) {
	metamorphic(t, everyScene, func(t *rapid.T, s scene) {
		p := &s.config.Pools[0]
		*p = Pool{Blocks: p.Blocks, BlockSize: p.BlockSize, MaxTokens: p.longest(), Reserve: policies.ReserveDeclared, FrontEnd: p.FrontEnd,
			Threads: p.Threads, Sequential: false}
		s.config.Rank, s.config.Served, s.config.Router, s.config.Queue, s.config.MaxTime, s.count = nil, nil, nil, nil, 0, 1
		s.policy = continuous(1, 1000)
		draw := func(name string, most float64) units.Seconds {
			return units.Seconds(rapid.Float64Range(0.01, most).Draw(t, name))
		}
		cost := hardware.Synthetic{StepFixed: draw("step", 1), PerPrefillToken: draw("token", 1), PerContextToken: draw("context", 0.1)}
		p.Cost = &cost
		slow := recordOf(t, s.fresh())
		faster := cost
		faster.StepFixed *= draw("faster step", 1)
		faster.PerPrefillToken *= draw("faster token", 1)
		faster.PerContextToken *= draw("faster context", 1)
		p.Cost = &faster
		fast := recordOf(t, s.fresh())
		for i := range slow.Requests {
			a, b := &slow.Requests[i], &fast.Requests[i]
			if slack := 1e-9 * max(1, a.Last); b.First > a.First+slack || b.Last > a.Last+slack {
				t.Errorf("request %d: tokens from %v to %v, faster from %v to %v", i, a.First, a.Last, b.First, b.Last)
			}
		}
	})
}

// TestClassesAreNames: what classes are called decides nothing where no order reads them.
func TestClassesAreNames(t *testing.T) {
	metamorphic(t, everyScene, func(t *rapid.T, s scene) {
		s.config.Rank, s.config.Served, s.config.Router, s.config.Queue = nil, nil, nil, nil
		want := recordOf(t, s.fresh())
		s.traffic = &scripted{requests: slices.Clone(s.traffic.requests)}
		for i := range s.traffic.requests {
			s.traffic.requests[i].Class = 2 - s.traffic.requests[i].Class
		}
		got := recordOf(t, s.fresh())
		for i := range got.Requests {
			got.Requests[i].Class = want.Requests[i].Class
		}
		sameRequests(t, want, got)
		sameTotals(t, want, got)
	})
}
