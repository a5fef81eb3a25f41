package experiments

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// CurveSpec is one [[curve]] table: published values of a metric, which what comes out is held
// against.
type CurveSpec struct {
	Figure   string               `toml:"figure" required:"true"` // of the paper; curves of one figure are compared with each other
	Strategy string               `toml:"strategy"`               // not beside x = "strategy"
	Over     string               `toml:"over"`                   // the metric is divided by this strategy's
	Metric   string               `toml:"metric" required:"true"`
	X        string               `toml:"x"`     // "": the first swept variable; a metric's key, or "strategy"
	Where    map[string]any       `toml:"where"` // values of the other swept variables, by path
	Within   float64              `toml:"within" check:"positive"`
	Reading  float64              `toml:"reading" check:"nonnegative"`
	Why      string               `toml:"why"`    // what is missed, in a sentence
	Points   []PublishedPointSpec `toml:"points"` // this or file
	File     string               `toml:"file"`   // a CSV with columns x and y; relative to this file
}

// SetDefaults asks for what measurements of the same thing commonly differ by.
func (s *CurveSpec) SetDefaults() { s.Within = 0.1 }

// widestBand is the largest band that a published value can be missed by: 0 would lie within any
// larger one.
const widestBand = 0.99

// Validate checks what concerns the table alone. Whether the strategies and places are in the
// experiment is checked once the file is resolved (see checkCurves).
func (s *CurveSpec) Validate() error {
	if err := oneLine("figure", s.Figure); err != nil {
		return err
	}
	if err := knownMetric(s.Metric); err != nil {
		return err
	}
	switch {
	case s.Within > widestBand:
		return &badinput.Error{Key: "within", Value: s.Within, Problem: "is met by anything", Allowed: "a share, like 0.1 for 10 %"}
	case s.Reading >= s.Within:
		return &badinput.Error{Key: "reading", Value: s.Reading, Problem: fmt.Sprintf("is no smaller than within = %v", s.Within),
			Allowed: "the share by which a value that was read off a drawing may be off"}
	case (s.Strategy == "") != (s.X == results.ByStrategy):
		return &badinput.Error{Key: "strategy", Value: s.Strategy, Problem: "whose points they are is said twice, or not at all",
			Allowed: `strategy = "a", or x = "strategy" with points like ["a", 3.2]`}
	case s.Over != "" && s.Over == s.Strategy:
		return &badinput.Error{Key: "over", Value: s.Over, Problem: "a strategy over itself is 1", Allowed: "another strategy"}
	case (len(s.Points) == 0) == (s.File == ""):
		return &badinput.Error{Key: "points", Problem: "either points or a file of them must be given", Allowed: "like [[1, 0.9], [4, 3.2]]"}
	}
	return nil
}

// PublishedPointSpec is [x, y] or [x, y, noise]: a value or name, a number above 0, and the standard
// deviation of repeated measurements as a share of it.
type PublishedPointSpec results.PublishedPoint

// DecodeTOML reads a list of two or three.
func (p *PublishedPointSpec) DecodeTOML(v any) error {
	list, ok := v.([]any)
	if !ok || len(list) < 2 || len(list) > 3 {
		return errors.New("a point is a list of two, or of three with its noise; allowed: like [4, 3.2] or [4, 3.2, 0.01]")
	}
	p.X = results.ValueOf(list[0])
	y, ok := results.ValueOf(list[1]).Number()
	if !ok || !(y > 0) || math.IsInf(y, 0) {
		return fmt.Errorf("the published value is %v; allowed: a number above 0", list[1])
	}
	p.Y = y
	if len(list) < 3 {
		return nil
	}
	if p.Noise, ok = results.ValueOf(list[2]).Number(); !ok || !(p.Noise >= 0 && p.Noise < 1) {
		return fmt.Errorf("its noise is %v; allowed: a share from 0, below 1", list[2])
	}
	return nil
}

// EncodeTOML is the inverse of DecodeTOML.
func (p PublishedPointSpec) EncodeTOML() any {
	if p.Noise > 0 {
		return []any{p.X.Any(), p.Y, p.Noise}
	}
	return []any{p.X.Any(), p.Y}
}

