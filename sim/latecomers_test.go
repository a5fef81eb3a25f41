package sim

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// TestLatecomersAreStreamed: a streamed run with a long queue, of which the end is kept in few bytes, has the metrics of one
// that has a sequence and a record of each from the start.
func TestLatecomersAreStreamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		traffic := &scripted{}
		var at units.Seconds
		for range rapid.IntRange(1, 120).Draw(t, "requests") {
			at += units.Seconds(rapid.SampledFrom([]float64{0, 0, 0.3, 30}).Draw(t, "gap"))
			traffic.add(at, rapid.IntRange(1, 20).Draw(t, "input"), rapid.IntRange(1, 20).Draw(t, "output"))
			last := &traffic.requests[len(traffic.requests)-1]
			last.Session, last.Class = rapid.IntRange(-1, 3).Draw(t, "session"), rapid.IntRange(0, 1).Draw(t, "class")
			if rapid.Bool().Draw(t, "shares") {
				last.Content, last.Named = &workloads.Content{IDs: []int{rapid.IntRange(0, 2).Draw(t, "prefix")}, Span: 1}, last.Input
			}
		}
		replicas := rapid.IntRange(1, 3).Draw(t, "replicas")
		blocks, async := rapid.IntRange(20, 60).Draw(t, "blocks"), rapid.Bool().Draw(t, "async")
		maxTime := units.Seconds(rapid.SampledFrom([]float64{0, 40}).Draw(t, "run"))
		values := func(reference bool) metrics.Values {
			var policy []policies.Batching
			for range replicas {
				policy = append(policy, continuous(2, 16)())
			}
			config := written(traffic.again(), blocks, policy...)
			config.Pools[0].Eviction, config.Pools[0].AsyncScheduling = policies.LRU{}, async
			config.Reference, config.MaxTime, config.Stream = reference, maxTime, metrics.NewStream(metrics.Objective{E2EL: 50})
			config.InWindow = func(r workloads.Request) bool { return r.ID%3 > 0 }
			rec, err := Run(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			v := metrics.Summarize(rec, metrics.Objective{E2EL: 50}, []metrics.Deployment{{}})
			for key, x := range metrics.SummarizeWindow(rec, metrics.Objective{E2EL: 50}) {
				v["window "+key] = x
			}
			return v
		}
		all, late := values(true), values(false)
		for key := range all {
			if x, y := all[key], late[key]; math.Abs(x-y) > 1e-3*math.Max(1, math.Abs(x)) || math.IsNaN(x) != math.IsNaN(y) {
				t.Errorf("%s: %v, not %v", key, y, x) // beyond what a histogram keeps
			}
		}
	})
}

// TestLatecomersFetch: what a request is to fetch from another replica it fetches from the end of a long queue, too.
func TestLatecomersFetch(t *testing.T) {
	fetched := func(reference bool) int64 {
		traffic := branching(1, 400)
		for i := range traffic.requests {
			at := units.Seconds(i/200)*10_000 + units.Seconds(i)
			traffic.requests[i].Planned, traffic.requests[i].Arrival = at, at
		}
		config := sharers(traffic, 3, 1<<20, &Sharing{Peers: true, Blocks: 1 << 20, Bandwidth: infinitelyFast, Threshold: 1})
		config.Reference = reference
		return outcome(t, config).Totals.FetchedTokens
	}
	if late, all := fetched(false), fetched(true); late != all || all == 0 {
		t.Errorf("%d tokens are fetched, not %d", late, all)
	}
}

// TestAWaitingRequestIsSmall: in a queue that grows without end a request takes no more memory than its record in few bytes, and as
// many for its place.
func TestAWaitingRequestIsSmall(t *testing.T) {
	const few, many, most = 20_000, 60_000, 75
	for _, async := range []bool{false, true} {
		t.Run(fmt.Sprintf("async %t", async), func(t *testing.T) {
			traffic := &weighed{few: few}
			for i := range many {
				traffic.add(units.Seconds(i)/1000, 3, 2)
			}
			config := written(&traffic.scripted, 100, continuous(8, 100)())
			config.Traffic, config.Pools[0].AsyncScheduling = traffic, async
			config.Pools[0].FrontEnd = func(int) units.Seconds { return 1e-3 }
			config.Stream, config.MaxTime = metrics.NewStream(metrics.Objective{}), many/1000-1e-3
			if _, err := Run(t.Context(), config); err != nil {
				t.Fatal(err)
			}
			if bytes := int(traffic.inUse-traffic.before) / (many - few); bytes > most {
				t.Errorf("%d bytes a request, more than %d", bytes, most)
			}
		})
	}
}

// weighed is traffic that looks how much memory is in use when so many requests have come, and with the last one.
type weighed struct {
	scripted
	few           int
	before, inUse uint64
}

func (w *weighed) Pop() (workloads.Request, bool) {
	switch w.next + 1 {
	case w.few:
		w.before = inUse()
	case len(w.requests):
		w.inUse = inUse()
	}
	return w.scripted.Pop()
}

// inUse is the bytes of memory that are not garbage.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
