package sim

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// servers are n replicas, each a server with a mean service of 1 s, behind a router.
// Requests are Poisson.
type servers struct {
	n       int
	load    float64 // of each
	law     law     // of services
	sharing bool    // a server serves all that it has, at the same speed; otherwise one after the other
	chunks  int     // that it serves a mean service in, of those one after the other; 0: one service at once
	central bool    // requests wait at the router for one that is free
	router  string
	signals Signals
}

// law is a law of services with a mean of 1 s: a mixture of simpler ones.
type law struct {
	name     string
	moment   float64 // the second one, E[S²]
	mixture  []share
	lengthOf func(mean float64) workloads.LengthSpec
}

// share of the requests has a mean service.
type share struct{ of, mean float64 }

var (
	constant    = law{"D", 1, []share{{1, 1}}, fixed}
	memoryless  = law{"M", 2, []share{{1, 1}}, exponential}
	heavyTailed = law{"H", 11, []share{{often, 0.5 / often}, {1 - often, 0.5 / (1 - often)}}, exponential}
)

// often is the share of the short ones of a hyperexponential law of C² = 10 with balanced means.
var often = (1 + math.Sqrt(9./11)) / 2

// tokens stand for a service of 1 s: many, so that services are quasi-continuous.
func (q *servers) tokens() int {
	if q.sharing {
		return 2000
	}
	return 100_000
}

func (q *servers) setup() setup {
	size := 1 / units.Seconds(q.tokens())
	s := setup{replicas: q.n, workload: poisson(float64(q.n)*q.load, q.requests(), fixed(1), fixed(1)), warmup: q.requests() / 10}
	s.workload.Client = q.services()
	if q.sharing {
		s.workload.Output = nil
		s.cost, s.batching = &hardware.Synthetic{PerDecodeRow: size, PerPrefillChunk: size}, continuous(math.MaxInt, math.MaxInt)
		return s
	}
	s.workload.Input = nil
	s.cost, s.batching = &hardware.Synthetic{PerPrefillToken: size}, continuous(1, math.MaxInt)
	if q.chunks > 0 {
		s.batching = continuous(1, q.tokens()/q.chunks)
	}
	return s
}

// services are the requests by their law: prompts that are computed one after the other, or
// answers that are decoded together.
func (q *servers) services() []workloads.ClientSpec {
	var all []workloads.ClientSpec
	for _, part := range q.law.mixture {
		c, services := workloads.ClientSpec{Share: part.of}, q.law.lengthOf(part.mean*float64(q.tokens()))
		if q.sharing {
			c.Output = &services
		} else {
			c.Input = &services
		}
		all = append(all, c)
	}
	return all
}

// requests of a run are as many as make for a standard error of about half a percent over
// all replications, or of one where the means are not known better: the mean over a run
// varies as 1/(1-ρ)² and with the services, and less where the router sees what is going on.
// There are many reports in it.
func (q *servers) requests() int {
	var n float64 // at no load
	blind := !q.central && (q.router == "random" || q.router == "round-robin")
	switch {
	case q.sharing && blind:
		n = 5000
	case q.sharing:
		n = 100
	case blind:
		n = 1200 * q.law.moment * q.law.moment
	default:
		n = 200 * q.law.moment * q.law.moment
	}
	n /= math.Pow(1-q.load, 2)
	if q.signals.Interval > 0 {
		n = max(n/8, 500*float64(q.signals.Interval)*q.load*float64(q.n))
	}
	return int(min(max(n*q.effort(), shortestRun), longestRun) / q.effort())
}

// What runs of servers are at least and at most, in requests that are served at once.
const shortestRun, longestRun = 10_000, 1_000_000

// effort is how many times as long a request takes to simulate as a service at once.
func (q *servers) effort() float64 {
	switch {
	case q.sharing:
		return 8
	case q.chunks > 0:
		return 5
	}
	return 1
}

// check compares the mean time in system with what it should be, where the runs are not too
// long for the effort that is asked for: higher efforts check more means, and each as
// precisely.
func (q *servers) check(t *testing.T, want known) {
	t.Helper()
	if float64(q.requests())*q.effort() > float64(max(shortestRun, effort.Times(t, shortestRun))) {
		t.Skip("at a higher effort")
	}
	n := min(max(fewestReplications, effort.Times(t, usualReplications)), usualReplications)
	estimates := replicateAll(t, n, func(r int) *metrics.Record { return q.run(t, r) }, q.sojourn)
	estimates[0].against(t, tolerance, "E[T]", want)
}

func (q *servers) run(t *testing.T, replication int) *metrics.Record {
	t.Helper()
	c := q.setup().config(t, 1, replication)
	i := slices.IndexFunc(routing.Routers, func(e routing.Entry) bool { return e.Name == q.router })
	c.Router = func() routing.Router {
		return routing.Routers[i].New(routing.Parameters{}, rand.New(rand.NewPCG(1, uint64(replication))))
	}
	c.Signals = q.signals
	if q.central {
		c.Queue = &RouterQueue{MaxInFlight: 1}
	}
	rec, err := Run(context.Background(), c)
	if err != nil {
		t.Error(err)
		return &metrics.Record{}
	}
	checkRecord(t, rec)
	return rec
}

// sojourn estimates the mean time in system. What chance makes of a run is mostly that
// services are longer or arrivals closer than they should be, which one server n times
// as fast, and first come first served, suffers in the same way; its mean is known, so
// that it is a control: the difference varies a hundredth as much (Glasserman, Monte
// Carlo Methods in Financial Engineering, 2004, section 4.1).
func (q *servers) sojourn(rec *metrics.Record) float64 {
	var times, services, waits, wait, n float64
	for i := range rec.Requests {
		r := &rec.Requests[i]
		if i > 0 {
			before := &rec.Requests[i-1]
			wait = max(0, wait+q.service(before)/float64(q.n)-float64(r.Arrival-before.Arrival))
		}
		if r.InWindow {
			times, services, waits, n = times+float64(r.E2EL()), services+q.service(r), waits+wait, n+1
		}
	}
	if q.sharing {
		return times / services // the longer a service the longer it takes, in proportion
	}
	return (times-services-waits)/n + 1 + q.load*q.law.moment/(2*(1-q.load))/float64(q.n)
}

// service is how long a request would take alone.
func (q *servers) service(r *metrics.Request) float64 {
	if q.sharing {
		return float64(r.Output) / float64(q.tokens())
	}
	return float64(r.Input) / float64(q.tokens())
}
