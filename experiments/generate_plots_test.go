package experiments_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/units/badinput"
)

// plots are [[plot]] tables of different kinds.
func (d *drawer) plots(tree table) []table {
	var all []table
	for i, kind := range d.plotKinds(tree) {
		if d.bool() {
			all = append(all, d.plot(kind, tree))
			d.optional(all[len(all)-1], "file", func() any { return fmt.Sprint("p", i, d.word("a .svg .png .pdf -1.5")) })
		}
	}
	return all
}

// axes are the swept paths, in the order in which they are written.
func (d *drawer) axes(tree table) (paths []string, zipped bool) {
	sweep, _ := tree["sweep"].(table)
	paths = slices.Sorted(maps.Keys(sweep))
	zipped = slices.Contains(paths, "mode")
	return slices.DeleteFunc(paths, func(path string) bool { return path == "mode" }), zipped
}

// plotKinds are the kinds of figures that the experiment has the runs for.
func (d *drawer) plotKinds(tree table) []string {
	axes, zipped := d.axes(tree)
	has := map[string]bool{
		results.PlotHeatmap:   len(axes) == 2 && !zipped,
		results.PlotTradeoff:  len(axes) > 0 || len(d.names) > 1,
		results.PlotCapacity:  len(axes) == 1 && axes[0] == "workload.arrival.rate",
		results.PlotFactors:   len(d.names) > 1,
		results.PlotPublished: tree["expect"] != nil,
		results.PlotOverlay:   tree["curve"] != nil,
		results.PlotSLOScale:  d.hasBound(tree) && !boundsGaps(tree),
	}
	for _, kind := range []string{results.PlotCurve, results.PlotPercentiles, results.PlotWhereTimeGoes, results.PlotUtilization} {
		has[kind] = len(axes) > 0
	}
	for _, kind := range []string{results.PlotCDF, results.PlotTimeline, results.PlotLatencyParts, results.PlotTraffic} {
		has[kind] = true
	}
	return slices.DeleteFunc(slices.Clone(results.PlotKinds), func(kind string) bool { return !has[kind] })
}

// hasBound tells whether [slo] has one.
func (d *drawer) hasBound(tree table) bool {
	slo, _ := tree["slo"].(table)
	return slo["ttft_ms"] != nil || slo["tpot_ms"] != nil || slo["e2el_ms"] != nil
}

// boundsGaps tells whether [slo], or a client, bounds gaps between tokens.
func boundsGaps(tree table) bool {
	bounds := func(of table) bool {
		slo, _ := of["slo"].(table)
		return slo["itl_p99_ms"] != nil
	}
	classes, _ := tree["workload"].(table)["client"].([]table)
	return bounds(tree) || slices.ContainsFunc(classes, bounds)
}

// plot is one [[plot]] table.
func (d *drawer) plot(kind string, tree table) table {
	p := table{"kind": kind}
	axes, zipped := d.axes(tree)
	reads := func(key string) bool { return slices.Contains((&experiments.PlotSpec{}).Words(key), kind) }
	if reads("metric") {
		p["metric"] = d.plotMetric(kind, tree)
	}
	free := slices.Clone(axes) // variables that neither axis shows
	take := func(i int) string {
		path := free[i]
		free = slices.Delete(free, i, i+1)
		return path
	}
	switch {
	case kind == results.PlotTradeoff:
		p["x"] = d.word("mean_e2el_ms mfu")
	case reads("x") && d.bool():
		p["x"] = take(d.below(len(free)))
	case reads("x"):
		take(0)
	}
	d.plotCurves(p, free, zipped)
	if reads("at") && len(axes) > 0 {
		d.optional(p, "at", func() any { return d.one("lowest", "highest", "saturation", tree["sweep"].(table)[axes[0]].([]any)[1]) })
	}
	if reads("filter") && kind != results.PlotFactors && (kind != results.PlotTradeoff || len(axes) > 0) {
		d.optional(p, "filter", func() any { return table{"strategy": d.one(d.names[0], []any{d.names[0]})} })
	}
	if m, _ := p["metric"].(string); reads("per") && m == "output_throughput" {
		d.optional(p, "per", func() any { return "accelerator" })
	}
	if kind == results.PlotTimeline {
		d.optional(p, "window", func() any { return d.word("arrivals run") })
	}
	d.optional(p, "size", func() any { return d.word("slide page column") })
	return p
}

