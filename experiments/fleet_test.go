package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/sim/metrics"
)

// fleetFile has two strategies, the second one with an accelerator of its own.
const fleetFile = `
title = "fleets"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
gpu_memory_utilization = 0.8
[workload]
num_requests = 60
[workload.arrival]
rate = 40
[workload.input]
type = "lognormal"
mean = 300
std = 200
[workload.output]
type = "fixed"
mean = 40
[[strategy]]
name = "plain"
[[strategy]]
name = "own"
max_num_seqs = 8
[strategy.hardware]
accelerator = "a100-sxm-80"
`

// fleetOf are the scenarios of its strategies.
func fleetOf(t *testing.T, set ...string) []scenario.Scenario {
	t.Helper()
	e := experiment(t, fleetFile, set...)
	var all []scenario.Scenario
	for i := range e.cells {
		all = append(all, e.cells[i].scenario)
	}
	return all
}

// TestPoolsWin: a pool's own keys win over those of the strategy, and these over the top
// level's.
func TestPoolsWin(t *testing.T) {
	all := fleetOf(t, `fleet.pool=[{name="a"}, {name="b", replicas=3}]`,
		`fleet.pool.b.hardware.accelerator="l40s"`, `fleet.pool.b.model.kv="fp8"`, `fleet.pool.b.strategy.max_num_seqs=4`)
	for i, want := range [][]string{
		{"a 1 h100-sxm 0.8 bf16 1024", "b 3 l40s 0.8 fp8 4"},
		{"a 1 a100-sxm-80 0.8 bf16 8", "b 3 l40s 0.8 fp8 4"},
	} {
		var got []string
		for _, p := range all[i].Pools {
			d := p.Deployment.Roofline
			got = append(got, fmt.Sprintf("%s %d %s %g %v %d",
				p.Name, p.Replicas, d.Accelerator.Name, d.GPUMemoryUtilization, d.KV, p.Strategy.MaxNumSeqs))
		}
		if !slices.Equal(got, want) {
			t.Errorf("strategy %d has %q, want %q", i, got, want)
		}
	}
}

// TestStrategysFleet: a strategy's [fleet] wins key by key, and its pools take the place of
// all others.
func TestStrategysFleet(t *testing.T) {
	all := fleetOf(t, `fleet={router="least-requests", signal_delay="1s"}`, `fleet.pool=[{name="a"}, {name="b"}]`,
		`strategy.own.fleet={router="power-of-two", pool=[{name="c", replicas=5}]}`, `fleet.pool.b.replicas=2`)
	if f := all[0].Fleet; f.Router != "least-requests" || f.SignalDelay != 1 || len(all[0].Pools) != 2 || all[0].Pools[1].Replicas != 2 {
		t.Errorf("the first strategy has %+v and pools %+v", f, all[0].Pools)
	}
	if f := all[1].Fleet; f.Router != "power-of-two" || f.SignalDelay != 1 || len(all[1].Pools) != 1 || all[1].Pools[0].Replicas != 5 {
		t.Errorf("the second strategy has %+v and pools %+v", f, all[1].Pools)
	}
}

// TestStrategyChangesPools: a strategy without pools of its own changes keys of those of [fleet] by their names, in which there may
// be dots, whichever is set first.
func TestStrategyChangesPools(t *testing.T) {
	change, other := `strategy.own.fleet.pool.a.b.replicas=3`, `strategy.own.fleet.pool.c.hardware.tp=2`
	for _, set := range [][]string{
		{`fleet.pool=[{name="a.b"}, {name="c"}]`, change, other, `fleet.pool.c.replicas=5`},
		{`fleet.pool=[{name="a.b"}, {name="c", replicas=5}]`, `strategy.own.fleet.pool={"a.b"={replicas=3}}`, other},
	} {
		all := fleetOf(t, set...)
		for i, want := range []string{"a.b 1×1, c 5×1", "a.b 3×1, c 5×2"} {
			p := all[i].Pools
			got := fmt.Sprintf("%s %d×%d, %s %d×%d", p[0].Name, p[0].Replicas, p[0].Deployment.Roofline.TP,
				p[1].Name, p[1].Replicas, p[1].Deployment.Roofline.TP)
			if got != want {
				t.Errorf("%q: strategy %d has %s, want %s", set, i, got, want)
			}
		}
	}
}

