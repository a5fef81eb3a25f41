package heldout

import (
	"slices"
	"testing"

	"kneepoint/experiments/validate"
	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
)

// An accelerator that is left out is like another one of its architecture whose products were
// measured, if there is any, as one is that the catalog knows without measurements.
func TestRelatives(t *testing.T) {
	for name, want := range map[string]string{"h100-sxm": "h200-sxm", "h200-sxm": "h100-sxm", "b200-sxm": "b300-sxm", "a100-sxm-80": ""} {
		a, err := hardware.LookupAccelerator(name)
		if err != nil {
			t.Fatal(err)
		}
		got := append(relatives(&a), "")
		if got[0] != want || slices.Contains(got, name) {
			t.Errorf("kernels of %s are like those of %q, want %q first", name, got, want)
		}
	}
}

// Each kernel is that of the first relative of which it was measured: B300's experts were not, GB200's
// were, and of H200's architecture latent attention was measured on H800 alone. Where the kernels
// of no relative were, the class speaks.
func TestRelativesByKernel(t *testing.T) {
	for _, c := range []struct {
		accelerator, model, want string
		op                       hardware.Operator
	}{
		{"b200-sxm", "mixtral-8x7b", "b300-sxm", hardware.GEMM},
		{"b200-sxm", "mixtral-8x7b", "gb200", hardware.GroupedGEMM},
		{"h200-sxm", "deepseek-v3", "h800-sxm", hardware.LatentDecode},
		{"h200-sxm", "deepseek-v3", "h100-sxm", hardware.GroupedGEMM},
		{"a100-sxm-80", "mixtral-8x7b", "", hardware.GroupedGEMM},
	} {
		d := deployed(t, c.accelerator, c.model)
		found, err := constantsBeside(d, relatives(&d.Accelerator))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(found.Kernels, func(k roofline.Kernel) bool { return k.Operator == c.op })
		if i < 0 {
			t.Fatalf("%s on %s has no %s", c.model, c.accelerator, c.op)
		}
		got := found.Kernels[i]
		standIn := d.Accelerator
		standIn.Name, standIn.HeldOut, standIn.Architecture, standIn.KernelsLike = "none like it", c.accelerator, "", c.want
		if want, _, err := hardware.LookupEfficiency(c.op, &standIn, d.Engine.Backend, got.Format); err != nil || got.Efficiency != want {
			t.Errorf("%s of %s: %+v, want %+v of %q (%v)", c.op, c.accelerator, got, want, c.want, err)
		}
	}
}

// deployed is a model on eight accelerators under vLLM.
func deployed(t *testing.T, accelerator, name string) *roofline.Deployment {
	t.Helper()
	a, err := hardware.LookupAccelerator(accelerator)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	e, err := hardware.LookupEngine("vllm-v1")
	if err != nil {
		t.Fatal(err)
	}
	return &roofline.Deployment{Architecture: m, Accelerator: a, Engine: e, TP: 8}
}

// Kernels of a run that is left out are those of the accelerator that stands in, or of the class.
func TestUnmeasuredKernels(t *testing.T) {
	r := &repeater{known: map[outcome]rows{}}
	runs := r.runs(loops(t)) // on H100 and H200
	for name, like := range standIns {
		unknown, err := unmeasured(runs, like)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range unknown {
			d, own := x.scenario.Pools[0].Deployment.Roofline, runs[i].scenario.Pools[0].Deployment.Roofline
			standIn := own.Accelerator
			standIn.Name, standIn.HeldOut, standIn.Architecture = "none like it", own.Accelerator.Name, ""
			if name == Relatives {
				standIn.KernelsLike = map[string]string{"h100-sxm": "h200-sxm", "h200-sxm": "h100-sxm"}[own.Accelerator.Name]
			}
			want, _, err := hardware.LookupEfficiency(hardware.GEMM, &standIn, d.Engine.Backend, "bf16")
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range d.Constants.Kernels {
				if k.Operator == hardware.GEMM && k.Format == "bf16" && k.Efficiency != want {
					t.Fatalf("%s, %s: %+v, want %+v", own.Accelerator.Name, name, k.Efficiency, want)
				}
			}
		}
	}
}

// What a request costs the front end is fitted to runs with cached prompts, where a profile
// has some: the closed loops of one without them are all that tells it.
func TestFrontEndsAreToldByCachedPrompts(t *testing.T) {
	find := func(key string) *constant {
		return &ofEngine[slices.IndexFunc(ofEngine, func(c constant) bool { return c.key == key })]
	}
	k := knobs{{"one", "", find("request_fixed")}, {"one", "", find("step_cpu")}, {"other", "", find("request_fixed")}}
	of := func(prefill string, on ...int) *run {
		return &run{c: &validate.Case{Labels: map[string]string{"prefill": prefill}}, on: on}
	}
	runs := []*run{of("cached", 0, 1), of("computed", 0, 1), of("computed", 2)}
	for _, c := range []struct {
		move move
		want []*run
	}{
		{move{{0, 1}}, runs[:1]},
		{move{{1, 1}}, runs[:2]},
		{move{{2, 1}}, runs[2:]},
		{move{{0, 1}, {1, -1}}, runs[:1]},
	} {
		if got := k.toldBy(runs, c.move); !slices.Equal(got, c.want) {
			t.Errorf("%v is judged by %d runs, want %d", c.move, len(got), len(c.want))
		}
	}
}
