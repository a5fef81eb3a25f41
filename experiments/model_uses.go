package experiments

import (
	"fmt"
	"maps"
	"slices"

	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/units/badinput"
)

// modelUses are the keys that only some models, or some numbers of accelerators, read.
func (s *Spec) modelUses() []keyUse {
	if !s.needsDeployment() || s.Model.ExpertSkew == 0 && len(s.Hardware.Profile) == 0 {
		return nil
	}
	a, err := s.architecture()
	if err != nil { // which is refused elsewhere
		return nil
	}
	uses := []keyUse{{s.Model.ExpertSkew != 0, a.Experts != nil, badinput.Error{Key: "model.expert_skew", Value: s.Model.ExpertSkew,
		Problem: fmt.Sprintf("has no effect: %s has no experts", a.Name), Allowed: "leave it out"}}}
	for _, key := range slices.Sorted(maps.Keys(s.Hardware.Profile)) {
		if why, read := s.profileUse(key, &a); why != "" {
			uses = append(uses, keyUse{true, read, badinput.Error{Key: "hardware.profile." + key, Value: s.Hardware.Profile[key],
				Problem: "has no effect: " + why, Allowed: "leave it out"}})
		}
	}
	return uses
}

// profileUse tells whether a deployment of a model reads a parameter of the engine, and what it would say if it did not; nothing
// of parameters that every deployment reads. Profiles in files are not asked: they describe an engine, whatever it serves.
func (s *Spec) profileUse(key string, a *model.Architecture) (why string, read bool) {
	switch key {
	case "step_cpu_per_accelerator":
		return "a replica has one accelerator", s.Hardware.Accelerators() > 1
	case "fused_sums":
		return s.sumUse()
	case "product_vector_ops":
		return "no weights have fewer than 16 bits", s.narrow(a)
	case "expert_imbalance":
		return "experts are in one group (hardware.ep = 1)", s.Hardware.EP > 1
	case "balanced_experts":
		return a.Name + " has no experts", a.Experts != nil
	case "prompt_launch_floor_latent":
		return a.Name + " has no latent attention", a.Latent != nil
	case "speculation_step", "speculation_per_sequence", "speculation_sequences", "speculation_pass":
		return "nothing is guessed", s.Strategies[0].Speculation != nil
	}
	return "", true
}

// sumUse is profileUse of fused_sums: products are split, and within a server.
func (s *Spec) sumUse() (why string, read bool) {
	tp := s.Hardware.TP
	if tp == 1 {
		return "no product is split (hardware.tp = 1)", false
	}
	accelerator, err := s.Hardware.accelerator() // what is wrong with it is refused elsewhere
	return fmt.Sprintf("sums go between servers (hardware.tp = %d)", tp), err != nil || tp <= accelerator.Server()
}

// narrow tells whether some of a model's weights have fewer than 16 bits.
func (s *Spec) narrow(a *model.Architecture) bool {
	accelerator, err := s.Hardware.accelerator()
	d := roofline.Deployment{Architecture: *a, Accelerator: accelerator}
	if err != nil || s.Model.precisions(&d) != nil {
		return true
	}
	d.Weights, d.Activations, d.KV = d.Precisions()
	return d.Weights.Bytes() < 2 || d.OtherWeights != "" && d.OtherWeights.Bytes() < 2
}
