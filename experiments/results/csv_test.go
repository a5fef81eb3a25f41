package results

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/sim/metrics"
)

// TestCSVAreTheRuns: results.csv has every run with each of its metrics and no other, and no
// column that is empty in all of them.
func TestCSVAreTheRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		res := randomResults(t)
		header, rows := rowsOf(t, func(b *bytes.Buffer) error { return res.WriteCSV(b) })
		if len(rows) != len(res.Runs) {
			t.Fatalf("%d rows of %d runs", len(rows), len(res.Runs))
		}
		for _, name := range header {
			if len(rows) > 0 && !slices.ContainsFunc(rows, func(r row) bool { return r[name] != "" }) {
				t.Fatalf("column %s is empty", name)
			}
		}
		for i, r := range rows {
			run := &res.Runs[i]
			if r["experiment"] != res.Name || r["strategy"] != run.Strategy || r["replication"] != fmt.Sprint(run.Replication) {
				t.Fatalf("row %v is not of %+v", r, run)
			}
			for _, axis := range res.Sweep {
				if r[axis.Path] != axis.cell(run.Point[axis.Path]) {
					t.Fatalf("row %v is not at %v", r, run.Point)
				}
			}
			for _, key := range metrics.Keys() {
				want, there := run.Metrics[key]
				if got, err := strconv.ParseFloat(r[key], 64); there != (r[key] != "") || there && (err != nil || got != want) {
					t.Fatalf("%s is %q, want %v (%v)", key, r[key], want, there)
				}
			}
		}
	})
}

// TestCSVSettings: a run has the deployment of its strategy at its point, and the objective
// there; a swept bound has one column.
func TestCSVSettings(t *testing.T) {
	sweep := []Axis{axisOf("hardware.tp", 1, 4), axisOf("slo.ttft_ms", 100, 200)}
	p := &Plan{Name: "n", Strategies: []string{"a", "b"}, Replications: 1, Sweep: sweep, Points: productOf(sweep),
		SLO: SLO{TTFTms: 100, TPOTms: 50, Attainment: 0.9}, Facts: Facts{Strategies: deploymentsOf(1)}}
	for i := range p.Points {
		if p.Points[i].Values[0].Same(ValueOf(4)) {
			p.Points[i].Deployments = deploymentsOf(4)
		}
		p.Points[i].SLO = &SLO{TTFTms: 100 * float64(1+i/2), TPOTms: 50, Attainment: 0.9}
	}
	p.Cells = p.AllCells()
	for i := range p.Cells {
		p.Cells[i].Key = string(rune('A' + i))
	}
	outcomes := outcomesOf(p)
	for i := range p.Cells {
		outcomes[p.Cells[i].Key].Metrics.Set(metrics.Accelerators, float64(10+i))
	}
	res := Aggregate(p, ByKey(outcomes))
	_, rows := rowsOf(t, func(b *bytes.Buffer) error { return res.WriteCSV(b) })
	var got []string
	for _, r := range rows {
		_, bounded := r["slo.e2el_ms"]
		got = append(got, fmt.Sprint(r["strategy"], r["model"], r["accelerator"], r["accelerators"], " ",
			r["slo.ttft_ms"], r["slo.tpot_ms"], r["slo.attainment"], bounded))
	}
	want := []string{"amh10 100500.9false", "bm11 100500.9false", "amh12 100500.9false", "bm13 100500.9false",
		"amh14 200500.9false", "bm15 200500.9false", "amh16 200500.9false", "bm17 200500.9false"}
	if !slices.Equal(got, want) {
		t.Errorf("rows are %q, want %q", got, want)
	}
}

// deploymentsOf are those of two strategies, of which the second has two replicas of what has no
// name.
func deploymentsOf(tp int) []Deployment {
	return []Deployment{{Model: "m", Accelerator: "h", TP: tp, PP: 1, DP: 1, EP: tp, Replicas: 1},
		{Model: "m", TP: tp, PP: 1, DP: 1, EP: 1, Replicas: 2}}
}
