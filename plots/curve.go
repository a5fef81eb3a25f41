package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// curve is one series in the units of the axes.
type curve struct {
	name string
	look int   // of chart.Theme.Look
	dots []dot // by increasing value of the swept variable
	knee *knee // nil without one to mark

	thick bool    // it stands out
	faded float64 // how much of its colour the paper takes
}

// dot is one point of a curve. A coordinate without a value is NaN and makes a
// gap; low and high are NaN where there is no interval.
type dot struct {
	swept     float64 // on the axis of the sweep
	x, y      float64
	low, high float64
	saturated results.Finding
	value     string // swept, as it is in results
	hint      string // the same for people, where the x axis does not show it
	front     bool   // on the Pareto front
}

// knee is a mark on a curve between two neighbouring dots.
type knee struct {
	from  int     // the dot before it
	t     float64 // the way to the next dot, 0 to 1, along the drawn line
	shape chart.Shape
	label string

	low, high float64 // ends of its interval on the axis of the sweep, NaN where it has none
	height    float64 // where the knee itself tells what is drawn: the line between dots may not be there; else NaN
}

// estimate returns a metric of a point, without a value where there is none.
func estimate(p results.Point, key string) metrics.Estimate {
	e, ok := p.Metrics[key]
	if !ok || !measurable(e.Mean) {
		return metrics.Estimate{Mean: math.NaN(), Half: math.NaN()}
	}
	return e
}

// saturation is whether a point is shown as saturated. Requests that all come at once have no rate, and
// of them nothing is left to tell by longer runs.
func saturation(p results.Point) results.Finding {
	if rate := estimate(p, metrics.OfferedRate).Mean; p.Saturated == results.Unknown && !(rate > 0) {
		return results.No
	}
	return p.Saturated
}

// curvesOver returns a metric of every series over the swept variable.
func curvesOver(res *results.Results, s sweep, key string) []curve {
	curves := curvesOf(res, s, func(p results.Point) dot {
		e := estimate(p, key)
		low, high := p.Interval(key)
		return dot{x: s.x(p.Value), y: e.Mean, low: low, high: high}
	})
	onTarget(res, curves, key)
	return curves
}

// onTarget puts the knees of curves of the attainment on the target.
func onTarget(res *results.Results, curves []curve, key string) {
	if key == metrics.Attainment {
		raiseKnees(res, curves, func(k *results.Knee) float64 { return k.Target })
	}
}

// raiseKnees puts the knees that were bounded where they are, which the line between dots may pass by.
func raiseKnees(res *results.Results, curves []curve, height func(*results.Knee) float64) {
	for i := range curves {
		if k := res.Series[i].Knee; curves[i].knee != nil && k.Low != nil && k.High != nil && k.Target > 0 {
			curves[i].knee.height = height(k)
		}
	}
}

// goodputAtKnee is the goodput at the largest rate at which the target's share of the requests is good.
func goodputAtKnee(k *results.Knee) float64 { return k.Target * k.Value }

// throughKnee are the dots, and the knee between them where it is known by itself.
func (c curve) throughKnee(p *plot.Plot) []dot {
	if c.knee == nil || c.knee.t == 0 || !finite(c.knee.height) {
		return c.dots
	}
	at, ok := c.kneeAt(p)
	if !ok || !finite(c.dots[c.knee.from+1].y) {
		return c.dots
	}
	return slices.Insert(slices.Clone(c.dots), c.knee.from+1, dot{x: at.X, y: at.Y, low: at.Y, high: at.Y, saturated: results.No})
}

// curvesAgainst returns a metric of every series against another one, with the
// swept values as hints.
func curvesAgainst(res *results.Results, s sweep, xKey, yKey string) []curve {
	curves := curvesOf(res, s, func(p results.Point) dot {
		d := dot{x: estimate(p, xKey).Mean, y: estimate(p, yKey).Mean, low: math.NaN(), high: math.NaN()}
		if !p.Value.IsZero() {
			d.hint = valueName(p.Value)
		}
		return d
	})
	onTarget(res, curves, yKey)
	return curves
}

func curvesOf(res *results.Results, s sweep, at func(results.Point) dot) []curve {
	curves := make([]curve, 0, len(res.Series))
	for i, series := range res.Series {
		c := curve{name: seriesName(series), look: i}
		for _, p := range series.Points {
			d := at(p)
			d.swept, d.value, d.saturated = s.x(p.Value), p.Value.String(), saturation(p)
			if s.categories != nil {
				d.x += dodge(i, len(res.Series))
			}
			c.dots = append(c.dots, d)
		}
		slices.SortStableFunc(c.dots, func(a, b dot) int { return cmp.Compare(a.swept, b.swept) })
		if s.isLoad() {
			c.decide()
		}
		if c.knee = kneeOf(series.Knee, c.dots, s); c.knee != nil {
			c.knee.height = math.NaN()
		}
		curves = append(curves, c)
	}
	return curves
}

