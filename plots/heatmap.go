package plots

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/units"
)

// heatPlot is a map for each strategy, of a metric over two swept variables.
type heatPlot struct {
	measure
	scale          heatScale
	xNames, yNames []string
	xTitle, yTitle string
	target         float64 // NaN: none
	panels         []*heatPanel
}

// heatPanel is the map of a strategy, at fixed values of what else is swept.
type heatPanel struct {
	name  string
	title string       // instead of the name, "" for the name itself
	cells [][]heatCell // by rows, from the bottom
}

// heatCell is one point.
type heatCell struct {
	value     float64 // NaN: none
	saturated results.Finding
}

// heatmap draws a metric over two swept variables that are combined in all ways.
func heatmap(r *request) (Figure, bool) {
	res := r.res
	s, ok := newSweep(res)
	up := axisOf(res, r.By)
	if !ok || up < 0 || !hasValues(res, r.Metric) {
		return Figure{}, false
	}
	m := r.measure(r.Metric)
	y := res.Sweep[up]
	body := &heatPlot{measure: m, target: math.NaN(), xTitle: s.title(), yTitle: axisName(y), xNames: valuesShown(res)}
	values := shownOn(res, y)
	for _, v := range values {
		body.yNames = append(body.yNames, valueName(v))
	}
	body.fill(res, r.By, values)
	if n := len(body.panels); n > mostPanels {
		return Figure{}, false
	}
	targets, _, marks := m.withTargets(res, "", body.values())
	if len(targets) > 0 {
		body.target = targets[0].value
		marks = append(marks, "line: around what meets "+targets[0].label)
	}
	if body.has(results.Yes) {
		marks = append(marks, "*: saturated, latency grows with run length")
	}
	if body.has(results.Unknown) {
		marks = append(marks, "?: runs too short to tell whether saturated")
	}
	body.scale = m.heatScale(body.values())
	title := m.title + " by " + s.name() + " and " + cmp.Or(y.Label, y.Path)
	return Figure{
		Title:    title,
		Subtitle: subtitle(res, ""),
		Notes:    notes(res, "", slices.Concat(costNotes(res, m), marks)...),
		Data:     body.table(s.variable.Path, y.Path),
		body:     body,
	}, true
}

// mapped is the variable along the vertical axis of default maps: the second of two that
// are numbers and are combined in all ways; "" where that is not so, or where it has two
// values, which make two curves.
func mapped(res *results.Results) string {
	if len(res.Sweep) != 2 || res.Zipped || len(shownOn(res, res.Sweep[1])) < 3 {
		return ""
	}
	for _, a := range res.Sweep {
		for _, v := range a.Values {
			if _, ok := numeric(v); !ok {
				return ""
			}
		}
	}
	return res.Sweep[1].Path
}

// axisName is a swept variable with its unit.
func axisName(a results.Axis) string {
	return withUnit(capitalise(cmp.Or(a.Label, a.Path)), a.Unit)
}

