package plots

import (
	"cmp"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// request is one figure that is asked for, and the results that it shows.
type request struct {
	results.PlotSpec
	res   *results.Results // what the filter leaves, over the variable of the x axis
	whole *results.Results // without filter
}

// kinds make the figures of each kind; they say false where there is nothing to draw.
var kinds = map[string]func(*request) (Figure, bool){
	results.PlotCurve:         curveFigure,
	results.PlotTradeoff:      tradeoffFigure,
	results.PlotWhereTimeGoes: whereTimeGoes,
	results.PlotLatencyParts:  latencyParts,
	results.PlotUtilization:   utilization,
	results.PlotHeatmap:       heatmap,
	results.PlotSLOScale:      sloScale,
	results.PlotCapacity:      capacityFigure,
	results.PlotCDF:           distributionFigure,
	results.PlotPercentiles:   fanFigure,
	results.PlotFactors:       factorsFigure,
	results.PlotTimeline:      timelineFigure,
	results.PlotPublished:     publishedFigure,
	results.PlotTraffic:       trafficFigure,
	results.PlotOverlay:       overlayFigure,
}

// Figures returns the figures that the experiment asks for, in its order, or else the
// default ones; a search for break-evens has those of these alone. What has nothing to show gets no figure, and no two figures have one
// title: what was found is said by the first one. Of more than MostCurves there are none.
func Figures(res *results.Results) []Figure {
	if len(res.Series) > MostCurves {
		return nil
	}
	if len(res.BreakEvens) > 0 {
		return breakEvens(res)
	}
	specs := res.Plots
	if len(specs) == 0 {
		specs = defaults(res)
	}
	var figures []Figure
	said := map[string]bool{}
	for _, spec := range specs {
		f, ok := draw(res, spec)
		if !ok {
			continue
		}
		if said[f.Title] {
			f.Title = cmp.Or(f.plainTitle, f.Title)
		}
		if said[f.Title] {
			f.Title += ": " + strings.ReplaceAll(f.Name, "-", " ")
		}
		said[f.Title] = true
		figures = append(figures, f)
	}
	return figures
}

// MostCurves is how many strategies and curves a figure shows. Nobody can tell as many
// apart, and the time to find places for their names grows with the square of their number.
const MostCurves = 200

// draw makes the figure of a spec.
func draw(res *results.Results, spec results.PlotSpec) (Figure, bool) {
	kind, known := kinds[spec.Kind]
	if !known { // results that a later version wrote
		return Figure{}, false
	}
	f, ok := kind(&request{spec, selected(res, &spec), res})
	name, ending := spec.Name()
	f.Name, f.size = name, spec.Size
	if ending != "" {
		f.formats = []string{ending[1:]}
	}
	return f, ok
}

// defaults are the figures that an experiment gets unasked, in the order in which they
// are read. Over a sweep they are curves over the first swept variable; without one, all
// is in one figure.
func defaults(res *results.Results) []results.PlotSpec {
	s, curves := newSweep(res)
	specs := findings(res)
	if !curves {
		specs = slices.Concat([]results.PlotSpec{{Kind: results.PlotCurve, File: "comparison"}}, specs, tradeoffs(res, curves))
		return append(specs, results.PlotSpec{Kind: results.PlotLatencyParts, Metric: "e2el", File: "latency-parts"})
	}
	x := s.variable.Path
	for _, m := range measures(res) {
		if m.key == metrics.OutputThroughput && len(res.Tradeoffs) > 0 {
			continue // it is among the factors
		}
		if m.key == metrics.Attainment && s.categories == nil {
			specs = append(specs, tradeoffs(res, curves)...)
		}
		curve := results.PlotSpec{Kind: results.PlotCurve, Metric: m.key, X: x, File: m.figure}
		of := curve
		of.By, of.File = results.ByClass, m.figure+"-by-class"
		if up := mapped(res); up != "" && (m.key == metrics.Attainment || len(res.Series) > mostPanels) {
			curve.Kind, curve.By = results.PlotHeatmap, up
		}
		switch byClass := classes(res) && m.kind != amountAxis; {
		case byClass && m.atLeast:
			specs = append(specs, curve, of)
		case byClass && res.Facts.Traffic.OwnObjectives:
			specs = append(specs, of)
		default:
			specs = append(specs, curve)
		}
	}
	return append(specs, results.PlotSpec{Kind: results.PlotWhereTimeGoes, X: x, File: "where-time-goes"},
		results.PlotSpec{Kind: results.PlotUtilization, X: x, File: "utilization"})
}

// findings are the figures of what the experiment was made to find out: which strategy
// serves most, whether what is claimed of them holds, and whether what is expected comes out.
func findings(res *results.Results) []results.PlotSpec {
	var specs []results.PlotSpec
	if ranksCurves(res) {
		specs = append(specs, results.PlotSpec{Kind: results.PlotCapacity, File: "capacity"})
	}
	if len(res.Claims) > 0 {
		specs = append(specs, results.PlotSpec{Kind: results.PlotFactors, File: "factors"})
	}
	if len(res.Reproduced) > 0 {
		specs = append(specs, results.PlotSpec{Kind: results.PlotOverlay, File: "overlay"})
	}
	if len(res.Expectations) > 1 {
		specs = append(specs, results.PlotSpec{Kind: results.PlotPublished, File: "published"})
	}
	return specs
}

// classes tells whether there are several classes of requests, and few enough curves of
// each strategy and class.
func classes(res *results.Results) bool {
	const most = 12
	return len(res.Clients) > 1 && len(res.Clients)*len(res.Series) <= most
}

// curveFigure draws a metric over the swept variable; where none is swept, the metric of
// every strategy, and all metrics where none is asked for.
func curveFigure(r *request) (Figure, bool) {
	s, curves := newSweep(r.res)
	switch {
	case !curves && r.Metric == "":
		return comparison(r.res, measures(r.res))
	case !curves:
		return comparison(r.res, []measure{r.measure(r.Metric)})
	case !hasValues(r.res, r.Metric):
		return Figure{}, false
	}
	return r.measure(r.Metric).overSweep(r.res, s, r.By), true
}

// hasValues tells whether a metric has anything to show: the TPOT of answers that come
// whole, 0 for all, has not.
func hasValues(res *results.Results, key string) bool {
	return slices.ContainsFunc(res.Series, func(s results.Series) bool {
		return slices.ContainsFunc(s.Points, func(p results.Point) bool { m := estimate(p, key).Mean; return finite(m) && m != 0 })
	})
}
