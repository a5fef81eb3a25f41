package plots

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// twoSwept is an experiment over the rate and the batch's size: of each strategy a curve
// for each size.
func twoSwept(sizes []any, servers ...server) *results.Results {
	res := madeUp(rates, chatSLO)
	res.Sweep = append(res.Sweep, results.Axis{Path: "strategy.max_num_seqs", Label: "max_num_seqs", Values: swept(sizes...)})
	for _, s := range servers {
		for _, n := range sizes {
			size, _ := numeric(results.ValueOf(n))
			one := madeUp(rates, chatSLO, server{s.name, size, s.ttft, s.tpot}).Series[0]
			one.Fixed = results.Setting{"strategy.max_num_seqs": results.ValueOf(n)}
			one.Label = fmt.Sprintf("%s, max_num_seqs %v", s.name, n)
			res.Series = append(res.Series, one)
		}
	}
	return res
}

var mapOfAttainment = results.PlotSpec{Kind: results.PlotHeatmap, Metric: metrics.Attainment, By: "strategy.max_num_seqs", File: "map"}

// TestHeatmap: a map for each strategy, its axes, values, bar and data; what is not there is
// blank.
func TestHeatmap(t *testing.T) {
	res := twoSwept([]any{16, 4, 8}, static, continuous)
	res.Series[1].Points = slices.Delete(res.Series[1].Points, 0, 1) // 4 at 1 req/s
	figures := asked(res, mapOfAttainment)
	if len(figures) != 1 {
		t.Fatalf("%d figures", len(figures))
	}
	f := figures[0]
	drawn := string(svg(t, f))
	for text, n := range map[string]int{"SLO attainment by request rate and max_num_seqs": 1, "static": 1, "continuous": 1, "Request rate (req/s)": 1,
		"max_num_seqs": 2, "Requests that meet the SLO": 1, "1": 2, "32": 2, "16": 4, "50 %": 0, "60 %": 1} {
		if got := strings.Count(drawn, ">"+text+"</text>"); got != n {
			t.Errorf("%q is there %d times, want %d", text, got, n)
		}
	}
	body := f.body.(*heatPlot)
	if want := []string{"4", "8", "16"}; !slices.Equal(body.yNames, want) || body.target != 0.9 {
		t.Errorf("rows %q, want %q; target %g", body.yNames, want, body.target)
	}
	blank, there := body.panels[0].cells[0][0], body.panels[0].cells[0][1]
	if want := res.Series[1].Points[0].Metrics[metrics.Attainment].Mean; finite(blank.value) || there.value != want {
		t.Errorf("cells are %v and %v, want none and %g", blank, there, want)
	}
	data := string(f.Data.CSV())
	if !strings.HasPrefix(data, "map,workload.arrival.rate,strategy.max_num_seqs,slo_attainment,unit,saturated\nstatic,2,4,") {
		t.Errorf("data\n%s", data)
	}
	if n := strings.Count(data, "\n"); n != 1+2*3*6-1 {
		t.Errorf("%d lines of data", n)
	}
}

// TestHeatmapOfAnothersKey: the key of a strategy changes nothing of another one, which has
// the same values in all rows.
func TestHeatmapOfAnothersKey(t *testing.T) {
	res := twoSwept([]any{4, 8, 16}, static, continuous)
	res.Series = res.Series[:4]
	res.Series[3].Fixed = nil
	body := asked(res, mapOfAttainment)[0].body.(*heatPlot)
	for _, row := range body.panels[1].cells {
		if !finite(row[0].value) || row[3] != body.panels[1].cells[0][3] {
			t.Errorf("rows %v", body.panels[1].cells)
		}
	}
}

// TestHeatmapsOfNamesWithoutLetters have names that can be written where the format has no
// text.
func TestHeatmapsOfNamesWithoutLetters(t *testing.T) {
	res := twoSwept([]any{4, 8, 16}, server{"静的", 5, 60, 9}, continuous)
	shown, _ := written(res, func(name string) bool { return !strings.Contains(name, "静") })
	drawn := svg(t, asked(shown, mapOfAttainment)[0])
	if !bytes.Contains(drawn, []byte(">curve 1<")) || bytes.Contains(drawn, []byte("静")) || !bytes.Contains(drawn, []byte(">continuous<")) {
		t.Error("a map has a name that cannot be written, or none")
	}
}

