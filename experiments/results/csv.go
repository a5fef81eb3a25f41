package results

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"kneepoint/sim/metrics"
)

// csvColumn is a column of results.csv.
type csvColumn struct {
	name string
	cell func(*Run) string // empty: no value
}

// WriteCSV writes results.csv: one row a run, with what it ran on, the swept values, the
// objective, and every metric by its key, in the unit of its definition. Columns that no run
// has a value in are left out. What runs have beside their metrics is in runs.ndjson alone.
// Errors are those of w.
func (r *Results) WriteCSV(w io.Writer) error {
	columns := slices.DeleteFunc(r.columns(), func(c csvColumn) bool {
		return len(r.Runs) > 0 && !slices.ContainsFunc(r.Runs, func(run Run) bool { return c.cell(&run) != "" })
	})
	table := csv.NewWriter(w)
	row := make([]string, len(columns))
	for i := range columns {
		row[i] = columns[i].name
	}
	if err := table.Write(row); err != nil {
		return err
	}
	for k := range r.Runs {
		for i := range columns {
			row[i] = columns[i].cell(&r.Runs[k])
		}
		if err := table.Write(row); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// columns are all that results.csv may have.
func (r *Results) columns() []csvColumn {
	columns := []csvColumn{
		{"experiment", func(*Run) string { return r.Name }},
		{"strategy", func(run *Run) string { return run.Strategy }},
		{"model", func(run *Run) string { return r.deployment(run).Model }},
		{"accelerator", func(run *Run) string { return r.deployment(run).Accelerator }},
		metricColumn(metrics.Accelerators),
	}
	for i := range r.Sweep {
		axis := &r.Sweep[i]
		columns = append(columns, csvColumn{axis.Path, func(run *Run) string { return axis.cell(run.Point[axis.Path]) }})
	}
	for _, c := range r.sloColumns() {
		if !slices.ContainsFunc(r.Sweep, func(axis Axis) bool { return axis.Path == c.name }) {
			columns = append(columns, c)
		}
	}
	columns = append(columns, csvColumn{"seed", func(run *Run) string { return strconv.FormatUint(run.Seed, 10) }},
		csvColumn{"replication", func(run *Run) string { return strconv.Itoa(run.Replication) }})
	for _, key := range metrics.Keys() {
		if key != metrics.Accelerators {
			columns = append(columns, metricColumn(key))
		}
	}
	return columns
}

func metricColumn(key string) csvColumn {
	return csvColumn{key, func(run *Run) string { return numberCell(run.Metrics.Get(key)) }}
}

// sloColumns are the objective by the paths of its keys. The share that must meet it has no
// meaning where nothing is bounded.
func (r *Results) sloColumns() []csvColumn {
	bound := func(of func(*SLO) float64) func(*Run) string {
		return func(run *Run) string {
			slo := r.slo(run.point)
			if x := of(&slo); x > 0 {
				return numberCell(x)
			}
			return ""
		}
	}
	return []csvColumn{
		{"slo.ttft_ms", bound(func(s *SLO) float64 { return s.TTFTms })},
		{"slo.tpot_ms", bound(func(s *SLO) float64 { return s.TPOTms })},
		{"slo.e2el_ms", bound(func(s *SLO) float64 { return s.E2ELms })},
		{"slo.itl_p99_ms", bound(func(s *SLO) float64 { return s.ITLp99ms })},
		{"slo.attainment", bound(func(s *SLO) float64 {
			if len(s.Bounds()) == 0 && !r.Facts.Traffic.OwnObjectives {
				return 0
			}
			return s.Attainment
		})},
	}
}

// countCell is a count; 0 is not known.
func countCell(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
