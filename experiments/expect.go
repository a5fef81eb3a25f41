package experiments

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// ExpectSpec is one [[expect]] table: where a metric of a strategy, or the ratio
// of two strategies' metrics, must lie.
type ExpectSpec struct {
	Metric   string    `toml:"metric" required:"true"`
	Strategy string    `toml:"strategy"`
	Ratio    []string  `toml:"ratio"` // [a, b]: the metric of a over that of b
	At       Place     `toml:"at"`
	Between  []float64 `toml:"between" required:"true"` // [low, high]
	Source   string    `toml:"source"`                  // where the bounds come from
}

// Validate checks what concerns the table alone.
func (s *ExpectSpec) Validate() error {
	if err := knownMetric(s.Metric); err != nil {
		return err
	}
	if (s.Strategy == "") == (s.Ratio == nil) {
		return &badinput.Error{Key: "strategy", Value: s.Strategy, Problem: "either strategy or ratio must be given", Allowed: `strategy = "a", or ratio = ["a", "b"]`}
	}
	if s.Ratio != nil && len(s.Ratio) != 2 {
		return &badinput.Error{Key: "ratio", Value: s.Ratio, Problem: "must name two strategies", Allowed: `like ["continuous", "static"]`}
	}
	if len(s.Between) != 2 || s.Between[0] > s.Between[1] {
		return &badinput.Error{Key: "between", Value: s.Between, Problem: "must be two numbers, the lower one first", Allowed: "like [2.0, 6.0]"}
	}
	return nil
}

func knownMetric(name string) error {
	if _, known := metrics.Lookup(name); !known {
		return &badinput.Error{Key: "metric", Value: name, Problem: "unknown metric", Nearest: badinput.Nearest(name, metrics.Keys()),
			Allowed: "a name that `kneepoint list metrics` shows"}
	}
	return nil
}

// strategies are those that the table is about.
func (s *ExpectSpec) strategies() []string {
	if s.Ratio != nil {
		return s.Ratio
	}
	return []string{s.Strategy}
}

// Place is where on a curve an expectation holds: a word, a value of the first
// swept variable, or values of several.
type Place struct {
	word   string
	value  any
	values map[string]any
}

// words are the places that are found in the results.
var words = []string{"lowest", "highest", "knee", "saturation"}

// DecodeTOML reads a word, a value, or a table of values by path.
func (p *Place) DecodeTOML(v any) error {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			p.values = v
		}
	case string:
		if slices.Contains(words, v) {
			p.word = v
			return nil
		}
		p.value = v
	case []any:
		return errors.New("a list is no place on a curve")
	default:
		p.value = v
	}
	return nil
}

// EncodeTOML is the inverse of DecodeTOML; nil when no place is given.
func (p Place) EncodeTOML() any {
	switch {
	case p.values != nil:
		return p.values
	case p.word != "":
		return p.word
	case p.value != nil:
		return p.value
	}
	return nil
}

// name says where the place is on a sweep of axes.
func (p *Place) name(axes []Axis) string {
	switch {
	case p.value != nil:
		return fmt.Sprintf("at %s %v", axes[0].Label, p.value)
	case p.word != "":
		return "at " + p.word
	case len(p.values) > 0:
		var parts []string
		for _, path := range slices.Sorted(maps.Keys(p.values)) {
			parts = append(parts, fmt.Sprintf("%s = %v", path, p.values[path]))
		}
		return "at " + strings.Join(parts, ", ")
	}
	return ""
}

// checkExpectations refuses expectations of strategies or places that are not in
// the experiment.
func (e *Experiment) checkExpectations() error {
	for i, x := range e.Spec.Expect {
		key := fmt.Sprintf("expect[%d]", i)
		for _, name := range x.strategies() {
			if err := e.checkStrategy(key, name); err != nil {
				return err
			}
		}
		if err := e.checkPlace(&x.At); err != nil {
			return &badinput.Error{Key: key + ".at", Value: x.At.EncodeTOML(), Problem: err.Error()}
		}
	}
	return nil
}

func (e *Experiment) checkStrategy(key, name string) error {
	var names []string
	for _, s := range e.Spec.Strategies {
		names = append(names, s.Name)
	}
	if slices.Contains(names, name) {
		return nil
	}
	return &badinput.Error{Key: key, Value: name, Problem: "no strategy has this name", Allowed: strings.Join(names, ", "), Nearest: badinput.Nearest(name, names)}
}

func (e *Experiment) checkPlace(p *Place) error {
	free := e.Axes
	if e.zipped() {
		free = e.Axes[:1]
	}
	switch {
	case len(free) == 0 && (p.word == "knee" || p.value != nil || p.values != nil):
		return errors.New("nothing is swept, so there is one point only; leave this out")
	case len(free) == 0:
		return nil
	case p.values != nil:
		return e.checkValues(p.values, free)
	case len(free) > 1:
		return errors.New("several variables are swept; give a table with a value for each")
	case p.word == "knee" && !free[0].IsLoad():
		return fmt.Errorf("a sweep of %s has no knee", free[0].Path)
	case p.word == "" && p.value == nil:
		return fmt.Errorf("missing: one of %s, or a swept value of %s", strings.Join(words, ", "), free[0].Path)
	case p.word == "":
		return e.checkValues(map[string]any{free[0].Path: p.value}, free)
	}
	return nil
}

func (e *Experiment) checkValues(values map[string]any, axes []Axis) error {
	for _, axis := range axes {
		v, given := values[axis.Path]
		if !given || !slices.ContainsFunc(axis.Values, func(x any) bool { return same(x, v) }) {
			return fmt.Errorf("%s has no swept value %v; it has %v", axis.Path, v, axis.Values)
		}
	}
	if len(values) != len(axes) {
		return errors.New("a value is given for a variable that is not swept")
	}
	return nil
}

// same compares swept values; 8 and 8.0 are the same.
func same(a, b any) bool {
	x, isX := Number(a)
	y, isY := Number(b)
	if isX && isY {
		return x == y
	}
	return a == b
}