// TestKeysAndValuesOfOneFormat may be sent, however their model and their format are spelled.
func TestKeysAndValuesOfOneFormat(t *testing.T) {
	fleetOf(t, `fleet={pool=[{name="p", role="prefill"}, {name="d", role="decode"}], transfer={link="pcie-5"}}`,
		`fleet.pool.d.model={name="meta-llama/Llama-3.1-8B", kv="BF16"}`)
}

// TestEqualFleetsAreOneScenario: the same replicas written in other ways have the same key,
// and keys that a router does not read change none.
func TestEqualFleetsAreOneScenario(t *testing.T) {
	keys := func(set ...string) string {
		all := fleetOf(t, set...)
		return all[0].Key() + all[1].Key()
	}
	plain := keys("hardware.replicas=3")
	for _, same := range [][]string{
		{`fleet.pool=[{name="a", replicas=3}]`},
		{`fleet={router="round-robin"}`, "hardware.replicas=3"},
		{`fleet={}`, "hardware.replicas=3"},
		{`strategy.own.fleet.pool=[{name="c", replicas=3}]`, "hardware.replicas=3"},
	} {
		if keys(same...) != plain {
			t.Errorf("%q is another scenario than three replicas", same)
		}
	}
	if keys(`fleet.router="random"`, "hardware.replicas=3") == plain {
		t.Error("another router is the same scenario")
	}
	two := keys(`fleet={router="least-requests", count_dispatches=false}`, "hardware.replicas=3")
	if two != keys(`fleet={router="least-requests"}`, "hardware.replicas=3") {
		t.Error("dispatches count where reports are late alone")
	}
}

// TestRoutersServeTheSameRequests: arrivals and lengths do not depend on the router, and
// its draws depend on the seed alone.
func TestRoutersServeTheSameRequests(t *testing.T) {
	run := func(set ...string) (requests []string, res *results.Results) {
		e := experiment(t, fleetFile, append(set, "hardware.replicas=3")...)
		res, err := e.Run(context.Background(), Options{Workers: 1, Requests: func(_ *results.Run, rec *metrics.Record) error {
			for _, r := range rec.Requests {
				requests = append(requests, fmt.Sprint(r.Arrival, r.Input, r.Output))
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		return requests, res
	}
	base, inTurn := run()
	drawn, random := run(`fleet.router="random"`)
	if !slices.Equal(base, drawn) {
		t.Error("another router serves other requests")
	}
	if inTurn.Runs[0].Metrics.Get(metrics.MeanE2EL) == random.Runs[0].Metrics.Get(metrics.MeanE2EL) {
		t.Error("another router makes no difference")
	}
	if _, again := run(`fleet.router="random"`); again.Runs[0].Metrics.Get(metrics.MeanE2EL) != random.Runs[0].Metrics.Get(metrics.MeanE2EL) {
		t.Error("the same seed gives other results")
	}
}

// TestFleetsInWords: how many replicas there are of what, and in which pools.
func TestFleetsInWords(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"hardware.replicas=1", ""},
		{"hardware.replicas=3", "3 replicas of h100-sxm"},
		{`fleet.pool=[{name="p", role="prefill", hardware={tp=2}}, {name="d", role="decode", replicas=3}]; fleet.transfer.link=pcie-5`,
			"p (1 replica of 2 × h100-sxm, prefill), d (3 replicas of h100-sxm, decode)"},
		{`fleet.autoscale={scaler="knative", max_replicas=4}`, "1 replica of h100-sxm at the start"},
	} {
		if got := experiment(t, fleetFile, strings.Split(c.set, "; ")...).facts().Strategies[0].Fleet; got != c.want {
			t.Errorf("%s: %q, want %q", c.set, got, c.want)
		}
	}
}

// TestPoolsNameWhatTheTopLevelLacks: model and accelerator may be left to the pools.
func TestPoolsNameWhatTheTopLevelLacks(t *testing.T) {
	e := experiment(t, `
title = "fleets"
[workload]
name = "azure-conv-2023"
num_requests = 10
[[strategy]]
name = "a"
[[fleet.pool]]
name = "p"
model.name = "llama-3.1-8b"
hardware.accelerator = "h100-sxm"
[[fleet.pool]]
name = "q"
model.name = "llama-3.2-1b"
hardware.accelerator = "l40s"
`)
	const fleet = "p (1 replica of h100-sxm), q (1 replica of l40s)"
	if got := e.facts().Strategies[0]; got.Model != "" || got.Accelerator != "" || got.Replicas != 2 || got.Fleet != fleet || got.Engine != "vllm-v1" {
		t.Errorf("the facts are %+v", got)
	}
}
