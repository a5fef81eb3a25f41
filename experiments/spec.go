package experiments

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"kneepoint/hardware"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// Spec is an experiment file, resolved and with its defaults.
type Spec struct {
	Title        string         `toml:"title" required:"true"`
	Seed         uint64         `toml:"seed"`
	Replications int            `toml:"replications" check:"positive" most:"100000"`
	Model        ModelSpec      `toml:"model"`
	Hardware     HardwareSpec   `toml:"hardware"`
	Workload     workloads.Spec `toml:"workload" required:"true"`
	SLO          SLOSpec        `toml:"slo"`
	Measure      MeasureSpec    `toml:"measure"`
	Strategies   []StrategySpec `toml:"strategy" required:"true"`
	Sweep        map[string]any `toml:"sweep"`
	Expect       []ExpectSpec   `toml:"expect"`
	Claims       []ClaimSpec    `toml:"claim"`
	Plot         any            `toml:"plot" later:"true"`

	folder string // that relative paths start from
}

// SetDefaults fills in what a file that does not say otherwise means.
func (s *Spec) SetDefaults() {
	s.Seed, s.Replications = 1, 1
	s.Model.SetDefaults()
	s.Hardware.SetDefaults()
	s.SLO.SetDefaults()
	s.Measure.SetDefaults()
}

// Validate checks what concerns several tables at once.
func (s *Spec) Validate() error {
	if err := oneLine("title", s.Title); err != nil {
		return err
	}
	for i, client := range s.Workload.Client {
		if client.Name == "" {
			continue
		}
		if err := oneLine(fmt.Sprintf("workload.client[%d].name", i), client.Name); err != nil {
			return err
		}
	}
	if s.needsDeployment() {
		if s.Model.Name == "" {
			return &badinput.Error{Key: "model.name", Problem: "missing", Allowed: "a name that `kneepoint list models` shows"}
		}
		if !s.Hardware.described() {
			return &badinput.Error{Key: "hardware.accelerator", Problem: "missing", Allowed: "a name that `kneepoint list accelerators` shows, or a [hardware.custom] table"}
		}
	}
	names := map[string]bool{}
	for i, strategy := range s.Strategies {
		if names[strategy.Name] {
			return &badinput.Error{Key: fmt.Sprintf("strategy[%d].name", i), Value: strategy.Name,
				Problem: "another strategy has this name; names must be unique"}
		}
		names[strategy.Name] = true
	}
	if len(s.Strategies) == 0 {
		return &badinput.Error{Key: "strategy", Problem: "an experiment needs at least one strategy"}
	}
	return nil
}

// ModelSpec is the [model] table.
type ModelSpec struct {
	Name        string `toml:"name"`
	Weights     string `toml:"weights"`
	Activations string `toml:"activations"`
	KV          string `toml:"kv"`
	MaxModelLen int    `toml:"max_model_len" check:"nonnegative"` // 0: the model's own
}

// SetDefaults makes everything bf16.
func (m *ModelSpec) SetDefaults() { m.Weights, m.Activations, m.KV = "bf16", "bf16", "bf16" }

// Accelerators is the number of accelerators of a replica. Experts are spread
// over those that tensor and attention data parallelism use, so ep adds none.
func (h *HardwareSpec) Accelerators() int { return h.TP * h.PP * h.DP }

// HardwareSpec is the [hardware] table.
type HardwareSpec struct {
	Accelerator          string              `toml:"accelerator"`
	Custom               map[string]any      `toml:"custom"` // an accelerator of one's own, see hardware.Custom
	TP                   int                 `toml:"tp" check:"positive"`
	PP                   int                 `toml:"pp" check:"positive"`
	EP                   int                 `toml:"ep" check:"positive"`
	DP                   int                 `toml:"dp" check:"positive"`
	Replicas             int                 `toml:"replicas" check:"positive" most:"1000000"`
	GPUMemoryUtilization float64             `toml:"gpu_memory_utilization" check:"share"`
	KVTokens             int                 `toml:"kv_tokens" check:"nonnegative"`                                          // 0: computed
	CPUOffloadGB         float64             `toml:"cpu_offload_gb" check:"nonnegative" only:"cost_model=roofline,measured"` // GiB of each accelerator's weights, as in vLLM
	Engine               string              `toml:"engine"`
	CostModel            string              `toml:"cost_model" oneof:"roofline measured synthetic"`
	Synthetic            *hardware.Synthetic `toml:"synthetic" only:"cost_model=synthetic"`
	Measured             *hardware.Measured  `toml:"measured" only:"cost_model=measured"`
}

// SetDefaults makes it one accelerator under vLLM.
func (h *HardwareSpec) SetDefaults() {
	*h = HardwareSpec{TP: 1, PP: 1, EP: 1, DP: 1, Replicas: 1, GPUMemoryUtilization: 0.9,
		Engine: "vllm-v1", CostModel: "roofline"}
}

// Validate refuses a cost model without its table.
func (h *HardwareSpec) Validate() error {
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

// SLOSpec is the [slo] table; zero means no bound.
type SLOSpec struct {
	TTFTms     float64 `toml:"ttft_ms" check:"nonnegative"`
	TPOTms     float64 `toml:"tpot_ms" check:"nonnegative"`
	E2ELms     float64 `toml:"e2el_ms" check:"nonnegative"`
	Attainment float64 `toml:"attainment" check:"share"`
	ITLp99ms   any     `toml:"itl_p99_ms" later:"true"`
}

// SetDefaults asks for nine requests in ten.
func (s *SLOSpec) SetDefaults() { s.Attainment = 0.9 }

// Objective is the SLO for one request.
func (s *SLOSpec) Objective() metrics.Objective {
	return metrics.Objective{
		TTFT: units.Seconds(s.TTFTms / 1e3),
		TPOT: units.Seconds(s.TPOTms / 1e3),
		E2EL: units.Seconds(s.E2ELms / 1e3),
	}
}

// MeasureSpec is the [measure] table.
type MeasureSpec struct {
	Warmup   Trim          `toml:"warmup"`
	Cooldown Trim          `toml:"cooldown"`
	Drain    bool          `toml:"drain"`
	MaxTime  units.Seconds `toml:"max_time" check:"nonnegative"` // 0: none
}

// SetDefaults measures the whole run, drained.
func (m *MeasureSpec) SetDefaults() { m.Drain = true }

// Trim is what is cut off one end of a run: a time, or a fraction of the
// arrivals.
type Trim struct {
	Time     units.Seconds
	Fraction float64
}

// DecodeTOML reads a duration such as "30s", or a number from 0 to below 1.
func (t *Trim) DecodeTOML(v any) error {
	const allowed = `write a duration, like "30s", or a fraction of the arrivals below 1`
	switch v := v.(type) {
	case string:
		s, err := units.ParseSeconds(v)
		if err != nil || s < 0 {
			return errors.New("not a duration: " + allowed)
		}
		t.Time = s
		return nil
	case float64:
		if v >= 0 && v < 1 {
			t.Fraction = v
			return nil
		}
	case int64:
		if v == 0 {
			return nil
		}
	}
	return errors.New("out of range: " + allowed)
}

// EncodeTOML is the inverse of DecodeTOML.
func (t Trim) EncodeTOML() any {
	if t.Fraction > 0 {
		return t.Fraction
	}
	text, _ := t.Time.MarshalText()
	return string(text)
}

// oneLine refuses names that a table or a figure cannot show.
func oneLine(key, text string) error {
	if strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl) {
		return &badinput.Error{Key: key, Value: text, Problem: "must be one line of text, and not empty"}
	}
	return nil
}
