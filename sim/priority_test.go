package sim

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// sojournOf is the mean time in system of a class after the warm-up.
func sojournOf(class int16) func(*metrics.Record) float64 {
	return func(rec *metrics.Record) float64 {
		sum, n := 0.0, 0.0
		for i := range rec.Requests {
			if r := &rec.Requests[i]; r.InWindow && r.Class == class {
				sum, n = sum+float64(r.E2EL()), n+1
			}
		}
		return sum / n
	}
}

// TestPriorities: where more urgent classes join first and nobody is interrupted,
// class i waits for
//
//	E[W_i] = W0 / ((1 - σ_(i-1)) (1 - σ_i)),  W0 = Σ λ_j E[S_j²] / 2
//
// with σ_i the load of the classes up to i (Cobham 1954). The classes have
// services of different means and laws; whether they share the arrivals or have
// their own makes no difference to a Poisson stream.
func TestPriorities(t *testing.T) {
	effort.Whole(t)
	const perToken = 1e-5
	rates := []float64{0.2, 0.3, 0.1}
	means := []float64{0.5, 1, 2} // seconds of service
	urgent := fixed(means[0] / perToken)
	middle, last := exponential(means[1]/perToken), exponential(means[2]/perToken)
	output := fixed(1)
	second := []float64{means[0] * means[0], 2 * means[1] * means[1], 2 * means[2] * means[2]}
	w0, total := 0.0, 0.0
	for i := range rates {
		w0, total = w0+rates[i]*second[i]/2, total+rates[i]
	}
	own := func(rate float64) *workloads.ArrivalSpec {
		return &workloads.ArrivalSpec{Process: "poisson", Rate: workloads.Rate(rate)}
	}
	for name, w := range map[string]workloads.Spec{
		"shares": {Arrival: own(total), Client: []workloads.ClientSpec{
			{Share: rates[0] / total, Input: &urgent}, {Share: rates[1] / total, Input: &middle}, {Share: rates[2] / total, Input: &last}}},
		"own arrivals": {Client: []workloads.ClientSpec{
			{Arrival: own(rates[0]), Input: &urgent}, {Arrival: own(rates[1]), Input: &middle}, {Arrival: own(rates[2]), Input: &last}}},
	} {
		w.NumRequests, w.Output = 60000, &output
		s := setup{workload: w, cost: &hardware.Synthetic{PerPrefillToken: units.Seconds(perToken)}, batching: continuous(1, 1<<40),
			rank: func(r workloads.Request) float64 { return float64(r.Class) }, warmup: 5000}
		classes := s.replicateAll(t, sojournOf(0), sojournOf(1), sojournOf(2))
		sigma := 0.0
		for class := range rates {
			before := sigma
			sigma += rates[class] * means[class]
			classes[class].check(t, name+" E[T]", means[class]+w0/((1-before)*(1-sigma)))
		}
	}
}

// TestLeastUrgentGivesWay: an urgent request takes the memory of a less urgent one that
// was admitted before; of equal ones the later gives way. Who is preempted comes back
// behind a more urgent request that arrived meanwhile.
func TestLeastUrgentGivesWay(t *testing.T) {
	traffic := &scripted{}
	for _, r := range []struct {
		at     units.Seconds
		output int
		class  int
	}{{0, 8, 1}, {0.5, 9, 0}, {1.5, 2, 0}} {
		traffic.add(r.at, 4, r.output)
		traffic.requests[len(traffic.requests)-1].Class = r.class
	}
	c := setup{cost: &hardware.Synthetic{StepFixed: 1}, batching: continuous(2, 100), reserve: policies.ReservePaged,
		rank: func(r workloads.Request) float64 { return float64(r.Class) }}.configOf(traffic)
	c.Pools[0].Blocks, c.Pools[0].BlockSize, c.LeastUrgentFirst = 4, 4, true
	rec := outcome(t, c)
	for id, want := range []struct {
		last      units.Seconds
		preempted int32
	}{{14, 1}, {10, 0}, {11, 1}} {
		if r := &rec.Requests[id]; r.Last != want.last || int32(r.Preemptions) != want.preempted {
			t.Errorf("request %d ends at %v after %d preemptions, want %v after %d", id, r.Last, r.Preemptions, want.last, want.preempted)
		}
	}
}

// TestEquallyUrgentEnd: requests that are as urgent and arrive at once do not take each other's
// memory in turn for ever, where two have a place in the batch and memory is for hardly more
// than one, with what is written ahead of its tokens.
func TestEquallyUrgentEnd(t *testing.T) {
	traffic := &scripted{}
	for _, r := range [][2]int{{17, 3}, {9, 8}, {5, 10}} {
		traffic.add(0, r[0], r[1])
	}
	batching := func() policies.Batching {
		return &policies.Continuous{MaxNumSeqs: 2, MaxNumBatchedTokens: 1000, LongPrefillTokenThreshold: 1,
			Guesses: &policies.Guesses{Proposals: &policies.FixedProposals{Tokens: 3}, Lookahead: 3}}
	}
	c := setup{cost: &hardware.Synthetic{StepFixed: 1}, batching: batching, reserve: policies.ReservePaged,
		rank: func(workloads.Request) float64 { return 0 }}.configOf(traffic)
	p := &c.Pools[0]
	p.Blocks, p.BlockSize, p.MaxTokens, c.LeastUrgentFirst = 5, 6, 20, true
	p.Acceptance = accepting(0)
	c.MaxTime = 3000
	if rec := outcome(t, c); rec.Ended > 300 {
		t.Errorf("the last request ends at %v", rec.Ended)
	}
}
