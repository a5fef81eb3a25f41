package plots

import (
	"cmp"
	"strconv"

	"kneepoint/experiments/results"
)

// number writes a value for programs; nothing where there is none.
func number(v float64) string {
	if !finite(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// curveTable is the dots of curves over a sweep, in the units of results.
func curveTable(curves []curve, s sweep, key, unit string) Table {
	t := Table{Header: []string{"curve", s.variable.Path, key, "unit", "low", "high", "saturated"}}
	for _, c := range curves {
		for _, d := range c.dots {
			t.add(c.name, d.value, number(d.y), unit, number(d.low), number(d.high), finding(d.saturated))
		}
	}
	return t
}

// againstTable is the dots of curves of one metric against another.
func againstTable(curves []curve, s sweep, x, y measure) Table {
	t := Table{Header: []string{"curve", cmp.Or(s.variable.Path, "point"), x.key, "x_unit", y.key, "y_unit", "saturated", "front"}}
	for _, c := range curves {
		for _, d := range c.dots {
			t.add(c.name, d.value, number(d.x), x.dataUnit(), number(d.y), y.dataUnit(), finding(d.saturated), strconv.FormatBool(d.front))
		}
	}
	return t
}

// finding is an answer as programs read it; nothing where there is none.
func finding(f results.Finding) string {
	switch f {
	case results.Yes:
		return "true"
	case results.No:
		return "false"
	}
	return ""
}
