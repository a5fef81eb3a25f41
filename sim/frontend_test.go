package sim

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestFrontEndThreads: a front end of c threads before an accelerator that takes
// no time is an M/D/c queue.
func TestFrontEndThreads(t *testing.T) {
	for _, tt := range []struct {
		threads int
		rho     float64
	}{{1, 0.5}, {1, 0.8}, {2, 0.8}, {4, 0.8}} {
		rate := tt.rho * float64(tt.threads)
		s := setup{
			workload: poisson(rate, 20000, fixed(1), fixed(1)),
			cost:     &hardware.Synthetic{StepFixed: 1e-9},
			batching: continuous(math.MaxInt, math.MaxInt),
			frontEnd: 1,
			threads:  tt.threads,
			warmup:   2000,
		}
		s.replicate(t, sojourn).check(t, "E[T]", 1+waitMDc(tt.threads, rate))
	}
}

// waitMDc is the mean wait in an M/D/c queue with services of 1 s, the series of
// C. D. Crommelin (Post Office Electrical Engineers' Journal 25, 1932):
//
//	E[W] = sum over i of P(X_i >= ic) - (c/rate) P(X_i > ic), X_i ~ Poisson(i rate)
func waitMDc(c int, rate float64) float64 {
	wait := 0.0
	for i := 1; i < 2000; i++ {
		mean := float64(i) * rate
		at := math.Exp(-mean + float64(i*c)*math.Log(mean) - lgamma(i*c+1)) // P(X = ic)
		above, term := 0.0, at
		for k := i*c + 1; term > 1e-18; k++ {
			term *= mean / float64(k)
			above += term
		}
		wait += at + above - float64(c)/rate*above
	}
	return wait
}

func lgamma(n int) float64 {
	v, _ := math.Lgamma(float64(n))
	return v
}

// TestWaitMDc: with one thread the series is Pollaczek and Khinchine's formula.
func TestWaitMDc(t *testing.T) {
	for _, rho := range []float64{0.3, 0.5, 0.8} {
		if got, want := waitMDc(1, rho), rho/(2*(1-rho)); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("rho = %v: a wait of %v, want %v", rho, got, want)
		}
	}
}

// TestPipelinedFrontEnd: one thread before one slot is two servers in a row.
// With constant services the whole wait is that of an M/D/1 queue before the
// slower one (H. D. Friedman, Operations Research 13, 1965), whichever it is.
func TestPipelinedFrontEnd(t *testing.T) {
	const rate = 0.7
	for _, frontEnd := range []units.Seconds{0.4, 1} {
		step := 1.4 - frontEnd
		s := singleServer(rate, 20000, fixed(1000), 1000)
		s.cost = &hardware.Synthetic{StepFixed: step}
		s.frontEnd, s.threads = frontEnd, 1
		slower := float64(max(frontEnd, step))
		s.replicate(t, sojourn).check(t, "E[T]", 1.4+rate*slower*slower/(2*(1-rate*slower)))
	}
}

// TestSequentialFrontEnd: where the thread that runs the steps does the
// front-end work, a single slot is one server whose service is the sum of both:
// E[W] = rate E[S^2] / (2 (1 - rho)), here with S = F + an exponential step.
func TestSequentialFrontEnd(t *testing.T) {
	const rate, frontEnd, step = 0.7, 0.4, 0.6
	s := singleServer(rate, 40000, exponential(100000), 100000/step)
	s.frontEnd, s.sequential = frontEnd, true
	moment := frontEnd*frontEnd + 2*frontEnd*step + 2*step*step
	estimates := s.replicateAll(t, sojourn, func(rec *metrics.Record) float64 {
		return float64(rec.Totals.Busy) / float64(len(rec.Requests))
	})
	estimates[0].check(t, "E[T]", frontEnd+step+rate*moment/(2*(1-rate*(frontEnd+step))))
	estimates[1].check(t, "accelerator's time a request", step)
}

// TestOverlapOfTheFrontEnd: in saturation a pipelined front end hides the
// shorter of both, so that it is (F + S) / max(F, S) times as fast. With the
// shares that vLLM's server had before its version 0.6.0, 33 % in the HTTP
// server and 67 % in the loop (blog.vllm.ai, 5 September 2024), that is 1.5.
func TestOverlapOfTheFrontEnd(t *testing.T) {
	const frontEnd, step, requests = 0.33, 0.67, 2000
	workload := poisson(1, requests, fixed(1), fixed(1))
	workload.Arrival = &workloads.ArrivalSpec{Process: "at_once"}
	s := setup{workload: workload, cost: &hardware.Synthetic{StepFixed: step}, batching: continuous(1, math.MaxInt), frontEnd: frontEnd, threads: 1}
	if got, want := float64(s.run(t, 1, 0).Ended), frontEnd+requests*step; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("pipelined it takes %v, want %v", got, want)
	}
	s.sequential, s.threads = true, 0
	if got, want := float64(s.run(t, 1, 0).Ended), requests*(frontEnd+step); math.Abs(got/want-1) > 1e-9 {
		t.Errorf("sequentially it takes %v, want %v", got, want)
	}
}

