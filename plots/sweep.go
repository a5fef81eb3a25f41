package plots

import (
	"cmp"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// sweep is the first swept variable as the x axis of curves. Values that are
// not all numbers are categories, evenly spaced in the order of the sweep.
type sweep struct {
	variable   results.Axis
	numbers    []float64 // sorted, each once; nil for categories
	categories []string
	log        bool
}

// newSweep collects the values at which there are points; false when there are
// fewer than two, which makes no curve.
func newSweep(res *results.Results) (sweep, bool) {
	if len(res.Sweep) == 0 {
		return sweep{}, false
	}
	s := sweep{variable: res.Sweep[0]}
	names := valueNames(res)
	numbers := make([]float64, 0, len(names))
	for _, series := range res.Series {
		for _, p := range series.Points {
			if v, ok := numeric(p.Value); ok {
				numbers = append(numbers, v)
			} else {
				s.categories = names
			}
		}
	}
	if s.categories == nil {
		s.numbers = distinct(numbers)
		s.log = s.variable.Geometric()
	}
	return s, len(names) > 1
}

// valueNames lists the values of the points as text, each once, in order.
func valueNames(res *results.Results) []string {
	var names []string
	for _, series := range res.Series {
		for _, p := range series.Points {
			if name := valueName(p.Value); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func valueName(v results.Value) string {
	if x, ok := numeric(v); ok {
		return exact(x)
	}
	return v.String()
}

// x returns a point's position on the axis, in the units of the axis.
func (s sweep) x(value results.Value) float64 {
	if s.categories != nil {
		return float64(slices.Index(s.categories, valueName(value)))
	}
	x, _ := numeric(value)
	return x
}

// isLoad says whether the variable is how much is asked of the service, so that
// "up to" a value means something.
func (s sweep) isLoad() bool {
	return s.variable.IsLoad() && s.categories == nil
}

// isRate says whether the variable is the offered load in requests per second.
func (s sweep) isRate() bool {
	return s.variable.Path == "workload.arrival.rate" && s.categories == nil
}

// name is the variable's name for people.
func (s sweep) name() string { return cmp.Or(s.variable.Label, s.variable.Path) }

// quantity writes a value of a load with its unit, or with what it counts, in the plural.
func (s sweep) quantity(number string) string {
	counted := s.name()
	if number == "1" {
		counted = strings.TrimSuffix(counted, "s")
	}
	return number + " " + cmp.Or(s.variable.Unit, counted)
}

// amount is what a load is called where it is compared: "request rate", or
// "number of concurrent clients" for what is counted.
func (s sweep) amount() string {
	if s.variable.Unit == "" {
		return "number of " + s.name()
	}
	return s.name()
}

// axis is the x axis.
func (s sweep) axis() scaling {
	if s.categories != nil {
		return func(a *plot.Axis) { chart.Categories(a, s.categories) }
	}
	return func(a *plot.Axis) { chart.Swept(a, s.numbers, s.log, exact) }
}

// farApart is the ratio of the largest to the least swept value from which amounts are
// drawn in logarithms.
const farApart = 1000

// forAmounts is the sweep for a metric that is a number of requests or tokens: with a
// linear axis, or with logarithms along both. With logarithms along one of them a straight
// line between two dots would lie above what was offered there.
func (s sweep) forAmounts() sweep {
	s.log = s.log && s.numbers[0] > 0 && s.numbers[len(s.numbers)-1] >= farApart*s.numbers[0]
	return s
}

func (s sweep) title() string { return withUnit(capitalise(s.name()), s.variable.Unit) }

// withUnit is the title of an axis with the unit of its values, if they have one.
func withUnit(title, unit string) string {
	if unit == "" {
		return title
	}
	return title + " (" + unit + ")"
}

// capitalise makes the first letter of words a capital; it leaves dotted paths,
// names of keys and percentiles alone.
func capitalise(words string) string {
	if words == "" || strings.ContainsAny(strings.Fields(words)[0], "._0123456789") {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// distinct returns the finite values, sorted, each once.
func distinct(values []float64) []float64 {
	kept := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !finite(v) })
	slices.Sort(kept)
	return slices.Compact(kept)
}
