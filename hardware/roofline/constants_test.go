package roofline

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
)

// resolved are deployments that differ in the constants which they need.
func resolved(t *testing.T) map[string]Deployment {
	t.Helper()
	draft, err := model.Lookup("llama-3.2-1b")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Deployment{
		"one accelerator": deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 1),
		"draft model":     with(deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-8b", 2), func(d *Deployment) { d.Speculation = &Speculation{DraftModel, 4, draft, 512} }),
		"experts":         with(deployment(t, "h200-sxm", "sglang", "deepseek-v3", 4), func(d *Deployment) { d.DP, d.EP, d.Weights, d.Activations = 4, 16, hardware.FP8, hardware.FP8 }),
		"stages":          with(deployment(t, "l40s", "vllm-v1", "llama-3.1-70b", 4), func(d *Deployment) { d.PP, d.KV = 2, hardware.FP8 }),
	}
	for name, d := range all {
		if all[name], err = d.Resolve(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}

// mixedWork is a step of everything that a deployment may be asked for.
func mixedWork() *hardware.Work {
	w := decode(16, 900)
	w.Prefill = []hardware.Chunk{{Tokens: 700}, {Context: 100, Tokens: 33}}
	return w
}

// Resolving says what New finds by itself, and resolving twice changes nothing.
func TestResolvedDeploymentsCostTheSame(t *testing.T) {
	for name, d := range resolved(t) {
		t.Run(name, func(t *testing.T) {
			open := d
			open.Constants = Constants{}
			a, b := build(t, open), build(t, d)
			if a.Step(mixedWork()) != b.Step(mixedWork()) || !slices.Equal(a.Estimated(), b.Estimated()) {
				t.Errorf("%+v, resolved %+v", a.Step(mixedWork()), b.Step(mixedWork()))
			}
			again, err := d.Resolve()
			if err != nil || !reflect.DeepEqual(again, d) {
				t.Errorf("resolved again: %+v, %v", again.Constants, err)
			}
		})
	}
}

// A resolved deployment needs no catalog: under names that no catalog has, its
// steps take what they took.
func TestCatalogsDoNotMatterOnceResolved(t *testing.T) {
	for name, d := range resolved(t) {
		t.Run(name, func(t *testing.T) {
			before := build(t, d).Step(mixedWork())
			d.Accelerator.Name, d.Accelerator.KernelsLike, d.Accelerator.Architecture, d.Engine.Backend = "unheard-of", "", "", "unheard-of"
			if after := build(t, d).Step(mixedWork()); after != before {
				t.Errorf("%+v, before %+v", after, before)
			}
		})
	}
}

// Every constant of a resolved deployment is one that its steps depend on, and
// without it there is no cost model.
func TestEveryConstantCounts(t *testing.T) {
	for name, d := range resolved(t) {
		t.Run(name, func(t *testing.T) {
			work := mixedWork()
			if d.Speculation != nil {
				work.DraftRows, work.DraftPasses, work.DraftContext = 64, 4, 64*900
			}
			before := build(t, d).Step(work).Time
			for i := range d.Constants.Kernels {
				c := clone(&d)
				c.Constants.Kernels[i].Efficiency.Memory *= 0.01
				c.Constants.Kernels[i].Efficiency.Latency += 1
				if after := build(t, c).Step(work).Time; after <= before {
					t.Errorf("%+v changes nothing", c.Constants.Kernels[i])
				}
				c.Constants.Kernels = slices.Delete(c.Constants.Kernels, i, i+1)
				lacks(t, c)
			}
			for i := range d.Constants.Collectives {
				c := clone(&d)
				later(&c.Constants.Collectives[i].Collective)
				if after := build(t, c).Step(work).Time; after <= before {
					t.Errorf("%+v changes nothing", c.Constants.Collectives[i])
				}
				c.Constants.Collectives = slices.Delete(c.Constants.Collectives, i, i+1)
				lacks(t, c)
			}
			for i := range d.Constants.Networks {
				c := clone(&d)
				c.Constants.Networks[i].Collective.Fraction /= 2
				if after := build(t, c).Step(work).Time; after <= before {
					t.Errorf("%+v changes nothing", c.Constants.Networks[i])
				}
				c.Constants.Networks = nil
				lacks(t, c)
			}
		})
	}
}

// later adds a second to a collective, whatever is sent.
func later(c *hardware.Collective) {
	c.Latency += 1
	c.Larger = slices.Clone(c.Larger)
	for i := range c.Larger {
		c.Larger[i].Latency += 1
	}
}

// clone is a deployment whose constants can be changed.
func clone(d *Deployment) Deployment {
	c := *d
	c.Constants = Constants{slices.Clone(d.Constants.Kernels), slices.Clone(d.Constants.Collectives), slices.Clone(d.Constants.Networks)}
	return c
}

// lacks checks that a deployment without one of its constants is refused.
func lacks(t *testing.T, d Deployment) {
	t.Helper()
	if d.Constants.absent() {
		return
	}
	if _, err := New(d); err == nil || !strings.Contains(err.Error(), "has no constants of") {
		t.Errorf("with %+v: %v", d.Constants, err)
	}
}

// Equal deployments are equal bytes, from which the same deployment is read.
func TestDeploymentIsPlainData(t *testing.T) {
	for name, d := range resolved(t) {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			var back Deployment
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			if again, _ := json.Marshal(back); !bytes.Equal(again, text) || !reflect.DeepEqual(back, d) {
				t.Errorf("%s\nread back as\n%s", text, again)
			}
			plain(t, reflect.TypeOf(d), "Deployment")
		})
	}
}

// plain checks that a type has no part that JSON would leave out.
func plain(t *testing.T, of reflect.Type, path string) {
	t.Helper()
	switch of.Kind() {
	case reflect.Func, reflect.Chan, reflect.Interface:
		t.Errorf("%s is a %s", path, of.Kind())
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
		plain(t, of.Elem(), path+"[]")
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			if !f.IsExported() || f.Tag.Get("json") == "-" {
				t.Errorf("%s.%s is not written", path, f.Name)
			}
			plain(t, f.Type, path+"."+f.Name)
		}
	}
}
