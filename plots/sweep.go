package plots

import (
	"slices"
	"strings"

	"kneepoint/experiments/results"
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

// last is where curves end at the right.
func (s sweep) last() float64 {
	if s.categories != nil {
		return float64(len(s.categories)-1) - categoryWidth/2
	}
	return s.numbers[len(s.numbers)-1]
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
func (s sweep) name() string {
	if s.variable.Label != "" {
		return s.variable.Label
	}
	return s.variable.Path
}

// quantity writes a value of a load with its unit, or with what it counts.
func (s sweep) quantity(number string) string {
	return number + " " + orElse(s.variable.Unit, s.name())
}

// amount is what a load is called where it is compared: "request rate", or
// "number of concurrent clients" for what is counted.
func (s sweep) amount() string {
	if s.variable.Unit == "" {
		return "number of " + s.name()
	}
	return s.name()
}

// axis returns the x axis: the swept values themselves are the ticks where the
// axis is logarithmic, or they are few.
func (s sweep) axis() axis {
	a := axis{title: s.title()}
	switch {
	case s.categories != nil:
		a.scale = scale{min: -0.5, max: float64(len(s.categories)) - 0.5}
		for i, name := range s.categories {
			a.ticks = append(a.ticks, tick{float64(i), name})
		}
	case s.log:
		a.scale = scale{log: true, min: s.numbers[0], max: s.last()}
		a.ticks = labelTicks(s.numbers, exact)
		if nice := logTicks(a.min, a.max, maxTicks+1); len(s.numbers) > 10 && len(nice) > 2 {
			a.ticks = labelTicks(nice, exact)
		}
	default:
		a.scale = s.linear()
		a.ticks = labelTicks(linearTicks(a.min, a.max, maxTicks+1), exact)
		if len(s.numbers) <= 4 || len(a.ticks) < 2 {
			a.ticks = labelTicks(s.numbers, exact)
		}
	}
	return a
}

// linear returns the range of a linear axis; it starts at zero when that costs
// less than a third of the width.
func (s sweep) linear() scale {
	lo, hi := s.numbers[0], s.last()
	if lo >= 0 && lo <= hi/3 {
		lo = 0
	}
	return scale{min: lo, max: hi}
}

// farApart is the ratio of the largest to the least swept value from which amounts are
// drawn in logarithms.
const farApart = 1000

// forAmounts is the sweep for a metric that is a number of requests or tokens: with a
// linear axis, or with logarithms along both. With logarithms along one of them a straight
// line between two dots would lie above what was offered there.
func (s sweep) forAmounts() sweep {
	s.log = s.log && s.numbers[0] > 0 && s.last() >= farApart*s.numbers[0]
	return s
}

func (s sweep) title() string {
	title := capitalise(s.name())
	if s.variable.Unit != "" {
		title += " (" + s.variable.Unit + ")"
	}
	return title
}

// capitalise makes the first letter of words a capital; it leaves dotted paths
// and names of keys alone.
func capitalise(words string) string {
	if words == "" || strings.ContainsAny(strings.Fields(words)[0], "._") {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
