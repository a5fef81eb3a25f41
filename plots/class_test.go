package plots

import (
	"slices"
	"testing"

	"kneepoint/experiments/results"
)

// ofTwoClasses is an experiment whose classes of requests have the same metrics.
func ofTwoClasses(bounds ...float64) *results.Results {
	res := madeUp(rates, chatSLO, static, continuous)
	res.Facts.Traffic.OwnObjectives = true
	for i, name := range []string{"chat", "reports"} {
		slo := chatSLO
		slo.TTFTms = bounds[i]
		res.Clients = append(res.Clients, results.Client{Name: name, SLO: slo})
	}
	for _, s := range res.Series {
		for k := range s.Points {
			p := &s.Points[k]
			for _, c := range res.Clients {
				p.Clients = append(p.Clients, results.ClientPoint{Name: c.Name, Metrics: p.Metrics})
			}
		}
	}
	return res
}

// TestClassesHaveTheirOwnBounds: where classes differ in their objectives, latencies are
// drawn by class, and every bound has a line.
func TestClassesHaveTheirOwnBounds(t *testing.T) {
	for _, tt := range []struct {
		bounds []float64
		labels []string
	}{
		{[]float64{500, 2000}, []string{"chat SLO ≤ 500 ms", "reports SLO ≤ 2 s"}},
		{[]float64{500, 500}, []string{"SLO ≤ 500 ms"}},
		{[]float64{500, 0}, []string{"chat SLO ≤ 500 ms"}},
	} {
		figures := Figures(ofTwoClasses(tt.bounds...))
		i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == "ttft-p90-by-class" })
		if i < 0 {
			t.Fatalf("bounds %v: no figure by class", tt.bounds)
		}
		body := figures[i].body.(*curvePlot)
		var labels, names []string
		for _, l := range body.targets {
			labels = append(labels, l.label)
		}
		for _, c := range body.curves {
			names = append(names, c.name)
		}
		if !slices.Equal(labels, tt.labels) {
			t.Errorf("bounds %v: lines %q, want %q", tt.bounds, labels, tt.labels)
		}
		if want := []string{"static, chat", "static, reports", "continuous, chat", "continuous, reports"}; !slices.Equal(names, want) {
			t.Errorf("bounds %v: curves %q, want %q", tt.bounds, names, want)
		}
	}
}

// TestOneBoundIsNotThatOfAll: asked for all requests together, a percentile is not held
// against the bound of one class.
func TestOneBoundIsNotThatOfAll(t *testing.T) {
	res := ofTwoClasses(500, 2000)
	res.Plots = []results.PlotSpec{{Kind: results.PlotCurve, Metric: "p90_ttft_ms", X: res.Sweep[0].Path, File: "all.svg"}}
	f := Figures(res)[0]
	if body := f.body.(*curvePlot); body.targets != nil || !slices.Contains(f.Notes, "classes have bounds of their own") {
		t.Errorf("lines %v, notes %q", body.targets, f.Notes)
	}
}

// TestOfferedLoadIsWhatWasOffered: runs of few requests offer another rate than the one
// that was asked for, and no goodput is above theirs.
func TestOfferedLoadIsWhatWasOffered(t *testing.T) {
	res := madeUp([]any{1, 2, 4}, chatSLO, continuous)
	for i := range res.Series[0].Points {
		m := res.Series[0].Points[i].Metrics
		for _, key := range []string{"offered_rate", "request_goodput"} {
			e := m[key]
			e.Mean *= 1.1
			m[key] = e
		}
	}
	figures := Figures(res)
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == "goodput" })
	body := figures[i].body.(*curvePlot)
	for k, d := range body.curves[0].dots {
		if at := body.offered[k+1]; at.X != d.x || d.y > at.Y {
			t.Errorf("at %g the goodput is %g, offered %v", d.x, d.y, at)
		}
	}
}
