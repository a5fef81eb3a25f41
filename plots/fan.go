package plots

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// fanPlot is a panel for each series with curves of percentiles.
type fanPlot struct {
	panels []*curvePlot
	names  []string
}

// fanned are the percentiles that are drawn besides the one that the objective asks for.
var fanned = []float64{50, 90, 99}

// fanFigure draws percentiles of a latency over the swept variable, those of each series
// in a panel of its own: what the spread between a usual request and a slow one does.
func fanFigure(r *request) (Figure, bool) {
	res, m, slo := r.res, latencyMeasure(r.Metric), commonSLO(r.res)
	s, swept := newSweep(res)
	if !swept || len(res.Series) > mostPanels {
		return Figure{}, false
	}
	quantiles := quantilesAt(slo, r.Metric, fanned)
	data := Table{Header: []string{"curve", s.variable.Path, "percentile", r.Metric, "unit", "low", "high", "saturated"}}
	body, all := &fanPlot{}, []curve(nil)
	for i := range res.Series {
		if curves := r.fanCurves(i, s, quantiles, &data); len(curves) > 0 {
			panel := &curvePlot{x: s.axis(), xTitle: s.title(), apart: s.categories != nil, curves: curves}
			body.panels, body.names, all = append(body.panels, panel), append(body.names, seriesName(res.Series[i])), append(all, curves...)
		}
	}
	if len(body.panels) == 0 {
		return Figure{}, false
	}
	targets, values, marks := m.withTargets(res, r.By, valuesToCover(all))
	for _, panel := range body.panels {
		panel.y, panel.targets = m.axis(values, s.log), targets
	}
	if slices.ContainsFunc(all, func(c curve) bool { return c.thick }) {
		marks = append(marks, "thick: the percentile that the SLO asks for")
	}
	title := "Percentiles of the " + m.what + " by " + s.name()
	return Figure{Title: title, Subtitle: subtitle(res, ""), Data: data, body: body,
		Notes: notes(res, bandOf(all, s.categories != nil), slices.Concat(marks, curveNotes(res, all, s))...)}, true
}

// fanCurves are the percentiles of the i-th series as curves, with their rows in the data. The
// one that the objective asks for is thick, and alone has the knee.
func (r *request) fanCurves(i int, s sweep, quantiles []quantile, data *Table) []curve {
	asked := askedFor(commonSLO(r.res))
	var curves []curve
	for k, q := range quantiles {
		c := curvesOver(r.res, s, q.key)[i]
		if !hasDots(c) {
			continue
		}
		for _, d := range c.dots {
			data.add(c.name, d.value, number(q.percentile), number(d.y), "ms", number(d.low), number(d.high), finding(d.saturated))
		}
		c.name, c.thick, c.faded = metrics.PercentileName(q.percentile), q.percentile == asked, 0.25*float64(len(quantiles)-1-k)
		if !c.thick {
			c.knee = nil
		}
		curves = append(curves, c)
	}
	return curves
}

func (f *fanPlot) draw(s *chart.Style) drawing {
	columns := s.Columns(len(f.panels), 18)
	d := drawing{rowHeight: 17}
	if len(f.panels) == 1 {
		d.rowHeight = 0
	}
	for i, panel := range f.panels {
		if i%columns == 0 {
			d.panels = append(d.panels, make([]*plot.Plot, columns))
		}
		p, labels := panel.panel(s)
		if len(f.panels) > 1 {
			p.Title.Text = s.Fit(f.names[i], p.Title.TextStyle, s.Width*0.8/vg.Length(columns))
		}
		if i+columns < len(f.panels) {
			p.X.Label.Text = "" // it stands below the last panel of the column
		}
		d.panels[i/columns][i%columns] = p
		d.labels = append(d.labels, labels)
	}
	return d
}
