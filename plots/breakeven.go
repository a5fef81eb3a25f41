package plots

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/units"
)

// breakEvens are the figures of the break-evens that were searched, one for every combination of the other swept variables: the metric over
// the key that is varied, of strategies that are compared, or beside a bound, with a mark where they are alike.
func breakEvens(res *results.Results) []Figure {
	var figures []Figure
	for rest := res.BreakEvens; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(b results.BreakEven) bool { return !sameSetting(b.Fixed, rest[0].Fixed) })
		if n < 0 {
			n = len(rest)
		}
		if f, ok := breakEvenFigure(res, rest[:n]); ok {
			if f.Name = "break-even"; n < len(res.BreakEvens) {
				f.Name += fmt.Sprintf("-%d", len(figures)+1)
			}
			figures = append(figures, f)
		}
		rest = rest[n:]
	}
	return figures
}

// breakEvenFigure draws break-evens that differ by strategy alone; false where no run has the metric.
func breakEvenFigure(res *results.Results, all []results.BreakEven) (Figure, bool) {
	b, kept := &all[0], *res
	kept.Series = comparedSeries(res, all)
	leaveOut(kept.Series, sharedValues(&kept))
	kept.Sweep = slices.Clone(res.Sweep)
	kept.Sweep[0].Unit = b.Unit
	s, ok := newSweep(&kept)
	if !ok || s.categories != nil {
		return Figure{}, false
	}
	s.log = b.Max > wideRange/2*b.Min
	m := measureOf(&kept, b.Metric)
	if m.kind == amountAxis {
		s = s.forAmounts()
	}
	f := m.overSweep(&kept, s, "")
	body := f.body.(*curvePlot)
	body.x = searchedAxis(b, s.log)
	if b.Over == "" {
		body.targets = []target{{b.Bound, "bound: " + m.format(b.Bound)}}
		body.y = m.axis(append(valuesToCover(body.curves), b.Bound), s.log)
	} else {
		body.targets = nil
	}
	for i := range all {
		body.curves = append(body.curves, markCrossings(body.curves, &kept, &all[i], s)...)
	}
	f.Title = cmp.Or(crossingTitle(&kept, all, m), f.plainTitle)
	f.Subtitle = joinWith(separator, subtitle(res, ""), settingText(res, b.Fixed))
	f.Notes = append(crossingNotes(&kept, all), f.Notes...)
	return f, len(ys(body.curves)) > 0
}

// comparedSeries are the curves of break-evens, of the requests that these are about, at the values within the range.
func comparedSeries(res *results.Results, all []results.BreakEven) []results.Series {
	var kept []results.Series
	for _, s := range res.Series {
		compared := slices.ContainsFunc(all, func(b results.BreakEven) bool { return s.Strategy == b.Strategy || s.Strategy == b.Over })
		for path, v := range s.Fixed {
			compared = compared && v.Same(all[0].Fixed[path])
		}
		if !compared || len(s.Points) == 0 {
			continue
		}
		if class := all[0].Client; class != "" {
			s.Points = ofClass(s.Points, class)
		}
		s.Knee, s.Points = nil, inUnit(s.Points, all[0].Unit)
		kept = append(kept, s)
	}
	return kept
}

// ofClass are points of the requests of a class.
func ofClass(points []results.Point, class string) []results.Point {
	var all []results.Point
	for _, p := range points {
		for i := range p.Clients {
			if p.Clients[i].Name == class {
				all = append(all, p.OfClass(i))
			}
		}
	}
	return all
}

// inUnit are points at numbers of a unit, which stands behind those of a quantity: "25GB/s".
func inUnit(points []results.Point, unit string) []results.Point {
	all := slices.Clone(points)
	for i := range all {
		number, _ := strings.CutSuffix(all[i].Value.String(), unit)
		if x, ok := units.ParseDecimal(number); ok {
			all[i].Value = results.ValueOf(x)
		}
	}
	return all
}