// TestSaturatedFrontEnd: a backlog before the front end's threads counts as one.
func TestSaturatedFrontEnd(t *testing.T) {
	s := setup{workload: poisson(1.5, 2000, fixed(1), fixed(1)), cost: &hardware.Synthetic{StepFixed: 0.1},
		batching: continuous(8, math.MaxInt), frontEnd: 1}
	for threads, want := range map[int]bool{0: false, 1: true, 2: false} {
		s.threads = threads
		rec := s.run(t, 1, 0)
		if got, known := rec.Trend.Saturated(rec.Replicas()); got != want || !known {
			t.Errorf("with %d threads: saturated is %t, known %t", threads, got, known)
		}
	}
}

// TestSequentialOnce: a request is prepared once, before its first step, and not
// again after a preemption; the others of the batch wait for it meanwhile.
func TestSequentialOnce(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 5)
	traffic.add(0, 4, 4)
	config := written(traffic, 6, continuous(8, 8)())
	rec, _, err := watch(config)
	if err != nil || rec.Totals.Preemptions == 0 {
		t.Fatalf("%d preemptions (%v)", rec.Totals.Preemptions, err)
	}
	config = written(traffic.again(), 6, continuous(8, 8)())
	config.Pools[0].Sequential = true
	config.Pools[0].FrontEnd = func(prompt int) units.Seconds { return units.Seconds(prompt) }
	slower, _, err := watch(config)
	if err != nil || slower.Ended != rec.Ended+8 || slower.Totals.Busy != rec.Totals.Busy {
		t.Errorf("ends at %v and is busy for %v, want %v and %v (%v)", slower.Ended, slower.Totals.Busy, rec.Ended+8, rec.Totals.Busy, err)
	}
	if got := slower.Requests[0].First; got != 9 {
		t.Errorf("the first token comes at %v, want 9: after the work on both prompts, and a step", got)
	}
}

// TestWholeAnswers: an answer that is sent whole has its first token with its
// last, at the time at which it would have had its last anyway.
func TestWholeAnswers(t *testing.T) {
	traffic := &scripted{}
	traffic.add(0, 4, 5)
	traffic.add(1, 4, 1)
	var ends [2]units.Seconds
	for i, whole := range []bool{false, true} {
		config := written(traffic.again(), 100, &policies.Continuous{MaxNumSeqs: 8, MaxNumBatchedTokens: 8})
		config.Pools[0].WholeAnswers = whole
		rec, _, err := watch(config)
		if err != nil {
			t.Fatal(err)
		}
		r := &rec.Requests[0]
		ends[i] = r.Last
		tpot, defined := r.TPOT()
		if identity := r.TTFT() + 4*tpot; !defined || identity != r.E2EL() {
			t.Errorf("TTFT + 4 TPOT = %v, E2EL = %v", identity, r.E2EL())
		}
		if whole && (r.TTFT() != r.E2EL() || rec.ITL.Count() != 0) {
			t.Errorf("TTFT %v, E2EL %v, %d gaps", r.TTFT(), r.E2EL(), rec.ITL.Count())
		}
	}
	if ends[0] != ends[1] {
		t.Errorf("sent whole the answer ends at %v, streamed at %v", ends[1], ends[0])
	}
}

// TestWholeBatches: a static batch whose answers are sent whole is answered when its
// longest has ended, and only then do clients send their next requests and is its
// memory free. Streamed, each answer ends by itself.
func TestWholeBatches(t *testing.T) {
	for _, whole := range []bool{false, true} {
		traffic := &scripted{}
		traffic.add(0, 4, 5)
		traffic.add(0, 4, 1)
		traffic.add(0, 4, 3)
		traffic.add(1, 4, 2)
		config := written(traffic, 100, &policies.Static{BatchSize: 3})
		config.Pools[0].Reserve = policies.ReserveDeclared
		config.Pools[0].WholeAnswers, config.Pools[0].WholeBatches = whole, whole
		rec, _, err := watch(config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		first, last := []units.Seconds{1, 1, 1, 6}, []units.Seconds{5, 1, 3, 7}
		if whole {
			first, last = []units.Seconds{5, 5, 5, 7}, []units.Seconds{5, 5, 5, 7}
		}
		for id := range rec.Requests {
			if r := &rec.Requests[id]; r.First != first[id] || r.Last != last[id] {
				t.Errorf("whole %t: request %d has its first token at %v and its last at %v, want %v and %v", whole, id, r.First, r.Last, first[id], last[id])
			}
		}
	}
}

// TestPaddedReadsTakeTime: a batch with prompts of 3 and 1 tokens and answers of 2 and 4,
// where only what is attended to takes time: a second a token. The rectangle is read to
// the end of the longer answer, or without the row that has ended, or only what belongs
// to sequences.
func TestPaddedReadsTakeTime(t *testing.T) {
	for reads, ends := range map[policies.PaddedReads][2]units.Seconds{
		policies.ReadRows:    {8, 8 + 10 + 12},
		policies.ReadPrompts: {8, 8 + 5 + 6},
		policies.ReadOwn:     {6, 6 + 3 + 4},
	} {
		traffic := &scripted{}
		traffic.add(0, 3, 2)
		traffic.add(0, 1, 4)
		config := written(traffic, 100, &policies.Static{BatchSize: 2, Padded: true, Reads: reads})
		config.Pools[0].Reserve = policies.ReserveDeclared
		config.Pools[0].Cost = &hardware.Synthetic{PerContextToken: 1}
		rec, _, err := watch(config)
		if err != nil {
			t.Fatal(err)
		}
		for id, end := range ends {
			if got := rec.Requests[id].Last; got != end {
				t.Errorf("reads %d: request %d ends at %v, want %v", reads, id, got, end)
			}
		}
	}
}
