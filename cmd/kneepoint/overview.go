package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// place is where on a curve an overview looks.
type place struct {
	name string
	find func(res *results.Results, s *results.Series, metric string) float64 // NaN: there is no value
}

var (
	atLowest  = place{"lowest", func(_ *results.Results, s *results.Series, metric string) float64 { return valueAt(ends(s)[0], metric) }}
	atHighest = place{"highest", func(_ *results.Results, s *results.Series, metric string) float64 { return valueAt(ends(s)[1], metric) }}
	atKnee    = place{"knee", func(res *results.Results, s *results.Series, metric string) float64 {
		return res.MetricAtKnee(s, metric)
	}}
)

// ends are the points of a curve at the least and the largest value of the first swept variable,
// or at the first and the last where values are no numbers.
func ends(s *results.Series) [2]*results.Point {
	points := slices.Clone(s.Points)
	if !slices.ContainsFunc(points, func(p results.Point) bool { _, ok := p.Value.Number(); return !ok }) {
		slices.SortStableFunc(points, func(a, b results.Point) int {
			x, _ := a.Value.Number()
			y, _ := b.Value.Number()
			return cmp.Compare(x, y)
		})
	}
	return [2]*results.Point{&points[0], &points[len(points)-1]}
}

func valueAt(p *results.Point, metric string) float64 { return meanOf(p.Metrics, metric) }

// meanOf is the mean of a metric; NaN where there is none.
func meanOf(all map[string]metrics.Estimate, metric string) float64 {
	if estimate, ok := all[metric]; ok {
		return estimate.Mean
	}
	return math.NaN()
}

// overview is a metric of an overview and where it is looked at.
type overview struct {
	metric        string
	with, without []place
	spare         [2]int // as in a head, by place
}

// overviewed are those of results: latencies where few are served and at the knee,
// what is served there and under the highest load. Without a knee there are two places.
func overviewed(res *results.Results) []overview {
	return []overview{
		{metrics.P99TTFT, []place{atLowest, atKnee}, []place{atLowest, atHighest}, [2]int{0, 0}},
		{res.SLO.Pace().Tail, []place{atLowest, atKnee}, []place{atLowest, atHighest}, [2]int{1, 0}},
		{metrics.OutputThroughput, []place{atKnee, atHighest}, []place{atLowest, atHighest}, [2]int{3, 2}},
		{metrics.Attainment, nil, []place{atLowest, atHighest}, [2]int{0, 0}},
	}
}

// mostRows is up to how many curves an overview has.
const mostRows = 40

// renderOverview writes a row a curve, where the tables of all points would be too long.
func renderOverview(p page, res *results.Results) {
	axis := &res.Sweep[0]
	hasKnees := slices.ContainsFunc(res.Series, func(s results.Series) bool { return s.Knee != nil })
	also := ""
	if hasKnees {
		also = ", and at the knee"
	}
	p.heading(fmt.Sprintf("at the lowest and highest %s%s", axis.Label, also))
	t := overviewSheet(res, hasKnees)
	t.print(p)
	if left := len(res.Series) - mostRows; left > 0 {
		p.paragraph(fmt.Sprintf("and %d more: %s", left, tablesFile))
	}
}

func overviewSheet(res *results.Results, hasKnees bool) *sheet {
	curves := res.Series[:min(len(res.Series), mostRows)]
	heads := []head{{title: "strategy", name: isName}}
	rows := make([]table.Row, len(curves))
	for i := range curves {
		rows[i] = table.Row{curves[i].Label}
	}
	if hasKnees {
		heads = append(heads, kneeHead(res))
		for i := range curves {
			rows[i] = append(rows[i], kneeCell(&curves[i]))
		}
	}
	for _, o := range overviewed(res) {
		places := o.without
		if hasKnees {
			places = o.with
		}
		if !hasMetric(res, o.metric) {
			continue
		}
		values := make([]float64, 0, len(places)*len(curves))
		for _, place := range places {
			for i := range curves {
				values = append(values, place.find(res, &curves[i], o.metric))
			}
		}
		scale := scaleOf(o.metric, values)
		for k, place := range places {
			heads = append(heads, head{title: scale.title(columnTitle(o.metric) + "\n" + place.name), spare: o.spare[k]})
			for i := range curves {
				rows[i] = append(rows[i], known(values[k*len(curves)+i], scale.write))
			}
		}
	}
	t := newSheet(heads...)
	t.AppendRows(rows)
	return t
}

// scaleOf is the scale of some values of a metric.
func scaleOf(metric string, values []float64) scale {
	definition, _ := metrics.Lookup(metric)
	switch {
	case definition.Kind == metrics.Ratio:
		return percents
	case definition.Unit != "ms":
		return plain(definition.Unit)
	}
	return times(largest(values))
}

// largest is the largest of the values that are known; 0 without any.
func largest(values []float64) float64 {
	most := 0.0
	for _, x := range values {
		if x > most {
			most = x
		}
	}
	return most
}

// known writes a value, a dash where there is none.
func known(x float64, write func(float64) string) string {
	if math.IsNaN(x) {
		return "–"
	}
	return write(x)
}
