package experiments

import (
	"cmp"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// ModelSpec is the [model] table.
type ModelSpec struct {
	Name        string `toml:"name"`
	Weights     string `toml:"weights"`                           // empty: the checkpoint's, see roofline.Deployment
	Activations string `toml:"activations"`                       // likewise
	KV          string `toml:"kv"`                                // empty: 16 bits
	Other       string `toml:"other_weights"`                     // likewise
	MaxModelLen int    `toml:"max_model_len" check:"nonnegative"` // tokens of prompt and output; 0: the model's own

	ExpertSkew float64 `toml:"expert_skew" check:"nonnegative"` // see model.Experts
}

// Validate refuses a length that nothing fits in: each request has a token of a prompt
// and one of an answer.
func (m *ModelSpec) Validate() error {
	if m.MaxModelLen == 1 {
		return &badinput.Error{
			Key:     "max_model_len",
			Value:   m.MaxModelLen,
			Problem: "no request fits: each has a token of a prompt and one of an answer",
			Allowed: "from 2, or 0 for the model's own",
		}
	}
	return nil
}

// HardwareSpec is the [hardware] table.
type HardwareSpec struct {
	Accelerator          string              `toml:"accelerator"`
	Custom               map[string]any      `toml:"custom"` // an accelerator of one's own, see hardware.Custom
	TP                   int                 `toml:"tp" check:"positive"`
	PP                   int                 `toml:"pp" check:"positive"`
	EP                   int                 `toml:"ep" check:"positive"`
	DP                   int                 `toml:"dp" check:"positive"`
	Replicas             int                 `toml:"replicas" check:"positive" most:"100000"`
	GPUMemoryUtilization float64             `toml:"gpu_memory_utilization" check:"share"`
	KVTokens             int                 `toml:"kv_tokens" check:"nonnegative"`      // 0: computed
	PowerCapW            float64             `toml:"power_cap_w" check:"nonnegative"`    // 0: the TDP
	CPUOffloadGB         float64             `toml:"cpu_offload_gb" check:"nonnegative"` // GiB of each accelerator's weights, as in vLLM
	Engine               string              `toml:"engine"`
	Profile              map[string]any      `toml:"profile"` // in which the engine differs from its profile, see hardware.Engine
	CostModel            string              `toml:"cost_model" oneof:"roofline measured synthetic"`
	Synthetic            *hardware.Synthetic `toml:"synthetic" only:"cost_model=synthetic"`
	Measured             *hardware.Measured  `toml:"measured" only:"cost_model=measured"`
}

// defaultEngine serves unless the file says otherwise. Synthetic steps have no engine
// then, but the limits of a batch are those of this one.
const defaultEngine = "vllm-v1"

// SetDefaults is one replica of one accelerator, with vLLM's share of memory.
func (h *HardwareSpec) SetDefaults() {
	*h = HardwareSpec{TP: 1, PP: 1, EP: 1, DP: 1, Replicas: 1, GPUMemoryUtilization: 0.9, CostModel: "roofline"}
}

// Validate has vLLM serve the model unless the file says otherwise, but for synthetic
// steps, which nobody serves then. It refuses a cost model without its table. The
// table of another cost model is refused by the tags above.
func (h *HardwareSpec) Validate() error {
	if h.CostModel != "synthetic" {
		h.Engine = cmp.Or(h.Engine, defaultEngine)
	}
	if h.CostModel == "measured" && h.Measured == nil {
		return &badinput.Error{Key: "measured", Problem: "missing: cost_model is measured"}
	}
	if h.CostModel != "synthetic" {
		return nil
	}
	if h.Synthetic == nil {
		return &badinput.Error{Key: "synthetic", Problem: "missing: cost_model is synthetic"}
	}
	if h.KVTokens == 0 {
		return &badinput.Error{Key: "kv_tokens", Problem: "missing: a synthetic cost model has no memory to compute it from"}
	}
	return nil
}

// Accelerators is the number of accelerators of a replica. Experts are spread
// over those that tensor and attention data parallelism use, so ep adds none.
func (h *HardwareSpec) Accelerators() int { return h.TP * h.PP * h.DP }
