package estimate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
)

// fatal is what testing.TB and rapid.T have in common here.
type fatal interface{ Fatal(...any) }

// deployment names the catalog's entries; its other fields are at their defaults.
func deployment(t fatal, accelerator, engine, name string, tp int) roofline.Deployment {
	a, err := hardware.LookupAccelerator(accelerator)
	if err != nil {
		t.Fatal(err)
	}
	e, err := hardware.LookupEngine(engine)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return roofline.Deployment{Accelerator: a, Engine: e, Architecture: m, TP: tp}
}

func build(t fatal, d roofline.Deployment) *deployed {
	m, err := roofline.New(d)
	if err != nil {
		t.Fatal(err)
	}
	return newDeployed(m)
}

// report answers a question about a deployment.
func report(t fatal, d roofline.Deployment, q Question) Report { return Of(build(t, d).Model, q) }

// anyDeployment draws a deployment that works, from the whole catalog, with room
// for anything and a price.
func anyDeployment(t *rapid.T) *deployed {
	d := deployment(t,
		rapid.SampledFrom(hardware.Accelerators()).Draw(t, "accelerator"),
		rapid.SampledFrom(hardware.Engines()).Draw(t, "engine"),
		rapid.SampledFrom(model.Names()).Draw(t, "model"), 1)
	d.Activations = rapid.SampledFrom(computable(&d.Accelerator)).Draw(t, "activations")
	d.Weights = rapid.SampledFrom(slices.DeleteFunc(hardware.Precisions(), func(p hardware.Precision) bool {
		return p.Bytes() > d.Activations.Bytes()
	})).Draw(t, "weights")
	d.KV = rapid.SampledFrom(hardware.Precisions()).Draw(t, "kv")
	d.KVTokens, d.Accelerator.Memory, d.Accelerator.USDPerHour = 1<<20, 1<<50, 3
	return newDeployed(rapid.SampledFrom(parallel(d)).Draw(t, "parallelism"))
}

// parallel is the cost models of a deployment shared in all ways that work.
func parallel(d roofline.Deployment) []*roofline.Model {
	var works []*roofline.Model
	for _, p := range [][4]int{{1, 1, 1, 1}, {2, 1, 1, 1}, {4, 1, 1, 1}, {8, 1, 1, 1}, {1, 2, 1, 1}, {2, 3, 1, 1}, {1, 1, 2, 2}, {2, 2, 2, 4}} {
		d.TP, d.PP, d.DP, d.EP = p[0], p[1], p[2], p[3]
		if m, err := roofline.New(d); err == nil {
			works = append(works, m)
		}
	}
	return works
}

// computable are the types that activations can have on an accelerator.
func computable(a *hardware.Accelerator) []hardware.Precision {
	return slices.DeleteFunc(a.ComputePrecisions(), func(p hardware.Precision) bool { return p == hardware.INT4 })
}

// ideal is a deployment on the roofline itself, with room for anything.
func ideal(t *testing.T, name string, stages int) *deployed {
	t.Helper()
	d := deployment(t, "h200-sxm", "ideal", name, 1)
	d.Accelerator.Memory, d.PP = 1<<50, stages
	return build(t, d)
}

// prefill is a step of whole prompts.
func prefill(prompts, tokens int) *hardware.Work {
	w := &hardware.Work{LogitRows: prompts}
	for range prompts {
		w.Prefill = append(w.Prefill, hardware.Chunk{Tokens: tokens})
	}
	return w
}

func about(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got/want-1) > tolerance {
		t.Errorf("%s: %.6g, want %.6g", what, got, want)
	}
}

// near compares with a published number.
func near(t *testing.T, what string, got, published, band float64) {
	t.Helper()
	t.Logf("%-46s %8.4g, published %8.4g (%+.1f %%)", what, got, published, 100*(got/published-1))
	if math.Abs(got/published-1) > band {
		t.Errorf("%s: %.4g, published %.4g: off by more than %.0f %%", what, got, published, 100*band)
	}
}
