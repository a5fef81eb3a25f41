package heldout

import (
	"slices"
	"testing"

	"kneepoint/experiments/validate"
	"kneepoint/hardware"
)

// An accelerator that is left out has the kernels of another one of its architecture that was
// measured, if there is any, as one has that the catalog knows without measurements.
func TestRelatives(t *testing.T) {
	for name, want := range map[string]string{"h100-sxm": "h200-sxm", "h200-sxm": "h100-sxm", "a100-sxm-80": ""} {
		a, err := hardware.LookupAccelerator(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := relative(&a); got != want {
			t.Errorf("kernels of %s are like those of %q, want %q", name, got, want)
		}
	}
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
			standIn.Name, standIn.Architecture = "none like it", ""
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
