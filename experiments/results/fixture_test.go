package results

import (
	"bytes"
	"testing"

	"kneepoint/sim/metrics"
)

// twoByThree is a plan of two strategies at three rates, with two replications,
// an expectation and a claim. All keys differ.
func twoByThree() *Plan {
	rates := axisOf("workload.arrival.rate", 1, 2.0, 1e8)
	rates.Label, rates.Unit = "request rate", "req/s"
	lists := ReplicaLists{FrontEnd: []float64{0, 1 / 3.0}, Waiting: []float64{2, 0}, Running: []float64{1, 1}, KVUtilization: []float64{0.5, 0.25},
		Preemptions: []float64{0, 1}, PromptThroughput: []float64{100, 0}, OutputThroughput: []float64{1e-9, 1e9}, Replicas: []float64{2, 1},
		Starting: []float64{0, 1}}
	p := &Plan{
		Version: "0.1.0", Title: "two by three", Experiment: map[string]any{"title": "two by three", "share": 0.5},
		Seed: 7, Replications: 2, Strategies: []string{"a", "b"}, Sweep: []Axis{rates},
		SLO:      SLO{TTFTms: 100, Attainment: 0.9},
		Clients:  []Client{{"chat", SLO{TTFTms: 50, Attainment: 0.9}}},
		Expected: []Expected{{Metric: "mean_tpot_ms", Strategies: []string{"b", "a"}, At: Place{Word: Highest}, Low: 1, High: 3}},
		Claimed:  []Claimed{{Strategy: "b", Over: "a", Metric: "mean_tpot_ms", Low: 1, High: 2, At: Loads()}},
		Plots: []PlotSpec{
			{Kind: PlotCurve, Metric: "mean_tpot_ms", X: rates.Path, By: ByStrategy,
				Filter: map[string][]Value{ByStrategy: {ValueOf("a"), ValueOf("b")}, rates.Path: {ValueOf(2.0)}},
				Per:    PerAccelerator, Size: ColumnSize, File: "tpot.pdf"},
			{Kind: PlotCDF, Metric: "ttft", By: ByClass, At: Place{Word: AtKnee}, File: "ttft"},
			{Kind: PlotTradeoff, Metric: "mbu", X: "mfu", By: rates.Path, At: Place{Value: ValueOf(1)}, File: "v1.5"},
		},
		Foreseen: []Warning{{Kind: Estimated, Text: "kernels"}},
		Drawn: []DrawnTraffic{{Point: Setting{rates.Path: ValueOf(1)}, Bucket: 0.5, Arrivals: []float64{2, 3},
			Classes: []DrawnClass{NewDrawnClass("chat", []float64{7, 9, 1}, []float64{1, 2, 3}), NewDrawnClass("", []float64{8}, []float64{2})}}},
		Timelines: []Timeline{{Strategy: "b", Point: Setting{rates.Path: ValueOf(1)}, From: 1.5, Bucket: 0.25, Window: WindowRun,
			Arrivals: []float64{1, 0}, Met: []float64{1, 0}, Router: []float64{0, 0.5}, ReplicaLists: lists, Pools: []TimelinePool{{"prefill", lists}}}},
	}
	for _, v := range rates.Values {
		p.Points = append(p.Points, PlannedPoint{Values: []Value{v}, Clients: []Client{{"chat", SLO{TPOTms: 5}}}})
	}
	p.Cells = p.AllCells()
	for i := range p.Cells {
		p.Cells[i].Key = string(rune('A' + i))
	}
	return p
}

// outcomesOf are made-up outcomes of all cells.
func outcomesOf(p *Plan) map[string]*Outcome {
	all := map[string]*Outcome{}
	for i, cell := range p.Cells {
		x := float64(i) + 1/3.0
		values := metrics.Values{"completed": 100 + x, "rejected": float64(i % 2), "mean_tpot_ms": x, "mean_e2el_ms": 10 * x,
			"request_throughput": 3 * x, "output_throughput": 7 * x, "slo_attainment": 1 - x/12, "saturated": float64(i / 8)}
		parts := metrics.Parts{metrics.Queue: 1e-3, metrics.Decode: 1e-3 / 3}
		all[cell.Key] = &Outcome{Metrics: values, Why: &metrics.Why{Bottleneck: metrics.ByLoad,
			TTFT: metrics.Split{"mean": parts}, E2EL: metrics.Split{"mean": parts}},
			Clients: []ClientRun{{"chat", values}}, Pools: []PoolRun{{"prefill", values}, {"decode", values}}, QueueFull: int64(i % 3),
			ByScale: []float64{0, x / 12, 1}}
	}
	return all
}

// written is the files that results are written to, one after the other.
func written(t *testing.T, r *Results) string {
	t.Helper()
	var b bytes.Buffer
	for _, write := range []func() error{
		func() error { return r.WriteJSON(&b) }, func() error { return r.WriteRuns(&b) }, func() error { return r.WriteCSV(&b) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// folderOf is a folder with the results.
func folderOf(t *testing.T, r *Results) string {
	t.Helper()
	dir := t.TempDir() + "/out"
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(r); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	return dir
}
