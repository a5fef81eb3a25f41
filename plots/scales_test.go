package plots

import (
	"math"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// scaled gives every point attainments that grow with the scale, to 90 % at the stated
// objective.
func scaled(res *results.Results) *results.Results {
	for _, s := range res.Series {
		for k := range s.Points {
			for i, scale := range metrics.Scales {
				e := metrics.Estimate{Mean: min(0.9*scale, 1), Half: 0.05 * float64(i%2), N: 3}
				s.Points[k].ByScale = append(s.Points[k].ByScale, results.ScaledAttainment{Scale: scale, Attainment: e})
			}
		}
	}
	return res
}

// TestSLOScale: a curve for each strategy at its own knee, over the scale, the stated
// objective and the target marked; intervals are shares.
func TestSLOScale(t *testing.T) {
	spec := results.PlotSpec{Kind: results.PlotSLOScale, At: results.Place{Word: results.AtKnee}, File: "scale"}
	figures := asked(scaled(madeUp(rates, chatSLO, static, continuous)), spec)
	if len(figures) != 1 {
		t.Fatalf("%d figures", len(figures))
	}
	f := figures[0]
	drawn := string(svg(t, f))
	for _, text := range []string{"SLO attainment by the scale of the SLO at the knee", "static, 4 req/s", "continuous, 8 req/s", "0.25×", "1×", "8×",
		"SLO", "target ≥ 90 %", "Requests that meet the SLO"} {
		if !strings.Contains(drawn, ">"+text+"</text>") {
			t.Errorf("does not say %q", text)
		}
	}
	body := f.body.(*curvePlot)
	if len(body.curves) != 2 || len(body.curves[0].dots) != len(metrics.Scales) || !isLog(body.x) {
		t.Fatalf("%d curves, log %t", len(body.curves), isLog(body.x))
	}
	for _, d := range body.curves[0].dots {
		if d.low < 0 || d.high > 1 || math.Abs(d.y-min(0.9*d.x, 1)) > 1e-12 {
			t.Errorf("%+v", d)
		}
	}
	if data := string(f.Data.CSV()); !strings.Contains(data, "static,4,1,0.9,0.9,0.9\n") {
		t.Errorf("data\n%s", data)
	}
	for _, note := range f.Notes {
		if strings.Contains(note, "lies on") && strings.Contains(note, "req/s up to") {
			t.Errorf("a scale is called a load: %q", note)
		}
	}
	spec.At = results.Place{}
	if f := asked(scaled(atOnePoint(4, chatSLO, static)), spec); len(f) != 1 || strings.Contains(string(svg(t, f[0])), "static,") {
		t.Error("nothing swept: no figure, or a load in it")
	}
	if asked(madeUp(rates, chatSLO, static), spec) != nil {
		t.Error("drawn without attainments by scale")
	}
}

// TestPartlyHiddenCurvesOverScales: up to where one hides another is a scale.
func TestPartlyHiddenCurvesOverScales(t *testing.T) {
	res := scaled(madeUp(rates, chatSLO, static, continuous))
	for k := range res.Series[0].Points {
		res.Series[0].Points[k].ByScale[9].Attainment.Mean = 0.5
	}
	f := asked(res, results.PlotSpec{Kind: results.PlotSLOScale, At: results.Place{Word: results.Highest}, File: "scale"})[0]
	const want = "continuous lies on static up to 1 times the SLO"
	if notes := strings.Join(f.Notes, "\n"); !strings.Contains(notes, want) {
		t.Errorf("no %q in\n%s", want, notes)
	}
}
