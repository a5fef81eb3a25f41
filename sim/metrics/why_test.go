package metrics

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// ramp is a run of requests whose queue grows by a second from one to the next,
// with a prefill of one second and a decode of two.
func ramp(n int) *Record {
	rec := &Record{Pools: onePool}
	for i := range n {
		r := Request{State: Completed, First: units.Seconds(i + 1), Last: units.Seconds(i + 3), Generated: 2}
		r.ToFirst[Queue], r.ToFirst[Prefill] = float32(i), 1
		r.ToLast = r.ToFirst
		r.ToLast[Decode] = 2
		rec.Requests = append(rec.Requests, r)
	}
	return rec
}

// The shares of a percentile are those of the requests around it, and the parts
// of every statistic sum to it.
func TestPartsOfStatistics(t *testing.T) {
	rec := ramp(101)
	v := Summarize(rec, Objective{}, []Deployment{{}})
	why := Explain(rec, Objective{}, []hardware.CostModel{&hardware.Synthetic{}}, false)
	for name, key := range map[string]string{"mean": "mean_%s_ms", "p50": "median_%s_ms", "p90": "p90_%s_ms", "p99": "p99_%s_ms"} {
		for latency, split := range map[string]Split{"ttft": why.TTFT, "e2el": why.E2EL} {
			parts := split[name]
			want := v.Get(strings.Replace(key, "%s", latency, 1))
			if got := parts.Sum().Milliseconds(); math.Abs(got-want) > 1e-9*want {
				t.Errorf("the parts of %s %s sum to %v ms, it is %v", name, latency, got, want)
			}
		}
	}
	for name, queue := range map[string]float64{"mean": 50, "p50": 50, "p90": 90, "p99": 99} {
		if parts := why.TTFT[name]; math.Abs(float64(parts[Queue])-queue) > 1e-9 || math.Abs(float64(parts[Prefill])-1) > 1e-9 {
			t.Errorf("%s of TTFT: %v s in the queue and %v of prefill, want %v and 1", name, float64(parts[Queue]), float64(parts[Prefill]), queue)
		}
	}
}

// One request is around all percentiles; none has no parts.
func TestPartsOfFewRequests(t *testing.T) {
	if why := Explain(ramp(0), Objective{}, []hardware.CostModel{&hardware.Synthetic{}}, false); len(why.TTFT) != 0 || len(why.E2EL) != 0 {
		t.Errorf("parts of no request: %v", why)
	}
	for _, n := range []int{1, 2, 3} {
		for name, parts := range Explain(ramp(n), Objective{}, []hardware.CostModel{&hardware.Synthetic{}}, false).E2EL {
			if parts.Sum() < 3-1e-9 || parts[Decode] <= 0 {
				t.Errorf("%s of %d requests: %v", name, n, parts)
			}
		}
	}
}

// A stream has the parts of means alone, and those agree with what is kept.
func TestPartsOfStream(t *testing.T) {
	kept := ramp(50)
	streamed := &Record{Stream: NewStream(Objective{}), Pools: onePool}
	for id, r := range kept.Requests {
		streamed.Open(id, r)
		streamed.Close(id)
	}
	a, b := Explain(kept, Objective{}, []hardware.CostModel{&hardware.Synthetic{}}, false), Explain(streamed, Objective{}, []hardware.CostModel{&hardware.Synthetic{}}, false)
	if len(b.TTFT) != 1 || len(b.E2EL) != 1 {
		t.Errorf("a stream splits %v", b)
	}
	for i, x := range a.E2EL["mean"] {
		if y := b.E2EL["mean"][i]; math.Abs(float64(x-y)) > 1e-9 {
			t.Errorf("mean %s: %v kept, %v streamed", PartKeys[i], x, y)
		}
	}
}

func TestPartsAsJSON(t *testing.T) {
	parts := Parts{FrontEnd: 0.5, Preemption: 2}
	text, err := json.Marshal(parts)
	const want = `{"routing":0,"front_end":500,"queue":0,"kv_wait":0,"prefill":0,"interference":0,"kv_transfer":0,"decode":0,"draft":0,` +
		`"transfer":0,"preemption":2000}`
	if err != nil || string(text) != want {
		t.Errorf("%s (%v), want %s", text, err, want)
	}
	var read Parts
	if err := json.Unmarshal(text, &read); err != nil || read != parts {
		t.Errorf("%v was read as %v (%v)", parts, read, err)
	}
}

