package heldout

import (
	"slices"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware/roofline"
)

// unmeasured are runs on accelerators of which no kernel and no collective was measured:
// they have the constants of their class.
func unmeasured(runs []*run) ([]*run, error) {
	all := make([]*run, len(runs))
	for i, x := range runs {
		s, err := ofClass(x.scenario)
		if err != nil {
			return nil, err
		}
		all[i] = &run{x.c, s, x.on}
	}
	return all, nil
}

// ofClass is a scenario whose accelerators have the constants of their class.
func ofClass(s scenario.Scenario) (scenario.Scenario, error) {
	s.Pools = slices.Clone(s.Pools)
	for i := range s.Pools {
		d := *s.Pools[i].Deployment.Roofline
		stranger := d
		stranger.Constants = roofline.Constants{}
		stranger.Accelerator.Name = "an unmeasured accelerator"
		stranger.Accelerator.Architecture, stranger.Accelerator.KernelsLike = "", ""
		found, err := stranger.Resolve()
		if err != nil {
			return s, err
		}
		d.Constants = found.Constants
		s.Pools[i].Deployment.Roofline = &d
	}
	return s, nil
}