// plotMetric is a metric that a kind of figure has.
func (d *drawer) plotMetric(kind string, tree table) string {
	switch kind {
	case results.PlotCDF, results.PlotPercentiles:
		return d.word("ttft tpot itl e2el")
	case results.PlotLatencyParts:
		return d.word("ttft e2el")
	}
	if d.hasBound(tree) && d.odds(4) {
		return d.word("slo_attainment request_goodput")
	}
	return d.word("mean_ttft_ms output_throughput output_throughput mbu")
}

// plotCurves says what tells curves apart, among it what no axis shows.
func (d *drawer) plotCurves(p table, free []string, zipped bool) {
	kind := p["kind"].(string)
	if kind == results.PlotHeatmap || !slices.Contains((&experiments.PlotSpec{}).Words("by"), kind) {
		return
	}
	by := []any{"strategy"}
	perClass := p["metric"] != "mbu" && p["metric"] != "itl" && p["x"] != "mfu" && kind != results.PlotSLOScale
	if len(d.clients) > 0 && perClass {
		by = append(by, "class")
	}
	if len(free) > 0 && !zipped {
		by = append(by, free[0])
	}
	d.optional(p, "by", func() any { return d.one(by...) })
}

// TestGeneratedPlots draws figures that random experiments have the runs for: they are
// accepted, and named. With one thing wrong in one of them they are refused in one line
// that says in which.
func TestGeneratedPlots(t *testing.T) {
	dir := t.TempDir()
	writeTraces(t, dir)
	effort.Check(t, 4, func(t *rapid.T) {
		tree, d := drawTree(t, dir)
		plots := d.plots(tree)
		if len(plots) == 0 {
			t.Skip("no figure")
		}
		tree["plot"] = plots
		e, err := checkTree(t, tree)
		if err != nil {
			t.Fatalf("%v\n%v", err, plots)
		}
		for i, p := range e.Spec.Plots {
			if p.File == "" || plots[i]["file"] != nil && plots[i]["file"] != p.File {
				t.Errorf("figure %d of %v is called %q", i, plots, p.File)
			}
		}
		tree["plot"] = d.spoil(plots)
		var bad *badinput.Error
		if _, err := checkTree(t, tree); !errors.As(err, &bad) || !strings.HasPrefix(bad.Key, "plot[") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v is not refused: %v", tree["plot"], err)
		}
	})
}

// spoil makes one thing wrong in one of the figures.
func (d *drawer) spoil(plots []table) []table {
	i := d.below(len(plots))
	p := maps.Clone(plots[i])
	wrongs := []func(){
		func() { p["kind"] = misspelt(p["kind"].(string)) },
		func() { p["metrics"] = "mbu" },
		func() { p["metric"] = "ttft_p99" },
		func() { p["x"] = "workload.arrival.rat" },
		func() { p["by"] = "strategies" },
		func() { p["at"] = table{"workload.arrival.rate": 1} },
		func() { p["at"] = -1 },
		func() { p["per"] = "gpu" },
		func() { p["filter"] = table{"strategy": "nobody"} },
		func() { p["filter"] = table{"hardware.tp": 1} },
		func() { p["filter"] = table{"strategy": []any{}} },
		func() { p["filter"] = 3 },
		func() { p["size"] = "huge" },
		func() { p["file"] = d.word("a/b ../a results.svg a.eps .a ä " + strings.Repeat("a", 101)) },
		func() { delete(p, "kind") },
		func() { p["file"] = "another"; plots = append(plots, plots[i]) },
		func() {
			p["file"] = "P1.svg"
			plots = append(plots, table{"kind": "tradeoff", "metric": "steps", "x": "mbu", "file": "p1.png"})
		},
	}
	wrongs[d.below(len(wrongs))]()
	spoilt := slices.Clone(plots)
	spoilt[i] = p
	return spoilt
}

// misspelt is a word with its first two letters swapped.
func misspelt(word string) string { return word[1:2] + word[:1] + word[2:] }

// checkTree writes a file and checks it.
func checkTree(t *rapid.T, tree table) (*experiments.Experiment, error) {
	var text strings.Builder
	if err := toml.NewEncoder(&text).Encode(tree); err != nil {
		t.Fatal(err)
	}
	file, err := experiments.Parse("drawn.toml", text.String())
	if err != nil {
		t.Fatal(err)
	}
	return file.Check()
}