// checkCurves fills in what the tables leave out, and refuses those about strategies, variables
// or places that are not in the experiment.
func (e *Experiment) checkCurves() error {
	if e.Spec.Paper != nil && len(e.Spec.Curves) == 0 {
		return &badinput.Error{Key: "paper", Problem: "nothing that it published is given", Allowed: "[[curve]] tables beside it"}
	}
	for i := range e.Spec.Curves {
		if err := e.checkCurve(&e.Spec.Curves[i]); err != nil {
			return badinput.Under(fmt.Sprintf("curve[%d]", i), err)
		}
	}
	return nil
}

func (e *Experiment) checkCurve(c *CurveSpec) error {
	for _, named := range []struct{ key, strategy string }{{"strategy", c.Strategy}, {"over", c.Over}} {
		if named.strategy == "" {
			continue
		}
		if err := e.checkStrategy(named.key, named.strategy); err != nil {
			return err
		}
	}
	if c.File != "" {
		points, err := readPoints(e.Spec.path(c.File))
		if err != nil {
			return badinput.Under("file", err)
		}
		c.Points = points
	}
	if c.X == "" && len(e.Axes) > 0 {
		c.X = e.Axes[0].Path
	}
	if err := e.checkWhere(c); err != nil {
		return err
	}
	for i, point := range c.Points {
		if err := e.checkX(c, point.X); err != nil {
			return &badinput.Error{Key: fmt.Sprintf("points[%d]", i), Value: point.X.Any(), Problem: err.Error()}
		}
	}
	return nil
}

// checkWhere refuses values that leave open which curve of a strategy is meant.
func (e *Experiment) checkWhere(c *CurveSpec) error {
	plan := results.Plan{Sweep: e.Axes, Zipped: e.zipped()}
	fixed := plan.CurveAxes()
	if c.X == results.ByStrategy && len(e.Axes) > 0 {
		fixed = append([]results.Axis{e.Axes[0]}, fixed...)
	}
	if err := e.checkValues(c.where(), fixed); err != nil {
		allowed := "leave it out: a strategy has one curve"
		if len(fixed) > 0 {
			allowed = "a value of each of " + pathsOf(fixed)
		}
		return &badinput.Error{Key: "where", Value: c.Where, Problem: err.Error(), Allowed: allowed}
	}
	return nil
}

// pathsOf are the paths of axes, as a list.
func pathsOf(axes []results.Axis) string {
	var paths []string
	for _, a := range axes {
		paths = append(paths, a.Path)
	}
	return strings.Join(paths, ", ")
}

// where is Where as results have it.
func (c *CurveSpec) where() results.Setting {
	if len(c.Where) == 0 {
		return nil
	}
	s := results.Setting{}
	for path, v := range c.Where {
		s[path] = results.ValueOf(v)
	}
	return s
}

// checkX refuses a place at which nothing is simulated.
func (e *Experiment) checkX(c *CurveSpec, x results.Value) error {
	number, isNumber := x.Number()
	_, isMetric := metrics.Lookup(c.X)
	switch {
	case c.X == results.ByStrategy:
		return e.checkStrategy("x", x.String())
	case isMetric && isNumber:
		return nil
	case isMetric:
		return errors.New("is no value of a metric")
	case len(e.Axes) == 0:
		return errors.New(`nothing is swept; allowed: x = "strategy", or a metric`)
	case c.X != e.Axes[0].Path:
		return fmt.Errorf("x = %q is neither what is swept first nor a metric; allowed: %s", c.X, e.Axes[0].Path)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range e.Axes[0].Values {
		if v.Same(x) {
			return nil
		}
		if swept, ok := v.Number(); ok {
			low, high = min(low, swept), max(high, swept)
		}
	}
	if isNumber && low < number && number < high {
		return nil
	}
	return fmt.Errorf("%s is not swept there; allowed: %v", c.X, e.Axes[0].Values)
}

// published are the [[curve]] tables as data.
func (e *Experiment) published() []results.PublishedCurve {
	var all []results.PublishedCurve
	for i := range e.Spec.Curves {
		c := &e.Spec.Curves[i]
		plain := results.PublishedCurve{Figure: c.Figure, Strategy: c.Strategy, Over: c.Over, Metric: c.Metric, X: c.X,
			Where: c.where(), Within: c.Within, Reading: c.Reading, Why: c.Why}
		for _, p := range c.Points {
			plain.Points = append(plain.Points, results.PublishedPoint(p))
		}
		all = append(all, plain)
	}
	return all
}
