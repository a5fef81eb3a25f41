package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// ExpectSpec is one [[expect]] table: where a metric of a strategy, or the ratio
// of two strategies' metrics or of a metric at two places, must lie.
type ExpectSpec struct {
	Metric   string     `toml:"metric" required:"true"`
	Strategy string     `toml:"strategy"`
	Ratio    []string   `toml:"ratio"`                     // [a, b]: the metric of a over that of b
	At       PlacesSpec `toml:"at"`                        // [x, y]: the metric at x over that at y
	Window   string     `toml:"window" oneof:"run steady"` // steady: the measuring window, between warmup and cooldown
	Between  []float64  `toml:"between" required:"true"`   // [low, high]
	Source   string     `toml:"source"`                    // where the bounds come from
}

// SetDefaults looks at what tables show.
func (s *ExpectSpec) SetDefaults() { s.Window = "run" }

// Validate checks what concerns the table alone. Whether the strategies and the place
// are in the experiment is checked once the file is resolved (see checkExpectations).
func (s *ExpectSpec) Validate() error {
	if s.Metric == results.BreakEvenMetric {
		return s.checkBreakEven()
	}
	if err := knownMetric(s.Metric); err != nil {
		return err
	}
	if (s.Strategy == "") == (s.Ratio == nil) {
		return &badinput.Error{
			Key:     "strategy",
			Value:   s.Strategy,
			Problem: "either strategy or ratio must be given",
			Allowed: `strategy = "a", or ratio = ["a", "b"]`,
		}
	}
	if s.Ratio != nil && len(s.Ratio) != 2 {
		return &badinput.Error{Key: "ratio", Value: s.Ratio, Problem: "must name two strategies", Allowed: `like ["continuous", "static"]`}
	}
	if len(s.At) > 2 {
		return &badinput.Error{
			Key:     "at",
			Value:   s.At.EncodeTOML(),
			Problem: "must be a place, or a list of two",
			Allowed: "[64, 1]: the metric at 64 over that at 1",
		}
	}
	return checkBetween(s.Between)
}

// checkBetween refuses what are no bounds.
func checkBetween(bounds []float64) error {
	if len(bounds) != 2 || !(bounds[0] <= bounds[1]) {
		return &badinput.Error{Key: "between", Value: bounds, Problem: "must be two numbers, the lower one first", Allowed: "like [2.0, 6.0]"}
	}
	return nil
}

// knownMetric refuses a metric that no run has.
func knownMetric(name string) error {
	if _, known := metrics.Lookup(name); !known {
		return &badinput.Error{Key: "metric", Value: name, Problem: "unknown metric", Nearest: badinput.Nearest(name, metrics.Keys()),
			Allowed: "a name that `kneepoint list metrics` shows"}
	}
	return nil
}

// strategies are the names of those that the table is about: one, or the two of a
// ratio.
func (s *ExpectSpec) strategies() []string {
	if s.Ratio != nil {
		return s.Ratio
	}
	return []string{s.Strategy}
}

// places is where the metric is looked at: over the second place's, where there are two.
func (s *ExpectSpec) places() (at results.Place, over *results.Place) {
	if len(s.At) == 2 {
		over = (*results.Place)(&s.At[1])
	}
	if len(s.At) > 0 {
		at = results.Place(s.At[0])
	}
	return at, over
}

// PlaceSpec is where on a curve an expectation holds: a word, a value of the first
// swept variable, or values of several.
type PlaceSpec results.Place

// DecodeTOML reads a word, a value, or a table of values by path. Text that is no
// word of results is a value, since a swept variable may be a name.
func (p *PlaceSpec) DecodeTOML(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for path, x := range v {
			if p.Values == nil {
				p.Values = results.Setting{}
			}
			p.Values[path] = results.ValueOf(x)
		}
	case string:
		if slices.Contains(results.Words, v) {
			p.Word = v
			return nil
		}
		p.Value = results.ValueOf(v)
	case []any:
		return errors.New("a list is no place on a curve; allowed: a word, a value, or a table of values")
	default:
		p.Value = results.ValueOf(v)
	}
	return nil
}

