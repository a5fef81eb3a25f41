package plots

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// oddResults are results that are hard to draw.
func oddResults() map[string]*results.Results {
	noValues := madeUp(rates, chatSLO, static, continuous)
	for i := range noValues.Series[0].Points {
		noValues.Series[0].Points[i].Metrics = map[string]metrics.Estimate{}
	}
	gaps := madeUp(rates, chatSLO, static, continuous)
	gaps.Series[1].Points[2].Metrics["p90_ttft_ms"] = metrics.Estimate{Mean: math.NaN(), Half: math.NaN()}
	gaps.Series[1].Points[3].Metrics["p90_tpot_ms"] = metrics.Estimate{Mean: 0, Half: math.NaN(), N: 1}
	huge := madeUp(rates, chatSLO, static, continuous)
	huge.Series[0].Points[0].Metrics["p90_ttft_ms"] = metrics.Estimate{Mean: 1e-300, Half: 1e300, N: 3}
	huge.Series[0].Points[1].Metrics["p90_ttft_ms"] = metrics.Estimate{Mean: 1e300, Half: math.Inf(1), N: 3}
	huge.Series[1].Points[1].Metrics["output_throughput"] = metrics.Estimate{Mean: 1e305, Half: 1, N: 3}
	endless := madeUp(rates, chatSLO, static)
	for i := range endless.Series[0].Points {
		endless.Series[0].Points[i].Metrics["p90_ttft_ms"] = metrics.Estimate{Mean: 100, Half: math.Inf(1), N: 3}
	}
	wide := madeUp([]any{1e-6, 1, 1e12}, chatSLO, static, continuous)
	power := madeUp(rates, results.SLO{}, static)
	power.Series[0].Knee = &results.Knee{Kind: results.KneePower, Value: 4}
	many := eight()
	for range 2 {
		many = append(many, eight()...)
	}
	empty := madeUp(rates, chatSLO, static, continuous)
	empty.Series[1].Points = nil
	return map[string]*results.Results{
		"eight series":    madeUp(rates, chatSLO, eight()...),
		"24 series":       madeUp(rates, chatSLO, many...),
		"one point":       madeUp([]any{4}, chatSLO, static, continuous),
		"one series":      power,
		"long names":      madeUp(rates, chatSLO, server{strings.Repeat("long-", 30) + "a", 5, 60, 9}, server{strings.Repeat("w", 200), 6, 60, 9}),
		"no values":       noValues,
		"gaps":            gaps,
		"huge":            huge,
		"wide":            wide,
		"endless":         endless,
		"sixty points":    madeUp(linearRates(60), chatSLO, static, continuous),
		"names":           madeUp([]any{"h100-sxm", "a100-80gb", "l40s"}, chatSLO, static, continuous),
		"no sweep":        atOnePoint(4, chatSLO, static, continuous),
		"a series absent": empty,
		"nothing":         {},
	}
}

func TestOddResultsAreDrawn(t *testing.T) {
	for name, res := range oddResults() {
		t.Run(name, func(t *testing.T) {
			figures := Figures(res)
			if len(figures) == 0 && name != "nothing" {
				t.Fatal("no figures")
			}
			for _, f := range figures {
				drawn := svg(t, f)
				wellFormed(t, f.Name, drawn)
				if _, err := f.Sheet(chart.NewStyle(chart.Sizes[2], chart.Themes[1], nil)).File("pdf"); err != nil {
					t.Errorf("%s as PDF: %v", f.Name, err)
				}
				if bytes.Contains(drawn, []byte("NaN")) || bytes.Contains(drawn, []byte("Inf,")) {
					t.Errorf("%s has coordinates that are no numbers", f.Name)
				}
			}
		})
	}
}

func wellFormed(t *testing.T, name string, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%s.svg is not XML: %v", name, err)
		}
	}
}

