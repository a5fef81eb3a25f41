package experiments

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// Spec is an experiment file, resolved and with its defaults. Its tags are the
// schema: internal/strict reads them, a test compares them with the documentation,
// and results show a Spec as the experiment that was run.
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
	Prices       PricesSpec     `toml:"prices"`
	Fleet        *FleetSpec     `toml:"fleet"` // nil: hardware.replicas in turn
	Sweep        map[string]any `toml:"sweep"`
	Search       *SearchSpec    `toml:"search"`
	Expect       []ExpectSpec   `toml:"expect"`
	Claims       []ClaimSpec    `toml:"claim"`
	Paper        *PaperSpec     `toml:"paper"` // nil: the file repeats none
	Curves       []CurveSpec    `toml:"curve"`
	Plots        []PlotSpec     `toml:"plot"`

	folder string // that relative paths in the file start from
	pools  []Spec // of the only strategy's fleet: the file as each of them has it; nil: it has none
}

// SetDefaults fills in what a file that does not say otherwise means.
func (s *Spec) SetDefaults() {
	s.Seed, s.Replications = 1, 1
	s.Hardware.SetDefaults()
	s.SLO.SetDefaults()
	s.Measure.SetDefaults()
	s.Prices.SetDefaults()
}

// Validate checks what concerns several tables at once. Each table has checked itself
// before.
func (s *Spec) Validate() error {
	if err := oneLine("title", s.Title); err != nil {
		return err
	}
	if s.Prices.File == "" {
		s.Prices.Basis = cmp.Or(s.Prices.Basis, hardware.DefaultPriceBasis)
	}
	for i, client := range s.Workload.Client {
		if client.Name == "" {
			continue
		}
		if err := oneLine(fmt.Sprintf("workload.client[%d].name", i), client.Name); err != nil {
			return err
		}
	}
	// Results, figures and --set know a strategy by its name.
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

// mostLetters is how long a title or a name may be. A figure would take minutes to find
// room for a page of text.
const mostLetters = 300

// oneLine refuses names that a table or a figure cannot show; key is where the name is
// written.
func oneLine(key, text string) error {
	if strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl) {
		return &badinput.Error{Key: key, Value: text, Problem: "must be one line of text, and not empty"}
	}
	if utf8.RuneCountInString(text) > mostLetters {
		return &badinput.Error{
			Key:     key,
			Value:   text,
			Problem: "too long for a table or a figure",
			Allowed: fmt.Sprintf("at most %d letters", mostLetters),
		}
	}
	return nil
}
