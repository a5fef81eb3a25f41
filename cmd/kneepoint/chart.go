package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
	"gonum.org/v1/gonum/interp"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// chartHeight is the number of intervals of a chart's vertical axis: of shares, 20 % each.
const chartHeight = 5

// mostCharted is up to how many curves are told apart in so few lines.
const mostCharted = 6

var chartColors = []asciigraph.AnsiColor{
	asciigraph.Blue, asciigraph.DarkOrange, asciigraph.Green, asciigraph.Fuchsia, asciigraph.Teal, asciigraph.Gold,
}

// renderChart draws the share of the requests that meet the objective over the load, or the
// throughput where there is none. Nothing is drawn of few loads, of many curves, or where no load is swept.
func renderChart(p page, res *results.Results) {
	if len(res.Sweep) == 0 || !res.Sweep[0].IsLoad() || len(res.Series) > mostCharted || p.width < 40 {
		return
	}
	metric := metrics.Attainment
	if !hasMetric(res, metric) {
		metric = metrics.OutputThroughput
	}
	curves := chartCurves(res, metric, p.width-12)
	if curves == nil {
		return
	}
	options := slices.Concat(chartAxes(res, metric), []asciigraph.Option{asciigraph.Height(chartHeight)}, p.chartSeries(len(curves)))
	lines := trimmedLines(asciigraph.PlotMany(curves, options...))
	if widest(lines) > p.width {
		return
	}
	definition, _ := metrics.Lookup(metric)
	load := strings.ReplaceAll(plain(res.Sweep[0].Unit).title(res.Sweep[0].Label), "\n", ", ")
	p.heading(strings.TrimSpace(columnTitle(metric)+" "+definition.Unit) + " by " + load)
	for _, line := range lines {
		fmt.Fprintln(p, line)
	}
	if len(curves) > 1 {
		p.paragraph(p.chartLegend(res))
	}
}

// leastLoads is up to how few loads a curve says nothing that a table does not.
const leastLoads = 3

// chartLoads are the swept loads that are numbers, by size.
func chartLoads(res *results.Results) []float64 {
	var loads []float64
	for _, v := range res.Sweep[0].Values {
		if x, ok := v.Number(); ok && (x > 0 || !res.Sweep[0].Geometric()) {
			loads = append(loads, x)
		}
	}
	slices.Sort(loads)
	return slices.Compact(loads)
}

// chartCurves are the curves at n loads, evenly spaced as a figure's axis would be; NaN where
// a curve has no points. They are nil where there are too few.
func chartCurves(res *results.Results, metric string, n int) [][]float64 {
	loads := chartLoads(res)
	if len(loads) < leastLoads {
		return nil
	}
	along := func(x float64) float64 { return x }
	if res.Sweep[0].Geometric() {
		along = math.Log
	}
	first, last := along(loads[0]), along(loads[len(loads)-1])
	var curves [][]float64
	for i := range res.Series {
		x, y := chartPoints(&res.Series[i], metric, along)
		var line interp.PiecewiseLinear
		if len(x) < 2 || line.Fit(x, y) != nil {
			return nil
		}
		curve := make([]float64, n)
		for k := range curve {
			at := first + (last-first)*float64(k)/float64(n-1)
			if curve[k] = line.Predict(at); at < x[0] || at > x[len(x)-1] {
				curve[k] = math.NaN()
			}
		}
		curves = append(curves, curve)
	}
	return curves
}

// chartPoints are a metric at the points of a curve, by load.
func chartPoints(s *results.Series, metric string, along func(float64) float64) (x, y []float64) {
	points := slices.Clone(s.Points)
	load := func(p results.Point) float64 { v, _ := p.Value.Number(); return v }
	slices.SortFunc(points, func(a, b results.Point) int { return cmp.Compare(load(a), load(b)) })
	for i := range points {
		at, value := along(load(points[i])), valueAt(&points[i], metric)
		if math.IsNaN(value) || math.IsInf(at, 0) || len(x) > 0 && at <= x[len(x)-1] {
			continue
		}
		x, y = append(x, at), append(y, value)
	}
	return x, y
}

// chartAxes label the axes: loads as they are, also where they are spaced by their logarithms.
func chartAxes(res *results.Results, metric string) []asciigraph.Option {
	loads := chartLoads(res)
	first, last := loads[0], loads[len(loads)-1]
	load := func(x float64) float64 { return x }
	if res.Sweep[0].Geometric() {
		first, last, load = math.Log(first), math.Log(last), math.Exp
	}
	axes := []asciigraph.Option{
		asciigraph.XAxisRange(first, last),
		asciigraph.XAxisValueFormatter(func(x float64) string { return units.Short(load(x)) }),
		asciigraph.LowerBound(0),
	}
	if metric != metrics.Attainment {
		return append(axes, asciigraph.YAxisValueFormatter(units.Short))
	}
	return append(axes, asciigraph.UpperBound(1), asciigraph.YAxisValueFormatter(units.Percent))
}

// chartSeries tell n curves apart: by colour, or where there is none by the numbers that draw them.
func (p page) chartSeries(n int) []asciigraph.Option {
	if p.colour {
		return []asciigraph.Option{asciigraph.SeriesColors(chartColors...)}
	}
	if n == 1 {
		return nil
	}
	var digits []asciigraph.CharSet
	for i := range n {
		digits = append(digits, asciigraph.CreateCharSet(fmt.Sprint(i+1)))
	}
	return []asciigraph.Option{asciigraph.SeriesChars(digits...)}
}

// chartLegend names the curves.
func (p page) chartLegend(res *results.Results) string {
	var names []string
	for i := range res.Series {
		name := fmt.Sprintf("%d %s", i+1, res.Series[i].Label)
		if p.colour {
			name = chartColors[i].String() + "■ " + res.Series[i].Label + asciigraph.Default.String()
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