// decide calls dots saturated of which runs are too short to tell, beyond a load at which
// the service is: with more load it is not less so.
func (c *curve) decide() {
	saturated := false
	for i := range c.dots {
		d := &c.dots[i]
		switch {
		case d.saturated == results.Unknown && saturated:
			d.saturated = results.Yes
		default:
			saturated = d.saturated == results.Yes
		}
	}
}

func seriesName(s results.Series) string {
	if s.Label != "" {
		return s.Label
	}
	return s.Strategy
}

// kneeOf marks a series' knee on its curve; nil where nothing can be marked.
func kneeOf(k *results.Knee, dots []dot, s sweep) *knee {
	if k == nil || s.categories != nil || len(dots) == 0 {
		return nil
	}
	none := math.NaN()
	switch k.Kind {
	case results.KneeSearched:
		return markValue(dots, k.Value, s.log, knee{shape: chart.Circle, label: approximate(k.Value), low: *k.Low, high: *k.High})
	case results.KneeInterpolated, results.KneeBracketed:
		return markValue(dots, k.Value, s.log, knee{shape: chart.Circle, label: "≈ " + approximate(k.Value), low: none, high: none})
	case results.KneeBeyond:
		last := dots[len(dots)-1].swept
		return markValue(dots, last, s.log, knee{shape: chart.Circle, label: "≥ " + exact(last), low: none, high: none})
	case results.KneePower:
		return markValue(dots, k.Value, s.log, knee{shape: chart.Square, label: exact(k.Value), low: none, high: none})
	}
	return nil
}

// markValue puts a mark at a value of the swept variable, interpolated along the
// drawn line: in the logarithm where the axis of the sweep is logarithmic.
func markValue(dots []dot, value float64, log bool, k knee) *knee {
	for i := range dots {
		if dots[i].swept == value {
			k.from = i
			return &k
		}
		if i+1 < len(dots) && dots[i].swept < value && value < dots[i+1].swept {
			k.from = i
			k.t = wayTo(value, dots[i].swept, dots[i+1].swept, log)
			return &k
		}
	}
	return nil
}

// ys returns the values of all curves.
func ys(curves []curve) []float64 {
	var values []float64
	for _, c := range curves {
		for _, d := range c.dots {
			values = append(values, d.y)
		}
	}
	return values
}

// xs returns the abscissas of all dots that have a value.
func xs(curves []curve) []float64 {
	var values []float64
	for _, c := range curves {
		for _, d := range c.dots {
			if finite(d.y) {
				values = append(values, d.x)
			}
		}
	}
	return values
}

// valuesToCover returns the values that an axis should cover: the dots, and the ends of
// their intervals as far as they stay within half and twice the value.
func valuesToCover(curves []curve) []float64 {
	values := ys(curves)
	for _, c := range curves {
		for _, d := range c.dots {
			if finite(d.y) && d.y > 0 && finite(d.low) {
				values = append(values, max(d.low, d.y/2), min(d.high, d.y*2))
			}
		}
		if c.knee != nil && finite(c.knee.height) {
			values = append(values, c.knee.height)
		}
	}
	return values
}

// hasDots tells whether a curve has a value.
func hasDots(c curve) bool {
	return slices.ContainsFunc(c.dots, func(d dot) bool { return finite(d.x) && finite(d.y) })
}

// bandOf is the mark that shows the intervals of curves; "" where there are none.
func bandOf(curves []curve, apart bool) string {
	switch {
	case !hasBand(curves):
		return ""
	case apart:
		return "whisker"
	}
	return "band"
}

// hasBand says whether any dot has an interval.
func hasBand(curves []curve) bool {
	return slices.ContainsFunc(curves, func(c curve) bool {
		return slices.ContainsFunc(c.dots, func(d dot) bool { return finite(d.low) && finite(d.high) })
	})
}

// anySaturated says whether the answer for any dot, whether its point is saturated, is this.
func anySaturated(curves []curve, answer results.Finding) bool {
	return slices.ContainsFunc(curves, func(c curve) bool {
		return slices.ContainsFunc(c.dots, func(d dot) bool { return d.saturated == answer })
	})
}

// categoryWidth is how far the dots of one category are spread, in the distance of two
// categories.
const categoryWidth = 0.36

// dodge is where the i-th of n series is drawn beside a category's middle, so that
// equal values do not cover each other.
func dodge(i, n int) float64 {
	if n < 2 {
		return 0
	}
	return categoryWidth * (float64(i)/float64(n-1) - 0.5)
}
