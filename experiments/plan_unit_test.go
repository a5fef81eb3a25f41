package experiments

import (
	"reflect"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// pooled is a plan of prompts on one accelerator and answers on three replicas of two others.
const pooled = `
title = "mixed"
[plan]
[prices.usd_per_hour]
h100-sxm = 10
a100-sxm-80 = 4
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload]
arrival = { process = "poisson", rate = 1 }
input = { type = "fixed", mean = 800 }
output = { type = "fixed", mean = 100 }
[slo]
ttft_ms = 500
[fleet.transfer]
link = "infiniband-400g"
[[fleet.pool]]
name = "prefill"
role = "prefill"
[[fleet.pool]]
name = "decode"
role = "decode"
replicas = 3
hardware.accelerator = "a100-sxm-80"
hardware.tp = 2
[[strategy]]
name = "pools"
`

func pooledPlanning(t *testing.T) *Planning {
	t.Helper()
	f, err := Parse("plan.toml", pooled)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Planning()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A unit of pools with accelerators of their own has as many of each as these have, at their prices.
func TestUnitsOfSeveralAccelerators(t *testing.T) {
	p := pooledPlanning(t)
	usd := 34.0
	want := results.Unit{Replicas: 4, Accelerators: 7, Accelerator: "a100-sxm-80 + h100-sxm", USDPerHour: &usd,
		Of: []results.Part{{Accelerator: "a100-sxm-80", Accelerators: 6, USDPerHour: 24}, {Accelerator: "h100-sxm", Accelerators: 1, USDPerHour: 10}}}
	if got := p.candidates[0].Option.Unit; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A node has accelerators of one name: what is lost with it are those of some units, and their others stay.
func TestNodesOfOneAccelerator(t *testing.T) {
	a := planned(t, strings.Replace(pooled, "[plan]", "[plan]\nspare = 1\nmax_requests = 4_000\nwhat_if = true\naccelerators_per_node = 6", 1), PlanOptions{})
	units := a.Options[0].Units + 1
	want := map[string]results.WhatIf{
		"a node of a100-sxm-80 lost (accelerators: 6)": {Lost: "a100-sxm-80", Units: units - 1, Fleet: 6*(units-1) + units},
		"a node of h100-sxm lost (accelerators: 6)":    {Lost: "h100-sxm"}, // of which there are fewer
	}
	for _, w := range a.WhatIf {
		if expected, asked := want[w.What]; asked {
			delete(want, w.What)
			if w.Lost != expected.Lost || w.Units != expected.Units || w.Fleet != expected.Fleet || (w.Judged == nil) != (w.Units == 0) {
				t.Errorf("%s of %d units: %+v, want %+v", w.What, units, w, expected)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not asked: %v", want)
	}
	p := pooledPlanning(t)
	rest := without(&p.candidates[0], "a100-sxm-80", 5, 4)
	if prefill, decode := rest.Unit.Pools[0].Replicas, rest.Unit.Pools[1].Replicas; prefill != 5 || decode != 12 {
		t.Errorf("%d and %d replicas are left of 5 units, want 5 and 12", prefill, decode)
	}
	if p.candidates[0].Unit.Pools[1].Replicas != 3 {
		t.Error("the candidate itself was changed")
	}
}
