package heldout

import (
	"fmt"
	"slices"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware/roofline"
)

// everyEngine owns what all profiles share.
const everyEngine = "every engine"

// knob is a constant of one owner: an engine profile, all of them, or a kind of expert kernels.
type knob struct {
	owner   string
	backend string // of a profile: profiles of one backend stand in for each other
	of      *constant
}

// place is a value of every knob, as its index in the list of the constant's values.
type place []int

// knobs are the constants of all profiles and kernels that runs have, each once.
type knobs []knob

// add adds the knobs that a deployment depends on where they are missing, and returns
// their indices.
func (k *knobs) add(d *roofline.Deployment) []int {
	var on []int
	for i := range ofEngine {
		switch c := &ofEngine[i]; {
		case c.shared:
			on = append(on, k.find(knob{owner: everyEngine, of: c}))
		case c.matters(d):
			on = append(on, k.find(knob{d.Engine.Name, d.Engine.Backend, c}))
		}
	}
	if kind := expertKind(d); kind != "" {
		on = append(on, k.find(knob{owner: kind, of: &ofExperts}))
	}
	return on
}

// find is the index of a knob, which is added where it is missing.
func (k *knobs) find(wanted knob) int {
	if i := slices.Index(*k, wanted); i >= 0 {
		return i
	}
	*k = append(*k, wanted)
	return len(*k) - 1
}

// standIn is the knob whose value one has that no run speaks for: that of another
// profile of the backend, or of experts in other formats; itself where none does.
func (k knobs) standIn(i int, spoken func(i int) bool) int {
	for j := range k {
		related := k[j].backend == k[i].backend && k[i].backend != "" || k[i].of == &ofExperts && k[j].owner == otherExperts
		if related && k[j].of == k[i].of && spoken(j) {
			return j
		}
	}
	return i
}

// turned is a scenario with the values that a place has for some knobs. The given scenario
// is not changed.
func (k knobs) turned(s scenario.Scenario, on []int, at place) scenario.Scenario {
	s.Pools = slices.Clone(s.Pools)
	for i := range s.Pools {
		d := *s.Pools[i].Deployment.Roofline
		d.Constants.Kernels = slices.Clone(d.Constants.Kernels)
		for _, j := range on {
			k[j].of.set(&d, k[j].of.values[at[j]])
		}
		s.Pools[i].Deployment.Roofline = &d
	}
	return s
}

// key tells places apart, as far as some knobs go.
func (at place) key(on []int) string {
	values := make([]int, len(on))
	for i, j := range on {
		values[i] = at[j]
	}
	return fmt.Sprint(values)
}
