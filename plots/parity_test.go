package plots

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kneepoint/plots/chart"
)

// madeUpParity is some runs of two engines.
func madeUpParity(panels int) *Parity {
	p := &Parity{Name: "parity", By: "engine", Version: "0.1.0", Notes: []string{"3 measured runs are not simulated"}}
	for i, metric := range []string{"mean TTFT", "mean TPOT", "mean E2EL", "p99 E2EL"}[:panels] {
		panel := ParityPanel{Metric: metric, MedianError: 7.471 + float64(i)}
		for run, predicted := range []float64{90, 210, 2600} {
			panel.Pairs = append(panel.Pairs, Pair{ID: string(rune('a' + run)), Group: []string{"vllm", "sglang"}[run%2], Measured: math.Pow(10, float64(run)/2+2), Predicted: predicted})
		}
		p.Panels = append(p.Panels, panel)
	}
	return p
}

// TestParity: a panel for each latency with equal axes, groups in order, every pair in the table.
func TestParity(t *testing.T) {
	f, ok := madeUpParity(2).Figure()
	if want := "Median error 7.5 % in mean TTFT, 8.5 % in mean TPOT"; !ok || f.Title != want {
		t.Errorf("title %q, want %q", f.Title, want)
	}
	if want := "run,metric,engine,measured,predicted,unit\na,mean TTFT,vllm,100,90,ms\n"; !strings.HasPrefix(string(f.Data.CSV()), want) || len(f.Data.Rows) != 6 {
		t.Errorf("table %s", f.Data.CSV())
	}
	if note := "mean TTFT: 3 runs, mean TPOT: 3 runs"; !slices.Contains(f.Notes, note) || !slices.Contains(f.Notes, "3 measured runs are not simulated") {
		t.Errorf("notes %q", f.Notes)
	}
	s := chart.NewStyle(chart.Sizes[0], chart.Themes[0], nil)
	d := f.body.draw(s)
	p := d.panels[0][1]
	if len(d.panels) != 1 || p.X.Min != p.Y.Min || p.X.Max != p.Y.Max || !chart.IsLog(&p.X) || !chart.IsLog(&p.Y) || p.X.Min > 90 || p.X.Max < 2600 {
		t.Errorf("axes from %g, %g to %g, %g", p.X.Min, p.Y.Min, p.X.Max, p.Y.Max)
	}
	if len(d.key) != 2 || d.key[0].Name != "sglang" || d.key[1].Name != "vllm" {
		t.Errorf("key %+v", d.key)
	}
}

// TestBandsOfParity: their edges are at the share of the measured value, within the panel.
func TestBandsOfParity(t *testing.T) {
	for _, xy := range around(1, 1000, 0.25) {
		ratio := xy.Y / xy.X
		if onEdge := math.Abs(ratio-1.25) < 1e-9 || math.Abs(ratio-0.75) < 1e-9 || ratio == 1; !onEdge || min(xy.X, xy.Y) < 1 || max(xy.X, xy.Y) > 1000 {
			t.Errorf("corner at %v", xy)
		}
	}
}

// TestParityIsLegible draws up to four panels in all sizes, and none of nothing.
func TestParityIsLegible(t *testing.T) {
	for n := 1; n <= 4; n++ {
		f, _ := madeUpParity(n).Figure()
		for _, size := range chart.Sizes {
			legible(t, chart.NewStyle(size, chart.Themes[0], nil), f)
		}
	}
	zero := madeUpParity(1)
	zero.Panels[0].Pairs[0].Predicted = 0
	f, _ := zero.Figure()
	if svg(t, f); !strings.Contains(strings.Join(f.Notes, "; "), "1 of 0 are off the scale") {
		t.Errorf("of a prediction of 0: %q", f.Notes)
	}
	if images, err := (&Parity{Name: "parity"}).Images(Options{}); images != nil || err != nil {
		t.Errorf("%d images of nothing, %v", len(images), err)
	}
}
