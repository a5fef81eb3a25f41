package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// written is a run of written traffic on small blocks, with a replica for each
// policy.
func written(traffic *scripted, blocks int, batching ...policies.Batching) Config {
	return Config{
		Traffic: traffic, Drain: true,
		Pools: []Pool{{
			Replicas: len(batching), Batching: inOrder(batching...), Cost: &hardware.Synthetic{StepFixed: 1},
			FrontEnd: func(int) units.Seconds { return 0 }, Reserve: policies.ReservePaged,
			Blocks: blocks, BlockSize: 2, MaxTokens: math.MaxInt,
		}},
	}
}

// inOrder hands out the policies one after the other.
func inOrder(batching ...policies.Batching) func() policies.Batching {
	return func() policies.Batching {
		next := batching[0]
		batching = batching[1:]
		return next
	}
}

// TestRecomputeInSmallChunks: a prefill that goes on token by token, on a budget
// of one, is a prefill all the same: of what it computes, only what had been
// computed before counts as recomputed, and nothing as decode.
func TestRecomputeInSmallChunks(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 5)
	traffic.add(0, 4, 4)
	rec, err := Run(context.Background(), written(traffic, 6, continuous(8, 8)()))
	if err != nil || rec.Totals.RecomputedTokens != 6 {
		t.Fatalf("%d tokens were recomputed (%v), want 6", rec.Totals.RecomputedTokens, err)
	}
	recomputed := rec.Totals.RecomputedTokens
	rec, w, err := watch(written(traffic.again(), 6, &shrinking{policies.Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 8}}))
	if err != nil || rec.Totals.RecomputedTokens != recomputed || int64(w.recomputed) != recomputed {
		t.Errorf("in chunks of one token %d tokens were recomputed, want %d (%v)", rec.Totals.RecomputedTokens, recomputed, err)
	}
}

// shrinking has a budget of one token from the first preemption on.
type shrinking struct{ policies.Continuous }

func (s *shrinking) Plan(v *policies.View, d *policies.Decision) {
	s.Continuous.Plan(v, d)
	if len(d.Preempt) > 0 {
		s.MaxNumBatchedTokens = 1
	}
}

// TestArrivalAtTheEndOfAStep: a replica whose step ends exactly when a request
// arrives elsewhere must not deliver it before the other replica gets there.
func TestArrivalAtTheEndOfAStep(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0.5, 1, 1)  // replica 0 is idle again at 1.5
	traffic.add(0.75, 1, 3) // replica 1 is busy until 3.75
	traffic.add(2, 1, 5)    // replica 0 has a step that ends at 3
	traffic.add(3, 1, 1)    // arrives at replica 1 at that time
	config := written(traffic, 8, continuous(8, 8)(), continuous(8, 8)())
	rec, w, err := watch(config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	for _, p := range w.problems {
		t.Error(p)
	}
	if got := rec.Requests[3].First; got != 4.75 {
		t.Errorf("request 3 has its first token at %v, want 4.75: one step after the one that it arrived in", got)
	}
}

// TestWaitBeyondTheEnd: a batch that waits for company when the run ends does not
// start afterwards.
func TestWaitBeyondTheEnd(t *testing.T) {
	traffic := &scripted{}
	traffic.add(1, 1, 1)
	config := written(traffic, 8, &policies.Static{BatchSize: 2, MaxWait: 10})
	config.Pools[0].Reserve, config.MaxTime = policies.ReserveDeclared, 5
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	if rec.Totals.Waiting != 4 || rec.Totals.KVBlocks != 0 || rec.Ended != 5 {
		t.Errorf("waited for %v, held %v block seconds, ended at %v", rec.Totals.Waiting, rec.Totals.KVBlocks, rec.Ended)
	}
}

// TestFrontEndAtTheEnd: who leaves the front end during the step that the end of the
// run cuts has waited since.
func TestFrontEndAtTheEnd(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 1, 1)
	traffic.add(1, 1, 1)
	config := written(traffic, 8, continuous(8, 8)())
	config.Pools[0].Cost = &hardware.Synthetic{StepFixed: 10}
	config.Pools[0].FrontEnd = func(int) units.Seconds { return 2 }
	config.MaxTime = 6
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Totals.InFrontEnd != 4 || rec.Totals.Waiting != 3 {
		t.Errorf("%v request seconds in the front end and %v waiting, want 4 and 3", rec.Totals.InFrontEnd, rec.Totals.Waiting)
	}
}

