package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// factorMark is a factor, and what is claimed of it.
type factorMark struct {
	results.Factor
	from, to float64 // claimed; NaN where nothing is
	holds    results.Finding
	exceeded bool
}

func (m factorMark) isClaimed() bool { return !math.IsNaN(m.from) }

// fill is hollow where a claim does not hold, and pale where that cannot be told.
func (m factorMark) fill() chart.Fill {
	switch {
	case !m.isClaimed() || m.holds == results.Yes:
		return chart.Filled
	case m.holds == results.Unknown:
		return chart.Pale
	}
	return chart.Hollow
}

// factorsFigure draws the metrics of every strategy over those of the first one, in pairs of
// runs with the same traffic, and behind them what is claimed of them.
func factorsFigure(r *request) (Figure, bool) {
	f := newFactors(r)
	if len(f.rows) == 0 || len(f.metrics) == 0 {
		return Figure{}, false
	}
	body := &forestPlot{claimed: f.verdicts() != ""}
	for _, row := range f.rows {
		body.rows = append(body.rows, row.name)
	}
	for _, place := range f.places {
		body.places = append(body.places, place.name)
	}
	data := Table{Header: []string{"curve", "over", "metric", "at", "factor", "low", "high", "claimed low", "claimed high", "holds"}}
	for i, metric := range f.metrics {
		d, _ := metrics.Lookup(metric)
		body.panels = append(body.panels, forestPanel{title: capitalise(d.Label()), higher: d.Higher(), marks: f.marks[i]})
		for j, row := range f.rows {
			for k, m := range f.marks[i][j] {
				data.add(seriesName(*row.of), seriesName(*row.over), metric, f.places[k].name, number(m.Value), number(m.Low), number(m.High),
					number(m.from), number(m.to), finding(m.holds))
			}
		}
	}
	title := "Factors over " + r.whole.Strategies[0]
	if len(f.places) == 1 && f.places[0].name != "" {
		title += " at " + f.places[0].name
	}
	return Figure{
		Title:      cmp.Or(f.verdicts(), title),
		plainTitle: title,
		Subtitle:   subtitle(r.whole, f.over()),
		Notes:      notes(r.whole, "", f.notes()...),
		Data:       data,
		body:       body,
	}, true
}

// factors are the rows, places and metrics of a figure, and their marks in this order: by
// metric, row and place.
type factors struct {
	res     *results.Results
	rows    []factorRow
	places  []factorPlace
	metrics []string
	marks   [][][]factorMark
}

func newFactors(r *request) factors {
	f := factors{res: r.whole, rows: factorRows(r), places: factorPlaces(r)}
	all := slices.Clone(results.TradeoffMetrics)
	for _, c := range r.whole.Claimed {
		if !slices.Contains(all, c.Metric) {
			all = append(all, c.Metric)
		}
	}
	for _, metric := range all {
		marks := make([][]factorMark, len(f.rows))
		valued := false
		for i, row := range f.rows {
			for _, place := range f.places {
				m := f.mark(row, metric, place)
				if place.own && !m.isClaimed() {
					m.Value = math.NaN()
				}
				valued = valued || !math.IsNaN(m.Value)
				marks[i] = append(marks[i], m)
			}
		}
		if valued {
			f.metrics, f.marks = append(f.metrics, metric), append(f.marks, marks)
		}
	}
	return f
}

// mark is a factor at a place, and the verdict on what is claimed of it.
func (f *factors) mark(row factorRow, metric string, place factorPlace) factorMark {
	at := place.at
	if at.Word != "" && at.Word != results.Saturation {
		if point := f.res.PointAt(row.first, at); point != nil {
			at = results.Place{Value: point.Value}
		}
	}
	factor := results.FactorOf(f.res.PointAt(row.of, at), f.res.PointAt(row.over, at), metric)
	m := factorMark{Factor: factor, from: math.NaN(), to: math.NaN(), holds: results.Unknown}
	for i := range f.res.Claims {
		c := &f.res.Claims[i]
		if c.Strategy != row.of.Strategy || c.Over != row.over.Strategy || c.Metric != metric {
			continue
		}
		for j, p := range f.res.Claimed[i].At {
			if !m.isClaimed() && f.isAt(row, place, p) {
				m.judged(c, &c.Verdicts[j])
			}
		}
	}
	return m
}

// isAt tells whether a place is this one on the curves of a row.
func (f *factors) isAt(row factorRow, place factorPlace, p results.Place) bool {
	here, there := locate(f.res, p)
	return there && sameOnCurve(here.at, place.at) && f.res.PointAt(row.of, p) != nil
}

// judged notes what is claimed and whether that holds.
func (m *factorMark) judged(c *results.Claim, v *results.Verdict) {
	m.from, m.to = c.Low, c.High
	switch {
	case v.Factor == nil || !v.Clear:
	case v.Holds:
		m.holds = results.Yes
	default:
		m.holds, m.exceeded = results.No, c.Exceeded(*v.Factor)
	}
}

// verdicts counts them: "7 of 22 claimed factors hold, 2 are exceeded, 3 cannot be told", or says what became of the only
// one; "" where nothing is claimed.
func (f *factors) verdicts() string {
	all, holds, exceeded, unclear := 0, 0, 0, 0
	for _, marks := range f.marks {
		for _, row := range marks {
			for _, m := range row {
				switch {
				case !m.isClaimed():
					continue
				case m.holds == results.Yes:
					holds++
				case m.holds == results.Unknown:
					unclear++
				case m.exceeded:
					exceeded++
				}
				all++
			}
		}
	}
	switch {
	case all == 0:
		return ""
	case all == 1 && holds == 1:
		return "The claimed factor holds"
	case all == 1 && exceeded == 1:
		return "The claimed factor is exceeded"
	case all == 1 && unclear == 1:
		return "Whether the claimed factor holds cannot be told"
	case all == 1:
		return "The claimed factor does not hold"
	}
	text := fmt.Sprintf("%d of %d claimed factors hold", holds, all)
	switch exceeded {
	case 0:
	case 1:
		text += ", 1 is exceeded"
	default:
		text += fmt.Sprintf(", %d are exceeded", exceeded)
	}
	if unclear > 0 {
		text += fmt.Sprintf(", %d cannot be told", unclear)
	}
	return text
}

// over says what the factors are over.
func (f *factors) over() string { return "factors over " + f.res.Strategies[0] }

// notes explain the marks, and name what is claimed with its source.
func (f *factors) notes() []string {
	var notes []string
	if slices.ContainsFunc(f.marks, func(marks [][]factorMark) bool {
		return slices.ContainsFunc(marks, func(row []factorMark) bool { return slices.ContainsFunc(row, factorMark.HasInterval) })
	}) {
		notes = append(notes, "line: 95 % CI over pairs of runs with the same traffic")
	}
	if f.verdicts() == "" {
		return notes
	}
	notes = append(notes, "on a band: filled where the claim holds, hollow where it does not, pale where that cannot be told")
	for _, c := range f.res.Claims {
		d, _ := metrics.Lookup(c.Metric)
		note := fmt.Sprintf("claimed: %s of %s is %g to %g times that of %s", d.Label(), c.Strategy, c.Low, c.High, c.Over)
		if c.Source != "" {
			note += " (" + c.Source + ")"
		}
		notes = append(notes, note)
	}
	return notes
}
