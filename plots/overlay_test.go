package plots

import (
	"bytes"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// published is a made-up curve of a figure, and what came out at its points.
func published(figure, strategy string, points []results.PublishedPoint, simulated ...float64) results.Reproduced {
	r := results.Reproduced{PublishedCurve: results.PublishedCurve{Figure: figure, Strategy: strategy, Metric: metrics.OutputThroughput,
		X: "workload.arrival.rate", Within: 0.1, Points: points}}
	for i := range simulated {
		r.Simulated = append(r.Simulated, &simulated[i])
	}
	return r
}

// TestOverlay draws a panel for each figure of a paper; curves of one name have one colour, and
// values by strategy are below each other.
func TestOverlay(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	at := []results.PublishedPoint{{X: results.ValueOf(1), Y: 100}, {X: results.ValueOf(4), Y: 380}}
	ladder := results.Reproduced{PublishedCurve: results.PublishedCurve{Figure: "Table 2", Metric: metrics.MeanTPOT, X: results.ByStrategy, Within: 0.1,
		Points: []results.PublishedPoint{{X: results.ValueOf("static"), Y: 9}, {X: results.ValueOf("continuous"), Y: 8}}}, Simulated: []*float64{nil, nil}}
	res.Paper = &results.Paper{Name: "A paper (2023)"}
	res.Reproduced = []results.Reproduced{published("Figure 1", "static", at, 104, 400), published("Figure 1", "continuous", at, 99, 700), ladder}
	f := figureOf(t, res, "overlay")
	if want := "3 of 6 published numbers come out within their bands"; f.Title != want {
		t.Errorf("title %q, want %q", f.Title, want)
	}
	if !strings.HasPrefix(f.Subtitle, "A paper (2023)") {
		t.Errorf("subtitle %q", f.Subtitle)
	}
	if len(f.Data.Rows) != 6 || f.Data.Rows[0][7] != "0.04" || f.Data.Rows[5][6] != "" {
		t.Errorf("the data are %v", f.Data.Rows)
	}
	drawn := svg(t, f)
	for _, text := range []string{"Figure 1", "Table 2", "static", "continuous"} {
		if !bytes.Contains(drawn, []byte(">"+text+"<")) {
			t.Errorf("the figure does not say %q", text)
		}
	}
	res.Reproduced = nil // of an interrupted run
	res.Plots = []results.PlotSpec{{Kind: results.PlotOverlay, File: "overlay"}}
	if figures := Figures(res); len(figures) > 0 {
		t.Errorf("%d figures of what is not known", len(figures))
	}
}

// TestOverlayNamesRows: values by strategy are named by it, and by the other variables where a
// strategy has several; what says at which place all values are keeps within a panel.
func TestOverlayNamesRows(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	by := func(figure string, output int) results.Reproduced {
		y := 9.5
		return results.Reproduced{PublishedCurve: results.PublishedCurve{Figure: figure, Metric: metrics.MeanTPOT, X: results.ByStrategy,
			Over: "static", Within: 0.1,
			Where:  map[string]results.Value{"workload.output.mean": results.ValueOf(output)},
			Points: []results.PublishedPoint{{X: results.ValueOf("continuous"), Y: 9}}}, Simulated: []*float64{&y}}
	}
	at := func(figure string) results.Reproduced {
		r := published(figure, "static", []results.PublishedPoint{{X: results.ValueOf(0.99), Y: 100}}, 104)
		r.X = metrics.Attainment
		return r
	}
	res.Paper = &results.Paper{Name: "A paper (2023)"}
	all := published("All at once", "static", []results.PublishedPoint{{X: results.ValueOf(10000), Y: 100}}, 104)
	res.Reproduced = []results.Reproduced{by("Twice", 64), by("Twice", 512), by("Once", 64), at("Wide"), at("Wider"), all}
	drawn := svg(t, figureOf(t, res, "overlay"))
	for _, text := range []string{"continuous, 64", "continuous, 512", "continuous"} {
		if !bytes.Contains(drawn, []byte(">"+text+"<")) {
			t.Errorf("no row is named %q", text)
		}
	}
	if !bytes.Contains(drawn, []byte("10,000")) {
		t.Error("the place of 10,000 requests per second is not written so")
	}
	if whole := "output throughput, tok/s, where SLO attainment is 0.99"; bytes.Contains(drawn, []byte(whole)) {
		t.Errorf("%q is one line", whole)
	}
	res.Reproduced = res.Reproduced[3:4]
	if whole := "output throughput, tok/s, where SLO attainment is 0.99"; !bytes.Contains(svg(t, figureOf(t, res, "overlay")), []byte(whole)) {
		t.Errorf("%q is broken where a panel has the width of the figure", whole)
	}
}
