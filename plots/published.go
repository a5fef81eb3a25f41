package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// publishedFigure draws what came out beside what each [[expect]] table says. Values of all
// units share one axis: each is in multiples of the middle of its bounds, or of its one bound.
func publishedFigure(r *request) (Figure, bool) {
	res := r.whole
	if len(res.Expectations) == 0 { // those of an interrupted run are not known
		return Figure{}, false
	}
	body := &expectedPlot{}
	data := Table{Header: []string{"expected", "unit", "simulated", "low", "high", "met", "source"}}
	var sources []string
	met := 0
	names, common := expectedNames(res)
	for i := range res.Expectations {
		x, plan := &res.Expectations[i], &res.Expected[i]
		row := newExpectedRow(names[i], x, plan)
		if x.Met {
			met++
		}
		if row.scale > 0 {
			body.rows = append(body.rows, row)
		} else {
			sources = append(sources, "not drawn: "+x.What+", expected to be 0")
		}
		if x.Source != "" {
			sources = append(sources, names[i]+": "+x.Source)
		}
		data.add(x.What, row.unit, number(row.value), number(x.Low), number(x.High), fmt.Sprint(x.Met), x.Source)
	}
	title := fmt.Sprintf("%d of %d values are where they are expected", met, len(res.Expectations))
	if met == len(res.Expectations) {
		title = allMet(met)
	}
	marks := []string{"band: what is expected, 1× its middle or its only bound", "dot: simulated, hollow where that is missed"}
	return Figure{
		Title:    title,
		Subtitle: subtitle(res, common),
		Notes:    notes(res, "", append(marks, sources...)...),
		Data:     data,
		body:     body,
	}, len(body.rows) > 0
}

// allMet says that all of some values are where they are expected.
func allMet(values int) string {
	switch values {
	case 1:
		return "The value is where it is expected"
	case 2:
		return "Both values are where they are expected"
	}
	return fmt.Sprintf("All %d values are where they are expected", values)
}

// expectedRow is a value and its bounds.
type expectedRow struct {
	name             string
	value, low, high float64 // NaN where there is no value; 0 and infinity where there is no bound
	scale            float64 // what is 1 on the axis; 0 where nothing can be
	unit             string
	met              bool
	label            string
}

// noBoundAbove is how far above all else a bound is that stands for none: 1e9 ms.
const noBoundAbove = 1e3

func newExpectedRow(name string, x *results.Expectation, plan *results.Expected) expectedRow {
	r := expectedRow{name: name, value: math.NaN(), low: max(x.Low, 0), high: x.High, met: x.Met}
	if x.Value != nil {
		r.value = *x.Value
	}
	d, _ := metrics.Lookup(plan.Metric)
	text, bound := factorIn(units.Short), factorIn(asWritten)
	if len(plan.Strategies) == 1 && plan.Over == nil {
		r.unit = d.Unit
		text, bound = valueIn(d, units.Short), valueIn(d, asWritten)
	}
	said := ""
	switch {
	case r.low == 0:
		r.scale, said = x.High, "≤ "+bound(x.High)
	case x.High > noBoundAbove*r.low:
		r.high, r.scale, said = math.Inf(1), x.Low, "≥ "+bound(x.Low)
	default:
		r.scale, said = (x.Low+x.High)/2, span(bound(x.Low), bound(x.High))
	}
	r.label = "no value"
	if finite(r.value) {
		r.label = text(r.value)
	}
	if !x.Met {
		r.label = "missed: " + r.label
	}
	r.label += " (" + said + ")"
	if !measurable(r.scale) || !(r.scale > 0) {
		r.scale = 0
	}
	return r
}

// asWritten is a bound as it is in the file, with four digits at most.
func asWritten(v float64) string { return exact(units.Round(v, 4)) }

// factorIn writes factors.
func factorIn(short format) format { return func(v float64) string { return short(v) + "×" } }

// valueIn writes values of a metric.
func valueIn(d metrics.Definition, short format) format {
	switch {
	case d.Kind == metrics.Ratio:
		return percent
	case d.Unit == "ms":
		return latency
	}
	return func(v float64) string { return strings.TrimSpace(short(v) + " " + d.Unit) }
}

// span joins two values, of which the first one needs no unit where it is that of the second.
func span(low, high string) string {
	unit := low[strings.LastIndexAny(low, "0123456789")+1:]
	if strings.HasSuffix(high, unit) {
		low = strings.TrimSuffix(low, unit)
	}
	return low + "–" + high
}

// expectedNames name what is expected by metric, strategies and place. What is the same for all
// is in none of them, but common.
func expectedNames(res *results.Results) (names []string, common string) {
	parts := make([][3]string, len(res.Expected))
	for i := range res.Expected {
		x := &res.Expected[i]
		d, _ := metrics.Lookup(x.Metric)
		parts[i] = [3]string{d.Label(), strings.Join(x.Strategies, " / "), placeText(res, x.At)}
		if x.Over != nil {
			parts[i][2] += " over " + placeText(res, *x.Over)
		}
	}
	same := [3]bool{}
	shared := 0
	for k := range same {
		same[k] = !slices.ContainsFunc(parts, func(p [3]string) bool { return p[k] != parts[0][k] })
		if same[k] && shared < 2 {
			common = joinWith(", ", common, parts[0][k])
			shared++
		} else {
			same[k] = false
		}
	}
	for _, p := range parts {
		name := ""
		for k, part := range p {
			if !same[k] {
				name = joinWith(", ", name, part)
			}
		}
		names = append(names, name)
	}
	return names, common
}

// placeText is a place in a few words.
func placeText(res *results.Results, p results.Place) string {
	at := func(axis results.Axis, v results.Value) string {
		if axis.Unit != "" {
			return valueName(v) + " " + axis.Unit
		}
		return cmp.Or(axis.Label, axis.Path) + " " + valueName(v)
	}
	switch {
	case p.Word != "":
		return p.Word
	case !p.Value.IsZero() && len(res.Sweep) > 0:
		return at(res.Sweep[0], p.Value)
	}
	var parts []string
	for _, axis := range res.Sweep {
		if v, given := p.Values[axis.Path]; given {
			parts = append(parts, at(axis, v))
		}
	}
	return strings.Join(parts, ", ")
}