// steps is a cost model whose steps with prompts are bound by one thing, and the
// others by another.
type steps struct {
	hardware.Plain
	prompts, decodes hardware.Bounds
}

func (s steps) Step(*hardware.Work) hardware.Cost { return hardware.Cost{} }

func (s steps) Bounds(w *hardware.Work) (hardware.Bounds, bool) {
	if len(w.Prefill) > 0 {
		return s.prompts, true
	}
	return s.decodes, true
}

func TestBottleneck(t *testing.T) {
	model := steps{prompts: hardware.Bounds{Compute: 1}, decodes: hardware.Bounds{Memory: 3, Latency: 1}}
	busy := Totals{Busy: 10, Running: 100}
	for _, c := range []struct {
		want            Bottleneck
		prompts, others units.Seconds // time of steps
		totals          func(*Totals)
		preempted       float32
		cost            hardware.CostModel
		fleet           Totals        // of no pool
		length          units.Seconds // of the run, beyond 10 s
	}{
		{want: ByCompute, prompts: 5, others: 5},
		{want: ByBandwidth, prompts: 3, others: 7},
		{want: ByCPU, prompts: 3, others: 7, totals: func(t *Totals) { t.Preparing = 6 }},
		{want: ByCPU, prompts: 5, others: 5, totals: func(t *Totals) { t.InFrontEnd = 101 }},
		{want: ByLoad, prompts: 2, others: 2, totals: func(t *Totals) { t.Busy = 4 }},
		{want: ByLoad, prompts: 2, others: 2, totals: func(t *Totals) { t.Busy, t.Preparing = 3, 1 }},
		{want: ByLoad, totals: func(t *Totals) { *t = Totals{} }, length: -10},             // ended as it started
		{want: ByBandwidth, prompts: 2, others: 3, totals: func(t *Totals) { t.Busy = 5 }}, // half of the time is most of it
		{want: ByBandwidth, prompts: 2, others: 4, totals: func(t *Totals) { t.Busy, t.Preparing = 4, 1.5 }},
		{want: BySlots, prompts: 3, others: 7, totals: func(t *Totals) { t.Waiting, t.HeldBySlots, t.HeldByMemory = 100, 30, 20 }},
		{want: ByKV, prompts: 3, others: 7, totals: func(t *Totals) { t.Waiting, t.HeldBySlots, t.HeldByMemory = 100, 20, 30 }},
		{want: ByBandwidth, prompts: 3, others: 7, totals: func(t *Totals) { t.Waiting, t.HeldBySlots = 100, 10 }},
		{want: ByCompute, prompts: 6, others: 4, totals: func(t *Totals) { t.Waiting, t.HeldBySlots = 100, 90 }},
		{want: ByKV, prompts: 3, others: 7, preempted: 1},
		{want: ByRouter, prompts: 3, others: 7, fleet: Totals{AtRouter: 12}},
		{want: BySlots, prompts: 3, others: 7, totals: func(t *Totals) { t.Waiting, t.HeldBySlots = 100, 21 }, fleet: Totals{AtRouter: 20}},
		{want: ByKV, prompts: 3, others: 7, totals: func(t *Totals) { t.Waiting, t.HeldBySlots, t.HeldByMemory = 100, 10, 40 },
			fleet: Totals{AtRouter: 20}},
		{want: BySlots, prompts: 3, others: 7, totals: func(t *Totals) { t.Waiting, t.HeldBySlots, t.HeldByMemory = 100, 21, 40 },
			fleet: Totals{AtRouter: 20}},
		{want: ByBandwidth, prompts: 3, others: 7, fleet: Totals{AtRouter: 10}},
		{want: ByRouter, prompts: 8, others: 2, fleet: Totals{AtRouter: 1000}},
		{want: ByCompute, prompts: 9.5, others: .5, fleet: Totals{AtRouter: 1000}},
		{want: ByCompute, prompts: 8, others: 2, fleet: Totals{AtRouter: 10}},
		{want: ByRouter, prompts: 4, totals: func(t *Totals) { t.Busy = 4 }, fleet: Totals{AtRouter: 1000}},
		{want: ByLoad, prompts: 4, totals: func(t *Totals) { t.Busy = 4 }, fleet: Totals{AtRouter: 10}},
		{want: ByLink, prompts: 6, others: 4, fleet: Totals{InTransfer: 101}},
		{want: ByCompute, prompts: 6, others: 4, fleet: Totals{InTransfer: 99}},
		{want: BySteps, prompts: 5, others: 5, cost: &hardware.Synthetic{}},
	} {
		rec := ramp(1)
		rec.Requests[0].Last += units.Seconds(c.preempted)
		rec.Requests[0].ToLast[Preemption] = c.preempted
		rec.Totals = c.fleet
		rec.Started, rec.Ended, rec.Pools = 90, 100+c.length, []PoolRecord{{Replicas: replicasOf(1, busy)}}
		replica := rec.Pools[0].Replicas[0]
		replica.Steps.Add(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 1}}}, 1, c.prompts)
		replica.Steps.Add(&hardware.Work{DecodeRows: 1}, 1, c.others)
		if c.totals != nil {
			c.totals(&replica.Totals)
		}
		rec.AddUp()
		var cost hardware.CostModel = model
		if c.cost != nil {
			cost = c.cost
		}
		if got := Explain(rec, Objective{}, []hardware.CostModel{cost}, false).Bottleneck; got != c.want {
			t.Errorf("%+v: %s, want %s", rec.Totals, got, c.want)
		}
	}
}

