package experiments

import (
	"fmt"

	"kneepoint/units/badinput"
)

// keyUse is a key that some cost models, or some routers, do not read.
type keyUse struct {
	changed bool // it has another value than its default
	read    bool
	wrong   badinput.Error // what to say where it is changed, and read nowhere
}

// unreadKeys are the keys that were changed and not yet read, by name, in the order in
// which they were first seen; those that were read are empty. Whoever sets a key expects
// an effect, and equal results would not tell why there is none: but what one strategy or
// point of a sweep reads may stand in the tables that all have in common.
type unreadKeys struct {
	names []string
	wrong map[string]*badinput.Error
}

// note notes what a strategy at a point reads.
func (u *unreadKeys) note(s *Spec) {
	if u.wrong == nil {
		u.wrong = map[string]*badinput.Error{}
	}
	_ = s.eachPool(func(_ *PoolSpec, own *Spec) error {
		u.add(own.keyUses())
		u.add(own.modelUses())
		u.add(own.scalingUses())
		return nil
	})
	u.add(s.fleetUses())
}

// add notes which of some keys are changed and read.
func (u *unreadKeys) add(uses []keyUse) {
	for _, use := range uses {
		if !use.changed {
			continue
		}
		name := use.wrong.Key
		if _, seen := u.wrong[name]; !seen {
			u.names = append(u.names, name)
			u.wrong[name] = &use.wrong
		}
		if use.read {
			u.wrong[name] = nil
		}
	}
}

// check refuses the first key that nobody reads.
func (u *unreadKeys) check() error {
	for _, name := range u.names {
		if wrong := u.wrong[name]; wrong != nil {
			return wrong
		}
	}
	return nil
}

// keyUses are the keys that not every cost model reads. The tp and dp of measured steps
// say how many accelerators a replica has.
func (s *Spec) keyUses() []keyUse {
	var usual Spec
	usual.SetDefaults()
	h, defaults := &s.Hardware, &usual.Hardware
	roofline, deployed := h.CostModel != "synthetic", s.needsDeployment()
	why := fmt.Sprintf("has no effect with cost_model = %q, which knows no model and no accelerator here", h.CostModel)
	use := func(key string, changed, read bool) keyUse {
		return keyUse{changed, read, badinput.Error{Key: key, Problem: why, Allowed: "leave it out"}}
	}
	return []keyUse{
		use("model.name", s.Model.Name != "", roofline),
		use("model.weights", s.Model.Weights != "", deployed),
		use("model.activations", s.Model.Activations != "", deployed),
		use("model.kv", s.Model.KV != "", deployed),
		use("model.other_weights", s.Model.Other != "", deployed),
		use("model.expert_skew", s.Model.ExpertSkew != 0 && !deployed, false),
		use("hardware.accelerator", h.Accelerator != "", roofline),
		use("hardware.custom", h.Custom != nil, roofline),
		use("hardware.tp", h.TP != defaults.TP, roofline),
		use("hardware.dp", h.DP != defaults.DP, roofline),
		use("hardware.ep", h.EP != defaults.EP, deployed),
		use("hardware.cpu_offload_gb", h.CPUOffloadGB != 0, deployed),
		{h.PowerCapW != 0, h.CostModel == "roofline", badinput.Error{Key: "hardware.power_cap_w", Value: h.PowerCapW,
			Problem: fmt.Sprintf("has no effect with cost_model = %q, whose steps take what the file says", h.CostModel), Allowed: "leave it out"}},
		{h.Profile != nil, h.CostModel == "roofline", badinput.Error{Key: "hardware.profile",
			Problem: fmt.Sprintf("has no effect with cost_model = %q, whose steps take what the file says", h.CostModel), Allowed: "leave it out"}},
		{h.GPUMemoryUtilization != defaults.GPUMemoryUtilization, h.KVTokens == 0, badinput.Error{
			Key:     "hardware.gpu_memory_utilization",
			Value:   h.GPUMemoryUtilization,
			Problem: "has no effect beside hardware.kv_tokens, which states what fits",
			Allowed: "one of them",
		}},
	}
}
