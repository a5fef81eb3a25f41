package results

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// WriteCSV writes one row per run, for spreadsheets: the strategy, the swept values,
// seed and replication, and every metric by its key, in the unit of its definition.
// What runs have beside their metrics is in runs.ndjson alone. Errors are those of w.
func (r *Results) WriteCSV(w io.Writer) error {
	table := csv.NewWriter(w)
	header := []string{"strategy"}
	for _, axis := range r.Sweep {
		header = append(header, axis.Path)
	}
	header = append(header, "seed", "replication")
	if err := table.Write(append(header, metrics.Keys()...)); err != nil {
		return err
	}
	for i := range r.Runs {
		if err := table.Write(r.row(&r.Runs[i])); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// row is a run. A cell without a value is empty, since a zero would be averaged.
func (r *Results) row(run *Run) []string {
	row := []string{run.Strategy}
	for _, axis := range r.Sweep {
		row = append(row, fmt.Sprint(run.Point[axis.Path]))
	}
	row = append(row, strconv.FormatUint(run.Seed, 10), strconv.Itoa(run.Replication))
	for _, key := range metrics.Keys() {
		cell := ""
		if x, ok := run.Metrics[key]; ok {
			cell = units.Shortest(x)
		}
		row = append(row, cell)
	}
	return row
}
