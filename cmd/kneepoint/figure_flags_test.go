package main

import (
	"encoding/xml"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/plots"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// TestFigureOptions: every size and format that a file may ask for is drawn, in any theme.
func TestFigureOptions(t *testing.T) {
	formats := strings.ReplaceAll(strings.Join(results.PlotEndings, ","), ".", "")
	for _, size := range results.PlotSizes {
		for _, theme := range []string{"light", "dark"} {
			o, err := (&figureFlags{formats: formats, size: size, theme: theme}).options()
			if err != nil {
				t.Fatal(err)
			}
			images, _, err := plots.Images(figureResults(t, "name"), o)
			if err != nil || len(images) != len(results.PlotEndings)+2 {
				t.Errorf("%s, %s: %d files, %v", size, theme, len(images), err)
			}
		}
	}
}

// figureResults are those of an experiment with one figure, with a strategy of a name.
func figureResults(t *testing.T, strategy string) *results.Results {
	t.Helper()
	load := results.Axis{Path: "workload.arrival.rate", Values: []results.Value{results.ValueOf(1), results.ValueOf(2)}}
	plan := &results.Plan{Replications: 1, Strategies: []string{strategy}, Sweep: []results.Axis{load},
		Plots: []results.PlotSpec{{Kind: results.PlotCurve, Metric: "mbu", X: load.Path, By: results.ByStrategy, File: "mbu"}}}
	for _, v := range load.Values {
		plan.Points = append(plan.Points, results.PlannedPoint{Values: []results.Value{v}})
	}
	plan.Cells = plan.AllCells()
	plan.Cells[0].Key, plan.Cells[1].Key = "a", "b"
	return results.Aggregate(plan, func(key string) *results.Outcome {
		return &results.Outcome{Metrics: metrics.Values{"mbu": float64(key[0])}, Why: &metrics.Why{}}
	})
}

// TestDamagedFonts are refused in one line, or figures are drawn with the letters that are
// left.
func TestDamagedFonts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "font.ttf")
	res := figureResults(t, "ₙ⁺")
	refused := 0
	for range effort.Times(t, 60) {
		font := slices.Clone(goregular.TTF)
		if random.IntN(4) == 0 {
			font = font[:random.IntN(len(font))]
		}
		for range random.IntN(40) {
			at := random.IntN(len(font) + 1)
			if random.IntN(2) == 0 {
				at = random.IntN(min(len(font), 600) + 1) // the list of tables
			}
			if at < len(font) {
				font[at] = byte(random.Uint32())
			}
		}
		if err := os.WriteFile(path, font, 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := (&figureFlags{formats: "png,svg,pdf", size: "page", theme: "light", font: path}).options()
		var bad *badinput.Error
		switch {
		case errors.As(err, &bad) && bad.Key == "--font" && !strings.Contains(err.Error(), "\n"):
			refused++
		case err != nil:
			t.Errorf("not one line of wrong input: %v", err)
		default:
			images, _, err := plots.Images(res, o)
			if err != nil || xml.Unmarshal(images[1].Bytes, new(struct{})) != nil {
				t.Errorf("a font that is not refused draws nothing: %v", err)
			}
		}
	}
	t.Logf("%d refused", refused)
}
