package experiments

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// checkUnread refuses keys that the cost model does not read: whoever sets one expects
// an effect, and equal results would not tell why there is none. A key that has its
// default may stand anywhere, and so may what other strategies or points of a sweep read.
// The tp and dp of measured steps say how many accelerators a replica has.
func (s *Spec) checkUnread() error {
	if s.variesReaders() {
		return nil
	}
	var usual Spec
	usual.SetDefaults()
	h, defaults := &s.Hardware, &usual.Hardware
	synthetic, bare := h.CostModel == "synthetic", !s.needsDeployment()
	for _, key := range []struct {
		name    string
		changed bool
		unread  bool
	}{
		{"model.name", s.Model.Name != "", synthetic},
		{"model.weights", s.Model.Weights != usual.Model.Weights, bare},
		{"model.activations", s.Model.Activations != usual.Model.Activations, bare},
		{"model.kv", s.Model.KV != usual.Model.KV, bare},
		{"hardware.accelerator", h.Accelerator != "", synthetic},
		{"hardware.custom", h.Custom != nil, synthetic},
		{"hardware.tp", h.TP != defaults.TP, synthetic},
		{"hardware.dp", h.DP != defaults.DP, synthetic},
		{"hardware.ep", h.EP != defaults.EP, bare},
		{"hardware.cpu_offload_gb", h.CPUOffloadGB != 0, bare},
	} {
		if key.changed && key.unread {
			return &badinput.Error{
				Key:     key.name,
				Problem: fmt.Sprintf("has no effect with cost_model = %q, which knows no model and no accelerator here", h.CostModel),
				Allowed: "leave it out",
			}
		}
	}
	if h.KVTokens > 0 && h.GPUMemoryUtilization != defaults.GPUMemoryUtilization {
		return &badinput.Error{
			Key:     "hardware.gpu_memory_utilization",
			Value:   h.GPUMemoryUtilization,
			Problem: "has no effect beside hardware.kv_tokens, which states what fits",
			Allowed: "one of them",
		}
	}
	return nil
}

// variesReaders tells whether a sweep or a strategy changes which keys are read.
func (s *Spec) variesReaders() bool {
	for path := range s.Sweep {
		if strings.HasSuffix(path, "hardware.cost_model") || strings.HasSuffix(path, "hardware.kv_tokens") {
			return true
		}
	}
	return slices.ContainsFunc(s.Strategies, func(x StrategySpec) bool {
		return x.Hardware["cost_model"] != nil || x.Hardware["kv_tokens"] != nil
	})
}
