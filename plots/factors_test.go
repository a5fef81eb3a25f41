package plots

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// paired are three replications of some strategies at some rates, whose latencies are
// factors of a base that differs by far more between replications; throughput is the inverse.
func paired(rates []any, claimed []results.Claimed, factors map[string]float64) *results.Results {
	plan := &results.Plan{
		Strategies: []string{"base"}, Replications: 3, Claimed: claimed,
		Sweep: []results.Axis{{Path: "workload.arrival.rate", Label: "request rate", Unit: "req/s", Values: swept(rates...)}},
		SLO:   results.SLO{TTFTms: 1e9, Attainment: 0.9},
	}
	for _, name := range []string{"other", "third", "far"} {
		if factors[name] > 0 {
			plan.Strategies = append(plan.Strategies, name)
		}
	}
	for _, rate := range plan.Sweep[0].Values {
		plan.Points = append(plan.Points, results.PlannedPoint{Values: []results.Value{rate}})
	}
	plan.Cells = plan.AllCells()
	outcomes := map[string]*results.Outcome{}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		c.Key = fmt.Sprint(i)
		factor := 1.0
		if c.Strategy != "base" {
			factor = factors[c.Strategy] * (1 + 0.01*float64(c.Replication-1)) * (1 + 0.1*float64(c.Point))
		}
		base := math.Pow(3, float64(c.Replication))
		outcomes[c.Key] = &results.Outcome{Why: &metrics.Why{}, Metrics: metrics.Values{metrics.MeanTTFT: 100 * base * factor,
			metrics.MeanTPOT: 10 * base * factor, metrics.OutputThroughput: 50 / factor, metrics.Attainment: 1, metrics.CompletedRequests: 100}}
	}
	return results.Aggregate(plan, results.ByKey(outcomes))
}

func claim(strategy, over, metric string, low, high float64, at ...results.Place) results.Claimed {
	return results.Claimed{Strategy: strategy, Over: over, Metric: metric, Low: low, High: high, At: at, Source: "a blog"}
}

func forest(t *testing.T, res *results.Results) (Figure, *forestPlot) {
	t.Helper()
	f := figureOf(t, res, "factors")
	return f, f.body.(*forestPlot)
}

// TestFactors: a panel for each metric, a row for each two strategies, a mark for each load,
// with the interval over pairs and the verdict on what is claimed there.
func TestFactors(t *testing.T) {
	res := paired([]any{1, 2, 4, 8}, []results.Claimed{
		claim("other", "base", metrics.MeanTPOT, 0.45, 0.52, results.Loads()...),
		claim("third", "other", metrics.MeanTPOT, 2, 4, results.Place{Value: results.ValueOf(2)}),
	}, map[string]float64{"other": 0.5, "third": 2})
	f, body := forest(t, res)
	if want := []string{"other", "third", "third over other"}; !slices.Equal(body.rows, want) {
		t.Errorf("rows %q, want %q", body.rows, want)
	}
	if want := []string{"low load (1 req/s)", "the knee, high load (8 req/s)", "request rate 2"}; !slices.Equal(body.places, want) {
		t.Errorf("places %q, want %q", body.places, want)
	}
	var titles []string
	for _, p := range body.panels {
		titles = append(titles, p.title+" "+string(p.higher))
	}
	if want := []string{"Mean TTFT worse", "Mean TPOT worse", "Output throughput better"}; !slices.Equal(titles, want) {
		t.Errorf("panels %q, want %q", titles, want)
	}
	tpot := body.panels[1].marks
	low := tpot[0][0]
	// The factors .495, .5 and .505: ln has the standard deviation .01, t(.975, 2) = 4.303.
	if half := 4.303 * 0.01 / math.Sqrt(3); math.Abs(math.Log(low.High/low.Low)/2-half) > 1e-4 || !low.isClaimed() || low.holds != results.Yes {
		t.Errorf("at low load %+v, want ± %g", low, half)
	}
	if at := tpot[0][1]; at.holds != results.No || at.fill() != chart.Hollow || at.exceeded {
		t.Errorf("beyond what is claimed %+v", at)
	}
	if at := tpot[1][0]; at.isClaimed() || at.fill() != chart.Filled {
		t.Errorf("nothing is claimed of %+v", at)
	}
	if own, other := tpot[2][2], tpot[1][2]; own.holds != results.Yes || own.Value != 4 || !math.IsNaN(other.Value) {
		t.Errorf("at a place of one claim: %+v there, %+v elsewhere", own, other)
	}
	if want := "2 of 3 claimed factors hold"; f.Title != want {
		t.Errorf("title %q", f.Title)
	}
	if note := "claimed: mean TPOT of third is 2 to 4 times that of other (a blog)"; !slices.Contains(f.Notes, note) {
		t.Errorf("no note %q in %q", note, f.Notes)
	}
	head := "curve,over,metric,at,factor,low,high,claimed low,claimed high,holds\n"
	if csv := string(f.Data.CSV()); !strings.HasPrefix(csv, head) || len(f.Data.Rows) != 3*3*3 {
		t.Errorf("%d rows, %s", len(f.Data.Rows), csv[:200])
	}
}