func TestImages(t *testing.T) {
	res := madeUp(rates, chatSLO, static, continuous)
	images, _, err := Images(res, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, image := range images {
		names = append(names, image.Name)
	}
	var want []string
	for _, figure := range []string{"capacity", "ttft-p90", "tpot-p90", "output-throughput", "goodput", "throughput-vs-tpot", "slo-attainment"} {
		want = append(want, figure+".png", figure+".svg", figure+".txt", figure+".csv")
	}
	if !slices.Equal(names, want) {
		t.Errorf("drew %q, want %q", names, want)
	}
	again, _, err := Images(res, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, image := range images {
		if !bytes.Equal(image.Bytes, again[i].Bytes) {
			t.Errorf("%s differs between two drawings of the same results", image.Name)
		}
		if strings.HasSuffix(image.Name, ".png") {
			if config, err := png.DecodeConfig(bytes.NewReader(image.Bytes)); err != nil || config.Width != 1040 {
				t.Errorf("%s: width %d, %v", image.Name, config.Width, err)
			}
		}
	}
}

func TestFiguresSayWhatTheyShow(t *testing.T) {
	tests := []struct {
		figure string
		res    *results.Results
		want   []string
	}{
		{"capacity", madeUp(rates, chatSLO, static, continuous), []string{"Within the SLO, continuous serves 2.1× the load of static"}},
		{"ttft-p90", madeUp(rates, chatSLO, static, continuous),
			[]string{"p90 time to first token by request rate", ">static<", ">continuous<", "SLO ≤ 500 ms",
				"Request rate (req/s)", "≈ 4.2", "≈ 8.9", "500 ms", "kneepoint 0.1.0"}},
		{"goodput", madeUp(rates, chatSLO, static, continuous), []string{"offered load"}},
		{"slo-attainment", madeUp(rates, chatSLO, continuous), []string{"target ≥ 90 %", "90 % of requests meet the SLO up to 8.9 req/s"}},
		{"throughput-vs-tpot", madeUp(rates, chatSLO, static), []string{"Median time per output token", "8–32", "≈ 4.2 req/s"}},
		{"comparison", atOnePoint(4, chatSLO, static, continuous), []string{"81.8 ms", "587 ms", ">static<", "SLO ≤ 500 ms"}},
		{"comparison", madeUp([]any{4}, chatSLO, static), []string{"request rate 4 req/s"}},
	}
	for _, tt := range tests {
		drawn := svg(t, figureOf(t, tt.res, tt.figure))
		for _, want := range tt.want {
			if !bytes.Contains(drawn, []byte(want)) {
				t.Errorf("%s.svg does not say %q", tt.figure, want)
			}
		}
	}
}

func TestNoFigureWithoutSLO(t *testing.T) {
	res := madeUp(rates, results.SLO{}, static)
	for _, p := range res.Series[0].Points {
		delete(p.Metrics, "request_goodput")
		delete(p.Metrics, "slo_attainment")
	}
	var names []string
	for _, f := range Figures(res) {
		names = append(names, f.Name)
	}
	if want := []string{"ttft-p99", "tpot-p99", "output-throughput", "throughput-vs-tpot"}; !slices.Equal(names, want) {
		t.Errorf("figures %q, want %q", names, want)
	}
}

// figureOf is a figure by its name.
func figureOf(t *testing.T, res *results.Results, name string) Figure {
	t.Helper()
	figures := Figures(res)
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no figure %s", name)
	}
	return figures[i]
}

// svg draws a figure on a page.
func svg(t *testing.T, f Figure) []byte {
	t.Helper()
	style, err := Options{}.style()
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := f.Sheet(style).File("svg")
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return drawn
}

// BenchmarkImages draws the default figures of an experiment.
func BenchmarkImages(b *testing.B) {
	res := madeUp(linearRates(12), chatSLO, static, continuous)
	for b.Loop() {
		if _, _, err := Images(res, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLettersWithoutAFont: an SVG keeps names that no font here has, for its viewer's
// fonts; a PNG would lose them, and says instead which curve it is.
func TestLettersWithoutAFont(t *testing.T) {
	res := madeUp(rates, chatSLO, server{"静的", 5.5, 160, 9}, continuous)
	res.Name, res.Title = "rates", "バッチ処理"
	images, warnings, err := Images(res, Options{Formats: []string{"svg", "png"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"rates is バッチ処理", "curve 1 is 静的"}; !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	for _, image := range images {
		if strings.HasSuffix(image.Name, ".svg") && !bytes.Contains(image.Bytes, []byte("静的")) {
			t.Errorf("%s does not name the curve", image.Name)
		}
		if strings.HasSuffix(image.Name, ".txt") && !bytes.Contains(image.Bytes, []byte("curve 1 is 静的")) {
			t.Errorf("%s does not say what is meant", image.Name)
		}
	}
	style, _ := Options{}.style()
	shown, _ := written(res, style.CanWrite)
	for _, f := range Figures(shown) {
		if drawn := svg(t, f); bytes.Contains(drawn, []byte("静")) || !bytes.Contains(drawn, []byte("curve 1")) {
			t.Errorf("%s draws letters without a font", f.Name)
		}
	}
}

// TestLettersOfAFont: with a font that has them, letters that Liberation Sans lacks are
// drawn, and nothing is replaced.
func TestLettersOfAFont(t *testing.T) {
	extra, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	const name = "10⁹ requests" // the exponent is not in Liberation Sans
	res := madeUp(rates, chatSLO, server{name, 5.5, 160, 9}, continuous)
	with, warnings, err := Images(res, Options{Formats: []string{"svg", "png", "pdf"}, Font: extra})
	if err != nil || len(warnings) > 0 {
		t.Fatalf("warnings %q, %v", warnings, err)
	}
	without, warnings, err := Images(res, Options{Formats: []string{"svg", "png", "pdf"}})
	if err != nil || !slices.Equal(warnings, []string{"curve 1 is " + name}) {
		t.Fatalf("without the font: warnings %q, %v", warnings, err)
	}
	for i := range with {
		switch filepath.Ext(with[i].Name) {
		case ".png", ".pdf":
			if bytes.Equal(with[i].Bytes, without[i].Bytes) {
				t.Errorf("%s is the same without the font", with[i].Name)
			}
		case ".svg":
			if !bytes.Contains(with[i].Bytes, []byte("font-family:Go")) || !bytes.Contains(with[i].Bytes, []byte("⁹")) {
				t.Errorf("%s has no letters of the other font", with[i].Name)
			}
		}
	}
}