// TestAsyncSchedulingMissesAStep: a request that arrives during a step is in the
// next one, or under asynchronous scheduling, which has planned that one already,
// in the one behind it.
func TestAsyncSchedulingMissesAStep(t *testing.T) {
	for async, want := range map[bool]units.Seconds{false: 2, true: 3} {
		for _, reference := range []bool{false, true} {
			t.Run(fmt.Sprintf("async %t, reference %t", async, reference), func(t *testing.T) {
				traffic := &scripted{}
				traffic.add(0, 1, 10)
				traffic.add(0.5, 1, 1)
				config := written(traffic, 100, continuous(8, 8)())
				config.Pools[0].AsyncScheduling, config.Reference = async, reference
				rec, err := Run(context.Background(), config)
				if err != nil {
					t.Fatal(err)
				}
				if got := rec.Requests[1].First; got != want {
					t.Errorf("its first token comes at %v, want %v", got, want)
				}
			})
		}
	}
}

// TestWakeUpOfAStartedBatch: under asynchronous scheduling a batch that was to
// wait for company may find it in the same moment; its wake-up is void then.
func TestWakeUpOfAStartedBatch(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 1, 3)
	traffic.add(0, 1, 3)
	traffic.add(0.5, 1, 20) // seen when the batch ends, at 3
	traffic.add(2.5, 1, 20) // and this one just after
	config := written(traffic, 100, &policies.Static{BatchSize: 2, MaxWait: 10})
	config.Pools[0].Reserve, config.Pools[0].AsyncScheduling = policies.ReserveDeclared, true
	rec, w, err := watch(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range w.problems {
		t.Error(p)
	}
	if rec.Ended != 23 || rec.Requests[2].First != 4 {
		t.Errorf("the second batch has its first tokens at %v, and the run ends at %v; want 4 and 23", rec.Requests[2].First, rec.Ended)
	}
}

