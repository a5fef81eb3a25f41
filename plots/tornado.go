package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/units"
)

// tornadoPlot is a body of what each of some factors does, the most on top: a bar to either side of what is without it.
type tornadoPlot struct {
	title  string
	format format
	axis   func(a *plot.Axis, lo, hi float64, f chart.Format)
	base   float64
	most   float64 // that there can be
	least  float64 // that the axis covers: what is less looks like little
	rows   []tornadoRow
}

// tornadoRow is one factor. Values are infinite where no number of units is enough.
type tornadoRow struct {
	name      string
	low, high float64
}

// tornado draws what the factors do to the number of units of the best option, or where that is always the same to the share of
// requests that meet the objective; false where there are none, or they do nothing, or not more to that share than chance.
func (p Plan) tornado() (Figure, bool) {
	u := p.Uncertainty
	if u == nil || len(u.Tornado) == 0 {
		return Figure{}, false
	}
	best := &p.Options[0]
	of, chance := " of ", 0.0
	body := &tornadoPlot{title: "units", format: exact, axis: chart.Whole, base: float64(best.Units), most: math.Inf(1)}
	value := func(e *results.TornadoEnd) float64 {
		if e.Units == 0 {
			return math.Inf(1)
		}
		return float64(e.Units)
	}
	if !slices.ContainsFunc(u.Tornado, func(b results.TornadoBar) bool { return b.Low.Units != b.High.Units }) {
		body.title, body.format, body.axis, body.base = "requests that meet the SLO", percent, shareAxis, best.Judged.Attainment
		body.most, body.least = 1, 0.01
		of, chance = " with ", best.Judged.Half
		value = func(e *results.TornadoEnd) float64 { return e.Attainment }
	}
	data := Table{Header: []string{"factor", "low", "high", "units_at_low", "units_at_high", "attainment_at_low", "attainment_at_high"}}
	for i := range u.Tornado {
		b := &u.Tornado[i]
		data.add(b.Factor, number(b.Low.Value), number(b.High.Value), fmt.Sprint(b.Low.Units), fmt.Sprint(b.High.Units),
			number(b.Low.Attainment), number(b.High.Attainment))
		body.rows = append(body.rows, tornadoRow{
			name: fmt.Sprintf("%s, %s to %s×", b.Factor, units.Significant(b.Low.Value), units.Significant(b.High.Value)),
			low:  value(&b.Low), high: value(&b.High)})
	}
	return Figure{
			Name:     "tornado",
			Title:    "What the constants may change: " + body.title + of + best.Name,
			Subtitle: joinWith(separator, p.Title, p.drawnText()),
			Notes: p.notes("bars: each factor at its 5 % and its 95 %, the others at 1",
				"line: the plan, "+body.baseText()),
			Data: data,
			body: body,
		}, slices.ContainsFunc(body.rows, func(r tornadoRow) bool {
			return r.low != r.high && max(math.Abs(r.low-body.base), math.Abs(r.high-body.base)) > chance
		})
}

// baseText is what the plan has without any factor.
func (t *tornadoPlot) baseText() string {
	switch {
	case t.title != "units":
		return t.format(t.base)
	case t.base == 1:
		return "1 unit"
	}
	return t.format(t.base) + " units"
}

// drawnText is how many units the best option takes in most of the draws.
func (p Plan) drawnText() string {
	o := &p.Uncertainty.Options[0]
	if o.Low == 0 || o.High == 0 {
		return ""
	}
	found := fmt.Sprintf("%d to %d units", o.Low, o.High)
	switch {
	case o.High == 1:
		found = "1 unit"
	case o.Low == o.High:
		found = fmt.Sprintf("%d units", o.Low)
	}
	return fmt.Sprintf("%s in 90 %% of %d draws of all of them", found, p.Uncertainty.Draws)
}

// shareAxis is a linear axis of shares that may all be nearly 100 %: its ticks have as many digits as tell them apart.
func shareAxis(a *plot.Axis, lo, hi float64, _ chart.Format) {
	chart.Linear(a, lo, hi, func(v float64) string { return units.Shortest(units.Round(100*v, 8)) + " %" })
}

func (t *tornadoPlot) draw(s *chart.Style) drawing {
	p, labels := s.NewPlot(), s.Labels()
	lo, hi := chart.Extent(t.values(), false)
	lo = min(lo, hi-t.least)
	room := max(hi-lo, 1e-3*math.Abs(hi)) * 0.08
	t.axis(&p.X, max(lo-room, 0), min(hi+room, t.most), t.format)
	p.X.Label.Text = capitalise(t.title)
	names := make([]string, len(t.rows))
	for i, r := range t.rows {
		names[len(names)-1-i] = s.Fit(r.name, p.Y.Tick.Label, s.Width*0.45)
	}
	chart.Categories(&p.Y, names)
	defer fixed(p)()
	for i, r := range t.rows {
		y := float64(len(t.rows) - 1 - i)
		for k, end := range []float64{r.low, r.high} {
			end = min(max(end, p.X.Min), p.X.Max)
			p.Add(&plotter.Polygon{XYs: []plotter.XYs{box(t.base, end, y-tornadoHeight/2, y+tornadoHeight/2)}, Color: s.Look(k).Line})
		}
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: t.base, Y: p.Y.Min}, {X: t.base, Y: p.Y.Max}}, LineStyle: s.Stroke(targetWidth, s.Ink)})
	return drawing{panels: [][]*plot.Plot{{p}}, labels: []*chart.Labels{labels}, rowHeight: rowHeight*float64(len(t.rows)) + 6.5,
		key: []chart.Entry{{Name: "factor at its 5 %", Swatch: s.AreaSwatch(s.Look(0))}, {Name: "at its 95 %", Swatch: s.AreaSwatch(s.Look(1))}}}
}

const tornadoHeight = 0.6 // of a row

// values are what the axis covers: all that is finite.
func (t *tornadoPlot) values() []float64 {
	values := []float64{t.base}
	for _, r := range t.rows {
		values = append(values, r.low, r.high)
	}
	return values
}