// EncodeTOML is the inverse of DecodeTOML; nil when no place is given.
func (p PlaceSpec) EncodeTOML() any {
	switch {
	case p.Values != nil:
		table := map[string]any{}
		for path, v := range p.Values {
			table[path] = v.Any()
		}
		return table
	case p.Word != "":
		return p.Word
	}
	return p.Value.Any()
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
		if x.Metric == results.BreakEvenMetric {
			if err := e.checkBreakEvenOf(x.Strategy); err != nil {
				return badinput.Under(key, err)
			}
			continue
		}
		places := x.At
		if places == nil {
			places = PlacesSpec{{}}
		}
		if err := e.checkPlaces(key+".at", places); err != nil {
			return err
		}
		if err := e.checkNotOverItself(key, &x); err != nil {
			return err
		}
		if err := e.checkWindow(&x); err != nil {
			return badinput.Under(key, err)
		}
	}
	return nil
}

// checkWindow refuses a window that is not measured, or at a place that has none.
func (e *Experiment) checkWindow(x *ExpectSpec) error {
	wrong := &badinput.Error{Key: "window", Value: x.Window, Allowed: `"run"`}
	measured := e.Spec.Measure.Warmup != Trim{} || e.Spec.Measure.Cooldown != Trim{} ||
		slices.ContainsFunc(e.Axes, func(a results.Axis) bool { return a.Path == "measure.warmup" || a.Path == "measure.cooldown" })
	switch {
	case x.Window != "steady":
		return nil
	case !measured:
		wrong.Problem, wrong.Allowed = "there is no measuring window", "a warmup or cooldown in [measure]"
		return wrong
	case slices.ContainsFunc(x.At, func(p PlaceSpec) bool { return p.Word == results.AtKnee }):
		wrong.Problem = "knees are of whole runs"
		return wrong
	}
	return nil
}

// checkStrategy refuses the name of a strategy that the experiment has not; key is
// where the name is written.
func (e *Experiment) checkStrategy(key, name string) error {
	var names []string
	for _, s := range e.Spec.Strategies {
		names = append(names, s.Name)
	}
	if slices.Contains(names, name) {
		return nil
	}
	return &badinput.Error{
		Key:     key,
		Value:   name,
		Problem: "no strategy has this name",
		Allowed: strings.Join(names, ", "),
		Nearest: badinput.Nearest(name, names),
	}
}

// checkPlaces refuses places that checkPlace refuses; key is where they are written.
func (e *Experiment) checkPlaces(key string, places PlacesSpec) error {
	for _, place := range places {
		if err := e.checkPlace(&place); err != nil {
			return &badinput.Error{Key: key, Value: place.EncodeTOML(), Problem: err.Error()}
		}
	}
	return nil
}

// checkPlace refuses a place that does not say which points are meant, or that no point
// is at. Zipped variables that go along a curve count as one: their values belong
// together. Its error has no key, which the caller knows.
func (e *Experiment) checkPlace(p *PlaceSpec) error {
	free := e.Axes
	if len(free) > 0 {
		curves := results.Plan{Sweep: e.Axes, Zipped: e.zipped()}
		free = append([]results.Axis{e.Axes[0]}, curves.CurveAxes()...)
	}
	switch {
	case len(free) == 0 && (p.Word == results.AtKnee || !p.Value.IsZero() || p.Values != nil):
		return errors.New("nothing is swept, so there is one point only; leave this out")
	case len(free) == 0:
		return nil
	case p.Values != nil:
		return e.checkValues(p.Values, free)
	case len(free) > 1:
		return errors.New("several variables are swept; give a table with a value for each")
	case p.Word == results.AtKnee && !free[0].IsLoad():
		return fmt.Errorf("a sweep of %s has no knee", free[0].Path)
	case p.Word == "" && p.Value.IsZero():
		return fmt.Errorf("missing: one of %s, or a swept value of %s", strings.Join(results.Words, ", "), free[0].Path)
	case p.Word == "":
		return e.checkValues(results.Setting{free[0].Path: p.Value}, free)
	}
	return nil
}

// checkValues refuses values that do not pick one swept value of every axis.
func (e *Experiment) checkValues(values results.Setting, axes []results.Axis) error {
	for _, axis := range axes {
		v, given := values[axis.Path]
		if !given || !slices.ContainsFunc(axis.Values, v.Same) {
			return fmt.Errorf("%s has no swept value %v; allowed: %v", axis.Path, v, axis.Values)
		}
	}
	if len(values) != len(axes) {
		return errors.New("a value is given for a variable that is not swept")
	}
	return nil
}
