package heldout

import (
	"slices"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
)

// standIns names the accelerators whose kernels one has that was left out, the best first, by kind of
// prediction; none: the class speaks.
var standIns = map[string]func(a *hardware.Accelerator) []string{Accelerator: ofClass, Relatives: relatives}

// unmeasured are runs on accelerators of which no kernel and no collective was measured:
// each kernel has the constants of the first accelerator that like names and of which it was
// measured, or else of their class; collectives those of the very first, or of their class.
func unmeasured(runs []*run, like func(a *hardware.Accelerator) []string) ([]*run, error) {
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
func ofClass(*hardware.Accelerator) []string { return nil }

// relatives are the other accelerators of an architecture as the catalog would have them for one whose
// kernels were not measured (see hardware.LookupEfficiency): the first whose products were measured, which
// it would be said to be like, and then all; none where no other was measured.
func relatives(a *hardware.Accelerator) []string {
	var like string
	var all []string
	for _, name := range hardware.Accelerators() {
		b, err := hardware.LookupAccelerator(name)
		if err != nil || b.Name == a.Name || b.Architecture != a.Architecture {
			continue
		}
		if like == "" && hardware.KernelBasisOf(&b) == hardware.KernelsMeasured {
			like = b.Name
		}
		all = append(all, b.Name)
	}
	if like == "" {
		return nil
	}
	return append([]string{like}, all...)
}

// stranger is a scenario whose accelerators were not measured.
func stranger(s scenario.Scenario, like func(a *hardware.Accelerator) []string) (scenario.Scenario, error) {
	s.Pools = slices.Clone(s.Pools)
	for i := range s.Pools {
		d := *s.Pools[i].Deployment.Roofline
		found, err := constantsBeside(&d, like(&d.Accelerator))
		if err != nil {
			return s, err
		}
		d.Constants = found
		s.Pools[i].Deployment.Roofline = &d
	}
	return s, nil
}

// constantsBeside are those of a deployment on an accelerator that was not measured, beside others.
func constantsBeside(d *roofline.Deployment, others []string) (roofline.Constants, error) {
	class, err := constantsLike(d, "")
	if err != nil || len(others) == 0 {
		return class, err
	}
	found, err := constantsLike(d, others[0])
	for _, name := range others[1:] {
		if err != nil {
			break
		}
		var next roofline.Constants
		next, err = constantsLike(d, name)
		for i, k := range next.Kernels {
			if found.Kernels[i].Estimated == class.Kernels[i].Estimated { // of the class so far
				found.Kernels[i] = k
			}
		}
	}
	return found, err
}

// constantsLike are those of a deployment on an accelerator that was not measured, like another one;
// of its class where none is named, as that is without its own measurements.
func constantsLike(d *roofline.Deployment, name string) (roofline.Constants, error) {
	unknown := *d
	unknown.Constants = roofline.Constants{}
	unknown.Accelerator.Name, unknown.Accelerator.HeldOut = "an unmeasured accelerator", d.Accelerator.Name
	unknown.Accelerator.Architecture, unknown.Accelerator.KernelsLike = "", name
	found, err := unknown.Resolve()
	return found.Constants, err
}
