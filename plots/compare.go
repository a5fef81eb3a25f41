package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/units"
)

// comparison draws metrics of every strategy where nothing is swept: one figure with a
// panel for each metric.
func comparison(res *results.Results, all []measure) (Figure, bool) {
	bars := &barPlot{}
	data := Table{Header: []string{"metric", "unit", "strategy", "value", "low", "high"}}
	var claims, off []string
	for _, m := range all {
		if !hasValues(res, m.key) {
			continue
		}
		panel, far := m.panel(res)
		bars.panels = append(bars.panels, panel)
		off = append(off, far...)
		if claim := m.spanClaim(panel.rows); claim != "" {
			claims = append(claims, claim)
		}
		for _, r := range panel.rows {
			data.add(m.key, m.dataUnit(), r.name, number(r.value), number(r.low), number(r.high))
		}
	}
	if len(bars.panels) == 0 {
		return Figure{}, false
	}
	title := "The strategies at one point"
	if len(claims) > 0 {
		title = claims[0]
	}
	rows := bars.panels[0].rows
	marks := saturationNotes("hollow", func(answer results.Finding) bool {
		return slices.ContainsFunc(rows, func(r row) bool { return r.saturated == answer })
	})
	return Figure{
		Name:     "comparison",
		Title:    title,
		Subtitle: subtitle(res, ""),
		Notes:    notes(res, rowBand(rows), slices.Concat(costNotes(res, all...), marks, off)...),
		Data:     data,
		body:     bars,
	}, true
}

// panel is the metric of every strategy.
func (m measure) panel(res *results.Results) (barPanel, []string) {
	panel := barPanel{title: capitalise(m.what)}
	var values []float64
	for i, s := range res.Series {
		if len(s.Points) == 0 {
			continue
		}
		p := s.Points[0]
		r := row{name: seriesName(s), look: i, value: estimate(p, m.key).Mean, saturated: saturation(p), label: "no value"}
		r.low, r.high = p.Interval(m.key)
		if finite(r.value) {
			r.label = m.value(r.value)
			values = append(values, r.value, r.high)
		}
		panel.rows = append(panel.rows, r)
	}
	targets, values, notes := m.withTargets(res, "", values)
	panel.targets = targets
	panel.x = m.rowAxis(values)
	return panel, notes
}

// rowAxis begins at 0, so that the lengths of bars are in the ratio of their values,
// unless the values are too far apart for the small ones to be seen.
func (m measure) rowAxis(values []float64) scaling {
	return func(a *plot.Axis) {
		switch {
		case m.kind == percentAxis:
			chart.Fractions(a, m.format)
		case m.kind <= rangeAxis && spread(values) >= wideRange:
			chart.Log(a, values, m.format)
		default:
			chart.FromZero(a, values, m.format)
		}
	}
}

// rowBand is the mark that shows an interval, to be explained; "" where no strategy has
// one, of a single seed.
func rowBand(rows []row) string {
	if slices.ContainsFunc(rows, func(r row) bool { return finite(r.low) && finite(r.high) }) {
		return "whisker"
	}
	return ""
}

// value writes a value with its unit.
func (m measure) value(v float64) string {
	if m.unit != "" {
		return units.Short(v) + " " + m.unit
	}
	return m.format(v)
}

// spanClaim says how far the strategies lie apart: "p99 TTFT:
// 410 ms with continuous, 3.4 s with static"; "" for one strategy, or when
// their intervals overlap.
func (m measure) spanClaim(rows []row) string {
	lowest, highest := -1, -1
	for i, r := range rows {
		if !finite(r.value) {
			continue
		}
		if lowest < 0 || r.value < rows[lowest].value {
			lowest = i
		}
		if highest < 0 || r.value > rows[highest].value {
			highest = i
		}
	}
	if lowest == highest || !(rows[lowest].high < rows[highest].low) {
		return ""
	}
	best, worst := rows[lowest], rows[highest]
	if preferred(m.key) == more {
		best, worst = worst, best
	}
	return fmt.Sprintf("%s: %s with %s, %s with %s", m.brief, m.value(best.value), best.name, m.value(worst.value), worst.name)
}