// TestPreemptionOfSharedBlocks: a preempted sequence that shares blocks frees
// fewer than it holds.
func TestPreemptionOfSharedBlocks(t *testing.T) {
	traffic := &scripted{}
	for i := range 6 {
		traffic.add(units.Seconds(i), 5, 8)
		traffic.requests[i].Content, traffic.requests[i].Named = &workloads.Content{IDs: []int{1}, Span: 1}, 4
	}
	config := written(traffic, 9, continuous(8, 100)())
	config.Pools[0].Eviction = policies.LRU{}
	rec, w, err := watch(config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	for _, p := range w.problems {
		t.Error(p)
	}
	if rec.Totals.Preemptions == 0 || rec.Totals.CachedTokens == 0 {
		t.Errorf("%d preemptions and %d cached tokens: nothing was tested", rec.Totals.Preemptions, rec.Totals.CachedTokens)
	}
}

// TestTimeScales: at half the rate, with steps of twice the time, everything
// takes twice as long, to the last bit.
func TestTimeScales(t *testing.T) {
	run := func(scale float64) *metrics.Record {
		s := setup{
			workload: poisson(2/scale, 400, exponential(40), exponential(30)),
			cost: &hardware.Synthetic{StepFixed: units.Seconds(0.01 * scale), PerDecodeRow: units.Seconds(0.001 * scale),
				PerContextToken: units.Seconds(1e-5 * scale), PerPrefillToken: units.Seconds(2e-4 * scale)},
			batching: continuous(8, 64),
			blocks:   24,
			replicas: 2,
			frontEnd: units.Seconds(0.005 * scale),
		}
		return s.run(t, 1, 0)
	}
	once, twice := run(1), run(2)
	if once.Totals.Preemptions == 0 {
		t.Error("memory is not short: preemptions are not covered")
	}
	if a, b := once.ITL.Mean(), twice.ITL.Mean(); b != 2*a {
		t.Errorf("mean inter-token gaps %v and %v", a, b)
	}
	ignored := cmpopts.IgnoreFields(metrics.Record{}, "ITL", "ITLIn", "Trend", "whole", "inWindow")
	if diff := cmp.Diff(doubled(once), twice, ignored, cmpopts.IgnoreTypes(metrics.Samples{})); diff != "" {
		t.Errorf("-doubled +at half the speed:\n%s", diff)
	}
}

// doubled is a record with every time twice as long.
func doubled(rec *metrics.Record) *metrics.Record {
	d := *rec
	d.Requests = nil
	for _, r := range rec.Requests {
		r.Arrival, r.ClientQueue, r.First, r.Last = 2*r.Arrival, 2*r.ClientQueue, 2*r.First, 2*r.Last
		for i := range r.ToLast {
			r.ToFirst[i] *= 2
			r.ToLast[i] *= 2
		}
		d.Requests = append(d.Requests, r)
	}
	d.Started, d.Ended = 2*d.Started, 2*d.Ended
	d.Pools = slices.Clone(rec.Pools)
	for i := range d.Pools {
		p := &d.Pools[i]
		p.Replicas = nil
		for _, r := range rec.Pools[i].Replicas {
			r := *r
			p.Replicas = append(p.Replicas, &r)
			r.Steps.Decodes.Time *= 2
			r.Steps.Prompts.Time *= 2
			r.Totals.Busy *= 2
			r.Totals.Preparing *= 2
			r.Totals.Occupied *= 2
			for _, integral := range []*float64{&r.Totals.InFrontEnd, &r.Totals.Waiting, &r.Totals.Running, &r.Totals.KVBlocks,
				&r.Totals.HeldByMemory, &r.Totals.HeldBySlots} {
				*integral *= 2
			}
		}
	}
	d.AddUp()
	return &d
}

// endless is traffic that never ends, as fast as the replicas take it.
func endless(replicas int) setup {
	return setup{
		workload: workloads.Spec{
			NumRequests: 1e9, Input: &workloads.LengthSpec{Type: "fixed", Mean: 1, Min: 1}, Output: &workloads.LengthSpec{Type: "fixed", Mean: 1 << 20, Min: 1},
			Arrival: &workloads.ArrivalSpec{Process: "closed", Concurrency: 4},
		},
		cost:     &hardware.Synthetic{StepFixed: 1e-9},
		batching: continuous(8, 64),
		replicas: replicas,
	}
}

// patience is a context that is over when a run has looked at it so often.
type patience struct {
	context.Context
	looks int
}

// Err implements context.Context.
func (p *patience) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancel: a cancelled run returns with the context's error as soon as it looks at the
// context, within 1024 changes of the replicas, and leaves no goroutine behind; one replica
// runs ahead of the event kernel, two do not. A run that never looks never ends.
func TestCancel(t *testing.T) {
	for replicas := 1; replicas <= 2; replicas++ {
		for _, looks := range []int{0, 1, 2, 10} {
			ctx := &patience{context.Background(), looks}
			rec, err := Run(ctx, endless(replicas).config(t, 1, 0))
			if rec != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%d replicas: %v, %v", replicas, rec != nil, err)
			}
			if ctx.looks < -1100 {
				t.Errorf("%d replicas: looked %d times at a context that was over", replicas, -ctx.looks)
			}
		}
	}
	checkGoroutines(t)
}

// TestNoGoroutines: a run takes place on its caller's goroutine.
func TestNoGoroutines(t *testing.T) {
	s := setup{workload: poisson(1, 50, fixed(10), fixed(10)), cost: &hardware.Synthetic{StepFixed: 0.1}, batching: static(4), reserve: policies.ReserveDeclared, replicas: 3}
	s.run(t, 1, 0)
	checkGoroutines(t)
}

// checkGoroutines demands that there is no goroutine which this module or the event kernel
// has begun. Their number alone would not tell: the runtime's own count for as long as they
// run finalizers, and those of other tests end when they please.
func checkGoroutines(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		if strings.Contains(stack, "created by kneepoint/") || strings.Contains(stack, "created by github.com/fschuetz04/") {
			t.Errorf("a goroutine is left behind:\n%s", stack)
		}
	}
}