// Of a pool that prefills and one that decodes, the one where requests wait is what holds
// them up.
func TestBottleneckOfPools(t *testing.T) {
	model := steps{prompts: hardware.Bounds{Compute: 1}, decodes: hardware.Bounds{Memory: 1}}
	for _, c := range []struct {
		want                  Bottleneck
		waitPrefill, waitHere float64
	}{{ByBandwidth, 0, 0}, {ByCompute, 30, 0}, {ByCompute, 30, 20}, {ByBandwidth, 20, 30}, {ByBandwidth, 20, 0}, {ByCompute, 25, 0}} {
		rec := ramp(1)
		rec.Started, rec.Ended = 90, 100
		rec.Pools = []PoolRecord{
			{Replicas: replicasOf(1, Totals{Busy: 9, Running: 20, Waiting: c.waitPrefill})},
			{Replicas: replicasOf(1, Totals{Busy: 9, Running: 180, Waiting: c.waitHere})},
		}
		rec.Pools[0].Replicas[0].Steps.Add(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 1}}}, 1, 4)
		rec.Pools[1].Replicas[0].Steps.Add(&hardware.Work{DecodeRows: 1}, 1, 9)
		rec.AddUp()
		if got := Explain(rec, Objective{}, []hardware.CostModel{model, model}, false).Bottleneck; got != c.want {
			t.Errorf("waiting for %v and %v: %s, want %s", c.waitPrefill, c.waitHere, got, c.want)
		}
	}
}

// Replicas that prefill stand idle where those that decode have no room for more: arrivals
// are not what holds the requests up that wait before them.
func TestIdleBeforeAFullPool(t *testing.T) {
	model := steps{prompts: hardware.Bounds{Compute: 1}, decodes: hardware.Bounds{Memory: 1}}
	for waiting, want := range map[float64]Bottleneck{0: ByLoad, 100: ByKV} {
		rec := ramp(1)
		rec.Started, rec.Ended = 90, 100
		rec.Pools = []PoolRecord{
			{Replicas: replicasOf(1, Totals{Busy: 1, Running: 10, Waiting: waiting, HeldByMemory: waiting})},
			{Replicas: replicasOf(1, Totals{Busy: 4, Running: 90})},
		}
		rec.Pools[0].Replicas[0].Steps.Add(&hardware.Work{DecodeRows: 1}, 1, 1)
		rec.Pools[1].Replicas[0].Steps.Add(&hardware.Work{DecodeRows: 1}, 1, 4)
		rec.AddUp()
		if got := Explain(rec, Objective{}, []hardware.CostModel{model, model}, false).Bottleneck; got != want {
			t.Errorf("waiting for %v: %s, want %s", waiting, got, want)
		}
	}
}

// The mean step has whole rows and tokens, and as many chunks as there are on
// average.
func TestMeanStep(t *testing.T) {
	var s StepSums
	s.Add(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 10}, {Tokens: 20, Context: 30}}, DecodeRows: 2, DecodeContext: 7, LogitRows: 3}, 1, 1)
	s.Add(&hardware.Work{Prefill: []hardware.Chunk{{Tokens: 30}, {Tokens: 40, Context: 10}}, DecodeRows: 4, DecodeContext: 13, LogitRows: 5}, 1, 1)
	w := s.Prompts.Mean()
	if w.DecodeRows != 3 || w.DecodeContext != 10 || w.LogitRows != 4 || len(w.Prefill) != 2 || w.Prefill[0] != (hardware.Chunk{Tokens: 25, Context: 10}) {
		t.Errorf("%+v", w)
	}
}
