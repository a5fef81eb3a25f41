package heldout

import (
	"slices"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
)

// standIns names the accelerator whose kernels one has that was left out, by kind of prediction; none: the class speaks.
var standIns = map[string]func(a *hardware.Accelerator) string{Accelerator: ofClass, Relatives: relative}

// unmeasured are runs on accelerators of which no kernel and no collective was measured:
// they have the constants of the accelerator that like names for theirs, and of their class
// where it names none.
func unmeasured(runs []*run, like func(a *hardware.Accelerator) string) ([]*run, error) {
	all := make([]*run, len(runs))
	for i, x := range runs {
		s, err := stranger(x.scenario, like)
		if err != nil {
			return nil, err
		}
		all[i] = &run{x.c, s, x.on}
	}
	return all, nil
}

// ofClass names no accelerator: the class speaks.
func ofClass(*hardware.Accelerator) string { return "" }

// relative names the first other accelerator of an architecture whose kernels were measured, as
// the catalog has it for those of which none were; none where there is no other.
func relative(a *hardware.Accelerator) string {
	for _, name := range hardware.Accelerators() {
		b, err := hardware.LookupAccelerator(name)
		if err == nil && b.Name != a.Name && b.Architecture == a.Architecture && hardware.KernelBasisOf(&b) == hardware.KernelsMeasured {
			return b.Name
		}
	}
	return ""
}

// stranger is a scenario whose accelerators were not measured.
func stranger(s scenario.Scenario, like func(a *hardware.Accelerator) string) (scenario.Scenario, error) {
	s.Pools = slices.Clone(s.Pools)
	for i := range s.Pools {
		d := *s.Pools[i].Deployment.Roofline
		unknown := d
		unknown.Constants = roofline.Constants{}
		unknown.Accelerator.Name = "an unmeasured accelerator"
		unknown.Accelerator.Architecture, unknown.Accelerator.KernelsLike = "", like(&d.Accelerator)
		found, err := unknown.Resolve()
		if err != nil {
			return s, err
		}
		d.Constants = found.Constants
		s.Pools[i].Deployment.Roofline = &d
	}
	return s, nil
}