// TestBorderOfTheSLO runs between cells that meet it and those that do not, on the side of
// the metric's bound, and not around what is blank.
func TestBorderOfTheSLO(t *testing.T) {
	panel := &heatPanel{cells: [][]heatCell{{{value: 0.95}, {value: 0.5}}, {{value: 0.9}, {value: math.NaN()}}}}
	for _, tt := range []struct {
		atLeast bool
		target  float64
		want    string
	}{
		{true, 0.9, "[{0.5 -0.5} {0.5 0.5} {NaN NaN}]"},
		{false, 0.9, "[{0.5 -0.5} {0.5 0.5} {NaN NaN} {-0.5 0.5} {0.5 0.5} {NaN NaN}]"},
		{true, 0.99, "[]"},
		{true, math.NaN(), "[]"},
	} {
		h := heatPlot{measure: measure{atLeast: tt.atLeast}, target: tt.target}
		if got := fmt.Sprint(h.border(panel)); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// TestHeatColoursAreInOrder also where there are greys alone.
func TestHeatColoursAreInOrder(t *testing.T) {
	last := -1
	for _, c := range (heatScale{}).colours().Palette(colourSteps).Colors() {
		gray := int(color.GrayModel.Convert(c).(color.Gray).Y)
		if gray < last {
			t.Fatalf("%d after %d", gray, last)
		}
		last = gray
	}
	if last < 200 {
		t.Errorf("the lightest is %d", last)
	}
}

// TestHeatScales: the attainment from 0 to 100 %, other shares from 0, what is far apart in logarithms, and one value in
// the middle of a range.
func TestHeatScales(t *testing.T) {
	res := madeUp(rates, chatSLO, static)
	share, ttft, rate := measureOf(res, metrics.Attainment), measureOf(res, "p90_ttft_ms"), measureOf(res, metrics.OutputThroughput)
	for _, tt := range []struct {
		m      measure
		values []float64
		want   heatScale
	}{
		{share, []float64{0.4, 0.5}, heatScale{0, 1, false}},
		{measureOf(res, metrics.MFU), []float64{0.1, 0.2}, heatScale{0, 0.2, false}},
		{ttft, []float64{10, 1000}, heatScale{10, 1000, true}},
		{rate, []float64{10, 50}, heatScale{10, 50, false}},
		{rate, []float64{0, 50}, heatScale{0, 50, false}},
	} {
		if got := tt.m.heatScale(tt.values); got != tt.want {
			t.Errorf("%s of %v: %+v, want %+v", tt.m.key, tt.values, got, tt.want)
		}
	}
	for _, one := range []float64{0, 7, -3} {
		if at := rate.heatScale([]float64{one}).at(one); !(at >= 0 && at <= 1) {
			t.Errorf("%g is at %g", one, at)
		}
	}
}

// TestDefaultMaps: of three or more values of a second number the attainment is a map, and
// all metrics are where there are more curves than anybody can tell apart.
func TestDefaultMaps(t *testing.T) {
	thirteen := linearRates(13)
	zip := twoSwept([]any{4, 8, 16}, static)
	zip.Zipped = true
	for name, tt := range map[string]struct {
		res  *results.Results
		maps []string
	}{
		"two":      {twoSwept([]any{4, 8}, static), nil},
		"three":    {twoSwept([]any{4, 8, 16}, static, continuous), []string{"slo-attainment"}},
		"thirteen": {twoSwept(thirteen, static), []string{"ttft-p90", "tpot-p90", "output-throughput", "goodput", "slo-attainment"}},
		"words":    {twoSwept([]any{4, 8, "inf"}, static), nil},
		"zipped":   {zip, nil},
	} {
		var maps []string
		for _, f := range Figures(tt.res) {
			if _, ok := f.body.(*heatPlot); ok {
				maps = append(maps, f.Name)
				if drawn := svg(t, f); bytes.Contains(drawn, []byte("NaN")) {
					t.Errorf("%s: %s has coordinates that are no numbers", name, f.Name)
				}
			}
		}
		if !slices.Equal(maps, tt.maps) {
			t.Errorf("%s: maps %q, want %q", name, maps, tt.maps)
		}
	}
}

// TestUndecidedCells: what longer runs would tell is marked; requests that come all at once leave nothing to tell.
func TestUndecidedCells(t *testing.T) {
	res := twoSwept([]any{4, 8, 16}, static)
	point := &res.Series[0].Points[1]
	point.Saturated = results.Unknown
	text := func() (string, bool) {
		f := asked(res, mapOfAttainment)[0]
		h := f.body.(*heatPlot)
		return h.text(h.panels[0].cells[0][1]), slices.Contains(f.Notes, "?: runs too short to tell whether saturated")
	}
	if cell, noted := text(); !strings.HasSuffix(cell, "?") || !noted {
		t.Errorf("runs too short to tell: %q, noted: %t", cell, noted)
	}
	delete(point.Metrics, metrics.OfferedRate)
	if cell, noted := text(); strings.HasSuffix(cell, "?") || noted {
		t.Errorf("all at once: %q, noted: %t", cell, noted)
	}
}
