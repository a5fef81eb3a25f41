package results

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"kneepoint/sim/metrics"
)

// Paper is the [paper] table: whose results an experiment repeats.
type Paper struct {
	Name    string   `json:"name"` // short, as tables cite it: "Orca (OSDI 22)"
	URL     string   `json:"url,omitempty"`
	Unknown []string `json:"unknown,omitempty"` // what it does not say, and what stands in for that
	Chosen  []string `json:"chosen,omitempty"`  // constants that were chosen to meet one of its numbers

	Witness map[string]string `json:"witness,omitempty"` // by strategy; see Witnessed
}

// PublishedCurve is one [[curve]] table: points that were published, of a metric of a strategy.
type PublishedCurve struct {
	Figure   string           `json:"figure"`             // of the paper, or table; curves of one figure are compared with each other
	Strategy string           `json:"strategy,omitempty"` // none where X is ByStrategy
	Over     string           `json:"over,omitempty"`     // the metric is divided by that of this strategy at the same place
	Metric   string           `json:"metric"`
	X        string           `json:"x"`                 // path of the first swept variable, a metric's key, or ByStrategy
	Where    Setting          `json:"where,omitempty"`   // values of the other swept variables
	Within   float64          `json:"within"`            // share of the published value by which the simulated one may be off
	Reading  float64          `json:"reading,omitempty"` // share by which values read off a drawing may be off; 0: they were printed
	Why      string           `json:"why,omitempty"`     // why points are missed
	Points   []PublishedPoint `json:"points"`
}

// PublishedPoint is a published value of the metric.
type PublishedPoint struct {
	X Value   `json:"x"`
	Y float64 `json:"y"` // above 0, in the metric's unit

	// Noise is the standard deviation of repeated measurements, as a share of Y; 0: not published.
	Noise float64 `json:"noise,omitempty"`
}

// Reproduced is a published curve beside what came out.
type Reproduced struct {
	PublishedCurve
	Simulated []*float64 `json:"simulated"`           // at each point; nil where the simulation has no value there
	Witnessed []*float64 `json:"witnessed,omitempty"` // the same of the witnesses; nil where no strategy of the curve has one
}

// Error is the relative error of the i-th point, simulated over published less 1; false where
// there is no simulated value.
func (r *Reproduced) Error(i int) (float64, bool) { return r.off(r.Simulated, i) }

// InBand tells whether the i-th point came out as near as it should.
func (r *Reproduced) InBand(i int) bool { return r.near(r.Simulated, i) }

// off is the relative error of the i-th of some values at the points.
func (c *PublishedCurve) off(values []*float64, i int) (float64, bool) {
	if values[i] == nil {
		return 0, false
	}
	return *values[i]/c.Points[i].Y - 1, true
}

func (c *PublishedCurve) near(values []*float64, i int) bool {
	off, ok := c.off(values, i)
	return ok && math.Abs(off) <= c.Within
}

// repeats tells whether two curves are of one simulated quantity: what they differ by is how the
// measurement repeats, which no simulation has an order for.
func (c *PublishedCurve) repeats(other *PublishedCurve) bool {
	return c.Strategy == other.Strategy && maps.EqualFunc(c.Where, other.Where, Value.Same)
}

// Label names the curve among those of its figure.
func (c *PublishedCurve) Label() string {
	name := cmp.Or(c.Strategy, c.Metric)
	if c.Over != "" {
		name += " over " + c.Over
	}
	for _, path := range slices.Sorted(maps.Keys(c.Where)) {
		name += ", " + c.Where[path].String()
	}
	return name
}

// reproduced looks the published points up on the curves of all runs.
func (p *Plan) reproduced(all []Series) []Reproduced {
	itself := func(strategy string) string { return strategy }
	var found []Reproduced
	for _, c := range p.Published {
		r := Reproduced{PublishedCurve: c, Simulated: p.simulatedBy(all, &c, itself)}
		if p.Paper != nil && p.Paper.hasWitness(&c) {
			r.Witnessed = p.simulatedBy(all, &c, p.Paper.witnessOf)
		}
		found = append(found, r)
	}
	return found
}

// simulatedBy is what a curve's points are held against, where some strategies stand for those of the file; nil where the
// simulation has nothing.
func (p *Plan) simulatedBy(all []Series, c *PublishedCurve, standIn func(strategy string) string) []*float64 {
	var values []*float64
	for _, point := range c.Points {
		y := p.simulatedAt(all, c, point.X, standIn)
		if math.IsNaN(y) || math.IsInf(y, 0) {
			values = append(values, nil)
			continue
		}
		values = append(values, &y)
	}
	return values
}

// simulatedAt is what a published point is held against; NaN when the simulation has nothing there.
func (p *Plan) simulatedAt(all []Series, c *PublishedCurve, x Value, standIn func(strategy string) string) float64 {
	strategy := c.Strategy
	if c.X == ByStrategy {
		strategy = x.String()
		x = Value{}
		if len(p.Sweep) > 0 {
			x = c.Where[p.Sweep[0].Path]
		}
	}
	y := p.along(p.curve(all, standIn(strategy), &Place{Values: c.Where}), c, x)
	if c.Over != "" {
		y /= p.along(p.curve(all, standIn(c.Over), &Place{Values: c.Where}), c, x)
	}
	return y
}

// along is the metric on a curve at a value of its first variable, or of another metric. Between
// two points it is on the line that figures draw.
func (p *Plan) along(s *Series, c *PublishedCurve, x Value) float64 {
	if s == nil {
		return math.NaN()
	}
	if _, is := metrics.Lookup(c.X); is {
		number, _ := x.Number()
		return s.against(c.X, c.Metric, number)
	}
	if point := p.find(s, &Place{Value: x}); point != nil {
		return point.mean(c.Metric)
	}
	number, isNumber := x.Number()
	before, after := around(s.Points, number)
	if !isNumber || before == nil || after == nil {
		return math.NaN()
	}
	share := p.wayBetween(before, after, number)
	return before.mean(c.Metric) + share*(after.mean(c.Metric)-before.mean(c.Metric))
}

// against is a metric where another one has the value x, on the straight line between the first
// two neighbours that have x between them; NaN where there are none.
func (s *Series) against(xMetric, metric string, x float64) float64 {
	for i := range s.Points {
		at := s.Points[i].mean(xMetric)
		if at == x {
			return s.Points[i].mean(metric)
		}
		if i+1 == len(s.Points) {
			break
		}
		next := s.Points[i+1].mean(xMetric)
		if (at-x)*(next-x) < 0 {
			low, high := s.Points[i].mean(metric), s.Points[i+1].mean(metric)
			return low + (x-at)/(next-at)*(high-low)
		}
	}
	return math.NaN()
}

// readable tells whether a curve that was read back has what figures and verdicts need.
func (c *PublishedCurve) readable() bool {
	return c.Within > 0 && !slices.ContainsFunc(c.Points, func(p PublishedPoint) bool { return !(p.Y > 0) || p.X.IsZero() })
}
