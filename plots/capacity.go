package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/units"
)

// capacityFigure draws the knee of every curve: the largest load that it serves within
// the SLO. Curves that differ by strategy alone are in the order of their knees, which is
// what the figure is about. Where another variable is swept too they stay in the order of the
// file, along which one reads what that variable changes.
func capacityFigure(r *request) (Figure, bool) {
	res := r.res
	s, _ := newSweep(res)
	rows := kneeRows(res)
	if !s.isLoad() || len(rows) == 0 {
		return Figure{}, false
	}
	if len(res.CurveAxes()) == 0 {
		slices.SortStableFunc(rows, func(a, b kneeRow) int { return cmp.Compare(b.reach(), a.reach()) })
	}
	what := "largest " + s.amount() + " within the SLO"
	if rows[0].Kind == results.KneePower {
		what = s.amount() + " of largest throughput / latency"
	}
	title := capitalise(what)
	body := barPanel{title: withUnit(title, s.variable.Unit), x: capacityAxis(rows)}
	data := Table{Header: []string{"curve", "knee", "unit", "low", "high", "kind", "attainment"}}
	for _, k := range rows {
		body.rows = append(body.rows, k.row)
		data.add(k.name, number(k.Value), s.variable.Unit, number(k.low), number(k.high), string(k.Kind), number(k.Target))
	}
	limits := sloLimits(res)
	return Figure{
		Title:      cmp.Or(timesTheLoad(limits, s), upTo("SLO met", limits, s), title),
		plainTitle: title,
		Subtitle:   subtitle(res, ""),
		Notes:      notes(res, "", capacityNotes(res, rows, s)...),
		Data:       data,
		body:       &barPlot{[]barPanel{body}},
	}, true
}

// ranksCurves tells whether the knees of several curves are not alike: all of them beyond
// the sweep, all below it, or all without an SLO.
func ranksCurves(res *results.Results) bool {
	kinds := map[results.KneeKind]bool{}
	for _, s := range res.Series {
		if s.Knee != nil {
			kinds[s.Knee.Kind] = true
		}
	}
	known := kinds[results.KneeSearched] || kinds[results.KneeBracketed] || kinds[results.KneeInterpolated]
	return len(res.Series) > 1 && (known || kinds[results.KneeBeyond] && kinds[results.KneeBelow])
}

// kneeRow is the knee of a curve as a bar.
type kneeRow struct {
	row
	*results.Knee
}

// kneeRows are the knees of all curves that have one.
func kneeRows(res *results.Results) []kneeRow {
	var rows []kneeRow
	for i, s := range res.Series {
		if s.Knee != nil {
			rows = append(rows, newKneeRow(seriesName(s), i, s.Knee))
		}
	}
	return rows
}

func newKneeRow(name string, look int, k *results.Knee) kneeRow {
	r := row{name: name, look: look, value: k.Value, low: math.NaN(), high: math.NaN(),
		bounds: k.Kind != results.KneeSearched, saturated: results.No}
	if k.Low != nil {
		r.low = *k.Low
	}
	if k.High != nil {
		r.high = *k.High
	}
	switch k.Kind {
	case results.KneeSearched:
		r.label = fmt.Sprintf("%s (%s–%s)", units.Short(k.Value), units.Short(r.low), units.Short(r.high))
	case results.KneeBracketed, results.KneeInterpolated:
		r.label = fmt.Sprintf("≈ %s (%s–%s)", approximate(k.Value), units.Short(r.low), units.Short(r.high))
	case results.KneeBeyond:
		r.label, r.high = "≥ "+exact(k.Value), math.Inf(1)
	case results.KneeBelow:
		r.label, r.value, r.low = "SLO never met", math.NaN(), math.Inf(-1)
	case results.KneePower:
		r.label = exact(k.Value)
	}
	return kneeRow{r, k}
}

// reach orders knees: those that may lie beyond the sweep come first, and those below it
// last.
func (k kneeRow) reach() float64 {
	switch k.Kind {
	case results.KneeBeyond:
		return math.Inf(1)
	case results.KneeBelow:
		return math.Inf(-1)
	}
	return k.Value
}

// capacityAxis begins at 0, as bars do, unless the least knee would be next to nothing.
func capacityAxis(rows []kneeRow) scaling {
	var knees, ends []float64
	for _, k := range rows {
		knees, ends = append(knees, k.value), append(ends, k.value, k.low, k.high)
	}
	return func(a *plot.Axis) {
		if spread(knees) >= farApart {
			chart.Log(a, ends, exact)
		} else {
			chart.FromZero(a, ends, exact)
		}
	}
}

// capacityNotes say what a knee is and what is known of it.
func capacityNotes(res *results.Results, rows []kneeRow, s sweep) []string {
	has := func(kinds ...results.KneeKind) bool {
		return slices.ContainsFunc(rows, func(k kneeRow) bool { return slices.Contains(kinds, k.Kind) })
	}
	var notes []string
	if !has(results.KneePower) {
		notes = append(notes, fmt.Sprintf("knee: the largest %s at which %s of the requests meet the SLO", s.amount(), shares(res)))
	}
	if has(results.KneeSearched) {
		notes = append(notes, "whisker = 95 % CI")
	}
	if has(results.KneeBracketed, results.KneeInterpolated) {
		notes = append(notes, "dashed with ≈: between the loads that were simulated")
	}
	if has(results.KneeBeyond, results.KneeBelow) {
		notes = append(notes, "dashed at the ends: beyond the sweep")
	}
	return notes
}

// shares are the shares of requests that the curves are asked for.
func shares(res *results.Results) string {
	var all []string
	for _, target := range res.Targets() {
		all = append(all, percent(target))
	}
	return strings.Join(all, " or ")
}