// searchedAxis is the range that was searched.
func searchedAxis(b *results.BreakEven, log bool) scaling {
	if log {
		return func(a *plot.Axis) { chart.Log(a, []float64{b.Min, b.Max}, exact) }
	}
	return func(a *plot.Axis) { chart.Linear(a, b.Min, b.Max, exact) }
}

// markCrossings marks the crossings on the curve of a strategy: the first one is its knee, and others are those of copies without a name.
func markCrossings(curves []curve, res *results.Results, b *results.BreakEven, s sweep) (copies []curve) {
	i := slices.IndexFunc(res.Series, func(s results.Series) bool { return s.Strategy == b.Strategy })
	if i < 0 {
		return nil
	}
	for n, c := range b.Crossings {
		mark := markValue(curves[i].dots, c.Value, s.log,
			knee{shape: chart.Circle, label: atText(c.Value, b), low: c.Low, high: c.High, height: math.NaN()})
		if n == 0 {
			curves[i].knee = mark
			continue
		}
		other := curves[i]
		other.name, other.knee = "", mark
		copies = append(copies, other)
	}
	return copies
}

// atText is a value of the key that is varied.
func atText(value float64, b *results.BreakEven) string {
	return strings.TrimSpace(units.Short(value) + " " + b.Unit)
}

// comparedName is how the figure calls a strategy, or the bound.
func comparedName(res *results.Results, strategy string) string {
	i := slices.IndexFunc(res.Series, func(s results.Series) bool { return s.Strategy == strategy })
	if i < 0 {
		return "the bound"
	}
	return seriesName(res.Series[i])
}

// crossingTitle says where strategies are alike, where that is one of them, at one value.
func crossingTitle(res *results.Results, all []results.BreakEven, m measure) string {
	crossing := slices.DeleteFunc(slices.Clone(all), func(b results.BreakEven) bool { return len(b.Crossings) == 0 })
	if len(crossing) != 1 || len(crossing[0].Crossings) != 1 {
		return ""
	}
	b := &crossing[0]
	at := atText(b.Crossings[0].Value, b)
	if b.Over == "" {
		return fmt.Sprintf("%s: %s is %s at %s", comparedName(res, b.Strategy), m.brief, m.format(b.Bound), at)
	}
	return fmt.Sprintf("%s and %s: %s alike at %s", comparedName(res, b.Strategy), comparedName(res, b.Over), m.brief, at)
}

// crossingNotes say of every break-even where it is, how sure that is, and what is less on which side.
func crossingNotes(res *results.Results, all []results.BreakEven) []string {
	var notes []string
	for i := range all {
		b := &all[i]
		both := comparedName(res, b.Strategy) + " and " + comparedName(res, b.Over)
		for _, c := range b.Crossings {
			notes = append(notes, fmt.Sprintf("%s: alike at %s (%s to %s, 95 %% CI), below it %s is less, above it %s", both,
				atText(c.Value, b), units.Short(c.Low), units.Short(c.High), comparedName(res, c.Below), comparedName(res, c.Above)))
		}
		switch {
		case len(b.Crossings) > 0:
		case b.Less == "":
			notes = append(notes, both+": not distinguishable")
		default:
			notes = append(notes, fmt.Sprintf("%s: %s is less from %s to %s, and no crossing was found", both, comparedName(res, b.Less),
				units.Short(b.From), atText(b.To, b)))
		}
	}
	return notes
}

// settingText is what other swept variables are at.
func settingText(res *results.Results, fixed results.Setting) string {
	var parts []string
	for _, path := range slices.Sorted(maps.Keys(fixed)) {
		name := path
		if i := axisOf(res, path); i >= 0 {
			name = cmp.Or(res.Sweep[i].Label, path)
		}
		parts = append(parts, name+" "+fixed[path].String())
	}
	return strings.Join(parts, ", ")
}
