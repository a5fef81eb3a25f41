package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kneepoint/hardware"
	"kneepoint/internal/effort"
	"kneepoint/policies/routing"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// tandem is a replica that takes 0.1 s for each prompt, one by one, before one whose steps
// take t0 however many sequences they have, of which it takes up to slots; a token has a
// byte of keys and values.
type tandem struct {
	rate      float64
	prefills  int // replicas, to which requests are sent by random
	output    workloads.LengthSpec
	t0        units.Seconds
	slots     int
	bandwidth units.BytesPerSecond
	own       bool // links: those of the prefills have a thousand times the bandwidth; else all share one
	n         int
}

const (
	tandemPrompt  = 512
	tandemPrefill = 0.1
)

func (c tandem) run(t *testing.T, replication int) *metrics.Record {
	t.Helper()
	s := setup{
		workload: poisson(c.rate, c.n, fixed(tandemPrompt), c.output),
		cost:     &hardware.Synthetic{PerPrefillToken: tandemPrefill / tandemPrompt},
		batching: continuous(math.MaxInt, tandemPrompt),
		warmup:   c.n / 10,
	}
	config := s.config(t, 1, replication)
	decode := config.Pools[0]
	decode.Role, decode.Batching, decode.Cost = DecodeOnly, continuous(c.slots, math.MaxInt), &hardware.Synthetic{StepFixed: c.t0}
	prefill := &config.Pools[0]
	prefill.Role, prefill.Replicas = PrefillOnly, max(1, c.prefills)
	prefill.Sent.Bytes, decode.Sent.Bytes = 1, 1
	config.Pools = append(config.Pools, decode)
	if c.own {
		config.Pools[0].Sent.Bytes = 1e-3
	}
	config.Transfer = &Transfer{Bandwidth: c.bandwidth, Shared: !c.own, Mode: Push}
	config.Router = func() routing.Router { return &routing.Random{Random: rand.New(rand.NewPCG(7, uint64(replication)))} }
	rec, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	return rec
}

// means are those of some values of the requests after the warm-up, by replication.
func (c tandem) means(t *testing.T, values ...func(*metrics.Request) float64) []estimate {
	t.Helper()
	all := make([]estimate, len(values))
	for replication := range max(fewestReplications, effort.Times(t, usualReplications)) {
		rec := c.run(t, replication)
		for k, value := range values {
			var of []float64
			for i := range rec.Requests {
				if r := &rec.Requests[i]; r.InWindow {
					of = append(of, value(r))
				}
			}
			all[k] = append(all[k], stat.Mean(of, nil))
		}
	}
	return all
}

func atLeast(tokens int, l workloads.LengthSpec) workloads.LengthSpec {
	l.Min = tokens
	return l
}

func timeToFirst(r *metrics.Request) float64 { return float64(r.TTFT()) }

// wait is what a request spends between its tokens beside the steps that generate them.
func (c tandem) wait(r *metrics.Request) float64 {
	return float64(r.Last-r.First) - float64(r.Output-1)*float64(c.t0)
}

// TestPrefillThenDecode: prompts are an M/D/1 queue, whose mean time in system is
//
//	D + λD²/(2(1 − λD)),
//
// the link adds bytes/bandwidth, since prompts end at least D apart, and nobody waits for
// an answer but for the end of the step under way: half a step, as long as the batch is
// hardly ever empty.
func TestPrefillThenDecode(t *testing.T) {
	for _, rate := range []float64{5, 8} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			c := tandem{rate: rate, output: atLeast(2, exponential(100)), t0: 0.0213, slots: math.MaxInt, bandwidth: tandemPrompt / 0.04, n: 8000}
			means := c.means(t, timeToFirst, c.wait)
			means[0].check(t, "mean TTFT", tandemPrefill+rate*tandemPrefill*tandemPrefill/(2*(1-rate*tandemPrefill)))
			means[1].check(t, "from prefill to decode", 0.04+0.0213/2)
		})
	}
}

// TestPrefillThenSlots: prompts that have ended wait for one of 48 slots, as another
// calculation of the same queue says, in which answers need not begin with a step: here
// they do, which is half a step later, as over an infinite link nothing else is in the way.
func TestPrefillThenSlots(t *testing.T) {
	for _, rate := range []float64{8, 9, 9.5} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			c := tandem{rate: rate, output: atLeast(2, exponential(10000)), t0: 0.0005, slots: 48, bandwidth: units.BytesPerSecond(math.Inf(1)), n: 8000}
			rec := c.run(t, 0)
			waits, delays := c.slotWaits(rec), []float64(nil)
			for i := range rec.Requests {
				delays = append(delays, c.wait(&rec.Requests[i])-waits[i])
			}
			mean := stat.Mean(delays, nil)
			t.Logf("wait for a slot %.4g s, and %.2f steps", stat.Mean(waits, nil), mean/float64(c.t0))
			if mean < 0.4*float64(c.t0) || mean > 4*float64(c.t0) {
				t.Errorf("they wait %.2g s longer, want half a step of %v, or a few", mean, c.t0)
			}
		})
	}
}

// slotWaits is how long each request waits for a slot that it takes for its answer.
func (c tandem) slotWaits(rec *metrics.Record) []float64 {
	free := make([]float64, c.slots) // when each slot is
	waits := make([]float64, len(rec.Requests))
	for i := range rec.Requests { // prompts end in the order in which they came
		r := &rec.Requests[i]
		k := slices.Index(free, slices.Min(free))
		begins := max(free[k], float64(r.First))
		waits[i] = begins - float64(r.First)
		free[k] = begins + float64(r.Output-1)*float64(c.t0)
	}
	return waits
}

// TestSharedLinkOfPrefills: transfers that share a link take a 1/(1 − ρ) of their own time
// where they begin as a Poisson process. Ends of prompts on few replicas, each at a load of
// 0.8, are more even than that. The slowdowns are those of a simulation of these queues
// alone, whether the link is one for all or that of the replica that receives.
func TestSharedLinkOfPrefills(t *testing.T) {
	effort.Whole(t)
	for _, q := range []struct {
		replicas       int
		load, slowdown float64
		own            bool
	}{{2, 0.5, 1.249, false}, {2, 0.8, 1.4, true}, {4, 0.5, 1.478, true}, {4, 0.8, 1.888, false}, {16, 0.8, 3.028, true}} {
		t.Run(fmt.Sprint(q.replicas, q.load), func(t *testing.T) {
			rate := 8 * float64(q.replicas)
			alone := q.load / rate
			c := tandem{rate: rate, prefills: q.replicas, output: fixed(2), t0: 1e-6, slots: math.MaxInt,
				bandwidth: units.BytesPerSecond(tandemPrompt / alone), own: q.own, n: 4000 * q.replicas}
			c.means(t, func(r *metrics.Request) float64 { return float64(r.ToLast[metrics.KVTransfer]) / alone })[0].check(t, "slowdown", q.slowdown)
		})
	}
}