// valuesShown are the names of the values along the x axis, numbers in their order.
func valuesShown(res *results.Results) []string {
	var names []string
	for _, v := range inOrder(res.Sweep[0].Values) {
		if name := valueName(v); slices.Contains(valueNames(res), name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// shownOn are the values of another variable at which there are points.
func shownOn(res *results.Results, axis results.Axis) []results.Value {
	var shown []results.Value
	for _, v := range inOrder(axis.Values) {
		there := slices.ContainsFunc(res.Series, func(s results.Series) bool { return s.Fixed[axis.Path].Same(v) })
		if there && !slices.ContainsFunc(shown, v.Same) {
			shown = append(shown, v)
		}
	}
	return shown
}

// inOrder are values by their size, if all of them are numbers.
func inOrder(values []results.Value) []results.Value {
	sorted := slices.Clone(values)
	for _, v := range values {
		if _, ok := numeric(v); !ok {
			return sorted
		}
	}
	slices.SortStableFunc(sorted, func(a, b results.Value) int {
		x, _ := numeric(a)
		y, _ := numeric(b)
		return cmp.Compare(x, y)
	})
	return sorted
}

// fill puts the points into the maps. A variable that is another strategy's own changes
// nothing of a strategy, which is the same in all rows or columns.
func (h *heatPlot) fill(res *results.Results, by string, rows []results.Value) {
	var others []results.Axis
	for _, a := range res.Sweep[1:] {
		if a.Path != by {
			others = append(others, a)
		}
	}
	for i := range res.Series {
		s := &res.Series[i]
		panel := h.panel(heatName(s, others))
		if panel.title == "" && !strings.Contains(seriesName(*s), s.Strategy) { // in letters that cannot be written
			panel.title = seriesName(*s)
		}
		own, varies := s.Fixed[by]
		for row, v := range rows {
			if varies && !own.Same(v) {
				continue
			}
			for _, p := range s.Points {
				for k, name := range h.xNames {
					if name == valueName(p.Value) || !res.Concerns(res.Sweep[0], s.Strategy) {
						panel.cells[row][k] = heatCell{estimate(p, h.key).Mean, saturation(p)}
					}
				}
			}
		}
	}
}

// heatName names a map: the strategy, and the values of the variables that are on no axis.
func heatName(s *results.Series, others []results.Axis) string {
	concerned := slices.DeleteFunc(slices.Clone(others), func(a results.Axis) bool { _, there := s.Fixed[a.Path]; return !there })
	return labelAt(s.Strategy, concerned, s.Fixed)
}

// panel is the map of a name, a new one without values where there is none yet.
func (h *heatPlot) panel(name string) *heatPanel {
	if i := slices.IndexFunc(h.panels, func(p *heatPanel) bool { return p.name == name }); i >= 0 {
		return h.panels[i]
	}
	p := &heatPanel{name: name, cells: make([][]heatCell, len(h.yNames))}
	for i := range p.cells {
		p.cells[i] = slices.Repeat([]heatCell{{value: math.NaN()}}, len(h.xNames))
	}
	h.panels = append(h.panels, p)
	return p
}

// each visits all cells that have a value.
func (h *heatPlot) each(visit func(p *heatPanel, row, column int, c heatCell)) {
	for _, p := range h.panels {
		for row, cells := range p.cells {
			for column, c := range cells {
				if finite(c.value) {
					visit(p, row, column, c)
				}
			}
		}
	}
}

func (h *heatPlot) values() []float64 {
	var all []float64
	h.each(func(_ *heatPanel, _, _ int, c heatCell) { all = append(all, c.value) })
	return all
}

// has tells whether a cell is saturated, is not, or may be.
func (h *heatPlot) has(saturated results.Finding) bool {
	found := false
	h.each(func(_ *heatPanel, _, _ int, c heatCell) { found = found || c.saturated == saturated })
	return found
}

func (h *heatPlot) table(x, y string) Table {
	t := Table{Header: []string{"map", x, y, h.key, "unit", "saturated"}}
	h.each(func(p *heatPanel, row, column int, c heatCell) {
		t.add(p.name, h.xNames[column], h.yNames[row], number(c.value), h.dataUnit(), finding(c.saturated))
	})
	return t
}

// text is a value as its cell has it.
func (h *heatPlot) text(c heatCell) string {
	text := h.format(c.value)
	if h.unit != "" {
		text = units.Short(c.value)
	}
	switch c.saturated {
	case results.Yes:
		return text + "*"
	case results.Unknown:
		return text + "?"
	}
	return text
}

// leastHeatHeight is the least height of a map with its axes, in sizes of tick labels.
const leastHeatHeight = 16

func (h *heatPlot) draw(s *chart.Style) drawing {
	columns := s.Columns(len(h.panels), 24)
	d := drawing{rowHeight: max(leastHeatHeight, 2*float64(len(h.yNames))+5), bar: h.scale.bar(s, h.measure)}
	for i, panel := range h.panels {
		if i%columns == 0 {
			d.panels = append(d.panels, make([]*plot.Plot, columns))
		}
		p := h.paint(s, panel)
		if len(h.panels) > 1 {
			p.Title.Text = s.Fit(cmp.Or(panel.title, panel.name), p.Title.TextStyle, s.Width/vg.Length(columns)*0.8)
		}
		if i+columns >= len(h.panels) {
			p.X.Label.Text = h.xTitle
		}
		if i%columns == 0 {
			p.Y.Label.Text = chart.Wrapped(h.yTitle, p.Y.Label.TextStyle, s.Em(leastHeatHeight-5), 2)
		}
		d.panels[i/columns][i%columns] = p
	}
	return d
}
