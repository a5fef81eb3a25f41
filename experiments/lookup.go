package experiments

import (
	"cmp"
	"path/filepath"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
	"kneepoint/units/badinput"
)

// engine is the engine profile that the experiment names, of the catalog or of a file, with
// the parameters that the experiment has for it; vLLM's where it names none.
func (s *Spec) engine() (hardware.Engine, error) {
	name := cmp.Or(s.Hardware.Engine, defaultEngine)
	if hardware.IsProfilePath(name) {
		name = s.path(name)
	}
	e, err := hardware.LookupEngine(name)
	if err != nil || s.Hardware.Profile == nil {
		return e, badinput.Under("hardware", err)
	}
	e, err = e.With(s.Hardware.Profile, "[hardware.profile]")
	return e, badinput.Under("hardware.profile", err)
}

// engineTaken is the engine without what strategies took from it: the scenario has
// that already.
func (s *Spec) engineTaken() (hardware.Engine, error) {
	e, err := s.engine()
	e.BatchLimits, e.WholeBatches, e.PackedPrompts, e.PromptsByToken, e.PaddedReads = nil, false, false, false, ""
	return e, err
}

// architecture is the model that the experiment names.
func (s *Spec) architecture() (model.Architecture, error) {
	a, err := s.modelNamed(s.Model.Name)
	return a, badinput.Under("model", err)
}

// modelNamed is a model of the catalog, or that of a file.
func (s *Spec) modelNamed(name string) (model.Architecture, error) {
	if model.IsPath(name) {
		name = s.path(name)
	}
	return model.Lookup(name)
}

// checkNames refuses names that no catalog has, of a file whose deployment is named.
func (s *Spec) checkNames() error {
	if s.Hardware.CostModel == "synthetic" || !s.Hardware.described() {
		return nil
	}
	var d roofline.Deployment
	_, unknownAccelerator := s.Hardware.accelerator()
	_, unknownEngine := s.engine()
	_, unknownModel := s.architecture()
	return cmp.Or(unknownAccelerator, unknownEngine, unknownModel, s.Model.precisions(&d))
}

// path is where a path in the experiment leads: a relative one starts from the
// folder of the experiment's file.
func (s *Spec) path(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.folder, path)
}

// accelerator is the accelerator that the experiment names or describes, under its power cap.
func (h *HardwareSpec) accelerator() (hardware.Accelerator, error) {
	a, err := h.uncapped()
	if err != nil {
		return a, err
	}
	return a, badinput.At("hardware.power_cap_w", a.CapPower(h.PowerCapW))
}

func (h *HardwareSpec) uncapped() (hardware.Accelerator, error) {
	if h.Custom == nil {
		a, err := hardware.LookupAccelerator(h.Accelerator)
		return a, badinput.Under("hardware", err)
	}
	if h.Accelerator != "" {
		return hardware.Accelerator{}, &badinput.Error{Key: "hardware.accelerator", Value: h.Accelerator,
			Problem: "has no effect beside [hardware.custom]",
			Allowed: "one of them; like = \"" + h.Accelerator + "\" in [hardware.custom] starts from this one"}
	}
	a, err := hardware.Custom(h.Custom)
	return a, badinput.Under("hardware.custom", err)
}

// acceleratorName is the name of the accelerator, or that of one that is described.
func (h *HardwareSpec) acceleratorName() string {
	if h.Custom == nil {
		return h.Accelerator
	}
	a, _ := hardware.Custom(h.Custom) // errors are found where it is used
	return a.Name
}

// described tells whether an accelerator is named or described.
func (h *HardwareSpec) described() bool { return h.Accelerator != "" || h.Custom != nil }

// needsDeployment tells whether the model and the accelerator must be named. A
// measured cost model does without both when its KV capacity is given: with one of
// them alone it could not be computed.
func (s *Spec) needsDeployment() bool {
	switch s.Hardware.CostModel {
	case "synthetic":
		return false
	case "measured":
		return s.Hardware.KVTokens == 0 || s.Model.Name != "" || s.Hardware.described()
	}
	return true
}

// checkDescribed refuses a file that does not name the model and the accelerator where
// they are needed. Neither key can be tagged as required: some cost models do without,
// and strategies and pools may have their own.
func (s *Spec) checkDescribed() error {
	switch {
	case !s.needsDeployment():
		return nil
	case s.Model.Name == "":
		return &badinput.Error{Key: "model.name", Problem: "missing", Allowed: "a name that `kneepoint list models` shows"}
	case !s.Hardware.described():
		return &badinput.Error{
			Key:     "hardware.accelerator",
			Problem: "missing",
			Allowed: "a name that `kneepoint list accelerators` shows, or a [hardware.custom] table",
		}
	}
	return nil
}