// TestFactorsAreVerdicts: what the figure shows is what the results say.
func TestFactorsAreVerdicts(t *testing.T) {
	res := paired([]any{1, 2, 4}, []results.Claimed{claim("other", "base", metrics.MeanTTFT, 0.5, 0.545, results.Loads()...)},
		map[string]float64{"other": 0.5})
	_, body := forest(t, res)
	for i, v := range res.Claims[0].Verdicts[:2] {
		m := body.panels[0].marks[0][i]
		if m.Value != *v.Factor || m.Low != *v.FactorLow || m.High != *v.FactorHigh || (m.holds == results.Unknown) == v.Clear {
			t.Errorf("%s: %+v, verdict %+v", v.Place, m, v)
		}
	}
}

// TestFactorsBeyondTheAxis are written at its rim.
func TestFactorsBeyondTheAxis(t *testing.T) {
	res := paired([]any{1}, nil, map[string]float64{"other": 1.5, "far": 4100})
	res.Plots = []results.PlotSpec{{Kind: results.PlotFactors, File: "factors"}}
	f, body := forest(t, res)
	if lo, hi := chart.Extent(body.panels[0].covers(), true); lo != 1 || hi != greatestRatio {
		t.Errorf("the axis covers %g to %g", lo, hi)
	}
	drawn := svg(t, f)
	for _, want := range []string{"4,100× →", "← 0.00024×", "Factors over base at low load, the knee, high load (1 req/s)", "← better", "better →"} {
		if !bytes.Contains(drawn, []byte(">"+want+"<")) && f.Title != want {
			t.Errorf("%q is not in the figure %q", want, f.Title)
		}
	}
}

// TestClaimsAreOnTheAxis: what anything is claimed of is seen, however far.
func TestClaimsAreOnTheAxis(t *testing.T) {
	_, body := forest(t, paired([]any{1}, []results.Claimed{claim("other", "base", metrics.MeanTTFT, 0.01, 0.5, results.Loads()...)}, map[string]float64{"other": 0.5}))
	if lo, _ := chart.Extent(body.panels[0].covers(), true); lo != 0.01 {
		t.Errorf("the axis begins at %g", lo)
	}
}

// TestFactorsOfSomeStrategies are over the first one also where that is filtered out.
func TestFactorsOfSomeStrategies(t *testing.T) {
	res := paired([]any{1, 2}, nil, map[string]float64{"other": 0.5, "third": 2})
	res.Plots = []results.PlotSpec{{Kind: results.PlotFactors, File: "factors", At: results.Place{Word: results.Highest},
		Filter: map[string][]results.Value{results.ByStrategy: swept("third")}}}
	_, body := forest(t, res)
	if !slices.Equal(body.rows, []string{"third"}) || len(body.places) != 1 || math.Abs(body.panels[0].marks[0][0].Value-2.2) > 0.02 {
		t.Errorf("%q at %q: %+v", body.rows, body.places, body.panels[0].marks)
	}
	res.Plots[0].Filter[results.ByStrategy] = swept("base")
	if figures := Figures(res); len(figures) > 0 {
		t.Errorf("%d figures of a strategy over itself", len(figures))
	}
}

// TestFactorsAreLegible draws many rows, long names and far factors in all sizes.
func TestFactorsAreLegible(t *testing.T) {
	res := paired([]any{1, 2, 4}, []results.Claimed{claim("other", "base", metrics.MeanTTFT, 0.001, 0.5, results.Loads()...)},
		map[string]float64{"other": 0.5, "third": 2, "far": 4100})
	for i := range res.Series {
		if i > 0 {
			res.Series[i].Label = strings.Repeat("continuous, max_num_seqs ", i) + "8"
		}
	}
	f, _ := forest(t, res)
	for _, size := range chart.Sizes {
		legible(t, chart.NewStyle(size, chart.Themes[0], nil), f)
	}
}

// TestFactorsAtAName: a place along names is called by its value, as no name is higher than others.
func TestFactorsAtAName(t *testing.T) {
	res := madeUp([]any{"l40s", "h100-sxm"}, chatSLO, static, continuous)
	res.Sweep = []results.Axis{{Path: "hardware.accelerator", Label: "accelerator", Values: swept("l40s", "h100-sxm")}}
	place, ok := locate(res, results.Place{Word: results.Highest})
	if !ok || place.name != "accelerator h100-sxm" || !place.at.Value.Same(results.ValueOf("h100-sxm")) {
		t.Errorf("%+v", place)
	}
	res.Sweep = nil
	if place, ok := locate(res, results.Place{}); !ok || place.name != "" {
		t.Errorf("%+v without a sweep", place)
	}
}
