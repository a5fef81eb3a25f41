package sim

import (
	"context"
	"math"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// reporter is what testing.T and rapid.T have in common.
type reporter interface {
	Helper()
	Fatal(...any)
	Error(...any)
	Errorf(string, ...any)
}

// setup is a run on one replica, with memory and context that never bind unless
// a test says so.
type setup struct {
	workload      workloads.Spec
	cost          hardware.CostModel
	batching      func() policies.Batching
	reserve       policies.Reservation
	rank          func(workloads.Request) float64
	maxWaiting    int
	blocks        int // of 16 tokens
	replicas      int
	router        func() routing.Router
	queue         *RouterQueue
	frontEnd      units.Seconds // of every request
	threads       int           // of the front end
	sequential    bool
	compression   *Compression
	maxTime       units.Seconds
	cutAtLast     bool // do not drain
	prefixCaching bool
	warmup        int // requests that do not count for the steady state
	change        func(pool *Pool, replication uint64)
}

func (s setup) config(t reporter, seed uint64, replication int) Config {
	t.Helper()
	s.workload.TooLong = "reject"
	traffic, err := workloads.New(s.workload, nil, seed, replication)
	if err != nil {
		t.Fatal(err)
	}
	c := s.configOf(traffic)
	if s.change != nil {
		s.change(&c.Pools[0], uint64(replication))
	}
	return c
}

// configOf is the run with other traffic than the setup's workload.
func (s setup) configOf(traffic workloads.Traffic) Config {
	p := Pool{
		Replicas:    max(1, s.replicas),
		Batching:    s.batching,
		Cost:        s.cost,
		FrontEnd:    func(int) units.Seconds { return s.frontEnd },
		Threads:     s.threads,
		Sequential:  s.sequential,
		Compression: s.compression,
		Reserve:     s.reserve,
		MaxWaiting:  s.maxWaiting,
		Blocks:      s.blocks,
		BlockSize:   16,
		MaxTokens:   math.MaxInt,
	}
	if s.prefixCaching {
		p.Eviction = policies.LRU{}
	}
	if p.Blocks == 0 {
		p.Blocks = 1 << 40
	}
	if _, whole := p.Batching().(*policies.Static); p.Reserve == nil && whole {
		p.Reserve = policies.ReserveDeclared
	} else if p.Reserve == nil {
		p.Reserve = policies.ReservePaged
	}
	return Config{
		Traffic:  traffic,
		Pools:    []Pool{p},
		Router:   s.router,
		Queue:    s.queue,
		Rank:     s.rank,
		Expected: min(s.workload.NumRequests, 1_000_000),
		Drain:    !s.cutAtLast,
		MaxTime:  s.maxTime,
		InWindow: func(r workloads.Request) bool { return r.ID >= s.warmup },
	}
}

// run simulates one replication and checks the invariants of every run.
func (s setup) run(t reporter, seed uint64, replication int) *metrics.Record {
	t.Helper()
	rec, err := Run(context.Background(), s.config(t, seed, replication))
	if err != nil {
		t.Error(err)
		return &metrics.Record{}
	}
	checkRecord(t, rec)
	return rec
}

func continuous(maxSeqs, maxTokens int) func() policies.Batching {
	return func() policies.Batching {
		return &policies.Continuous{MaxNumSeqs: maxSeqs, MaxNumBatchedTokens: maxTokens}
	}
}

// schedulers are those of continuous batching.
var schedulers = policies.Where(policies.Schedulers, func(s policies.Scheduler) bool { return !s.Static })

func static(size int) func() policies.Batching {
	return func() policies.Batching { return &policies.Static{BatchSize: size} }
}

func poisson(rate float64, n int, input, output workloads.LengthSpec) workloads.Spec {
	return workloads.Spec{
		NumRequests: n,
		Arrival:     &workloads.ArrivalSpec{Process: "poisson", Rate: workloads.Rate(rate)},
		Input:       &input,
		Output:      &output,
	}
}

func fixed(tokens float64) workloads.LengthSpec {
	return workloads.LengthSpec{Type: "fixed", Mean: tokens, Min: 1}
}

func exponential(mean float64) workloads.LengthSpec {
	return workloads.LengthSpec{Type: "exponential", Mean: mean, Min: 1}
}

// always makes a router for every group: the same one, where it is not nil.
func always(r routing.Router) func() routing.Router {
	if r == nil {
		return nil
	}
	return func() routing.Router { return r }
}

// accepting is an acceptance of a probability that does not depend on the place.
func accepting(probability float64) *workloads.Acceptance {
	return workloads.NewAcceptance([]float64{probability}, 1, 0)
}
