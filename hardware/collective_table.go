package hardware

import (
	"fmt"

	"kneepoint/internal/catalog"
	"kneepoint/units"
)

type collectiveRow struct {
	Accelerator string                `toml:"accelerator"`
	Library     string                `toml:"library"`
	Version     string                `toml:"version"`
	N           int                   `toml:"n"`
	LatencyUS   float64               `toml:"t0_us"`
	Fraction    float64               `toml:"fraction"`
	Larger      []largerCollectiveRow `toml:"larger"`
}

type largerCollectiveRow struct {
	FromKiB   float64 `toml:"from_kib"` // of data
	LatencyUS float64 `toml:"t0_us"`
	Fraction  float64 `toml:"fraction"`
}

func (r *collectiveRow) collective(op Operation) Collective {
	c := Collective{Latency: units.Microseconds(r.LatencyUS), Fraction: r.Fraction}
	for _, l := range r.Larger {
		c.Larger = append(c.Larger, LargerCollective{units.Bytes(l.FromKiB * 1024 * op.Sent(r.N)),
			units.Microseconds(l.LatencyUS), l.Fraction})
	}
	return c
}

// check refuses constants that would beat the link, and ranges that are not in order.
func (r *collectiveRow) check(op Operation) error {
	beats := func(t0, fraction float64) bool { return t0 < 0 || fraction <= 0 || fraction > 1 }
	bad, from := beats(r.LatencyUS, r.Fraction), 0.0
	for _, l := range r.Larger {
		bad = bad || beats(l.LatencyUS, l.Fraction) || l.FromKiB <= from
		from = l.FromKiB
	}
	if bad {
		return fmt.Errorf("%s: %+v would beat the link, or its ranges are not in order", op, *r)
	}
	return nil
}

// collectiveTable is a file of the catalog, of which each has one operation.
type collectiveTable struct {
	Operation Operation       `toml:"operation"`
	Rows      []collectiveRow `toml:"rows"`
}

var collectiveFiles = catalog.NewFolder(catalogFiles, "catalog/collectives/*.toml", func(t *collectiveTable) error {
	for _, r := range t.Rows {
		if err := r.check(t.Operation); err != nil {
			return err
		}
	}
	return nil
})

// collectives are the rows of an operation.
func collectives(op Operation) ([]collectiveRow, error) {
	tables, err := collectiveFiles.With(fmt.Sprintf("operation = %q", op))
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	return tables[0].Rows, nil
}

// LookupCollective returns the constants of an operation over n accelerators
// with a library. It looks on the accelerator itself, then on the one that
// KernelsLike names, then for the library's default; the nearest measured
// number of accelerators not below n serves for others. Unless that exact case
// was measured, estimated tells in words what stands in.
func LookupCollective(op Operation, a *Accelerator, library string, n int) (c Collective, estimated string, err error) {
	rows, err := collectives(op)
	if err != nil {
		return Collective{}, "", err
	}
	for _, accelerator := range []string{a.Name, a.KernelsLike, ""} {
		row, ok := findCollective(rows, accelerator, library, n)
		switch {
		case !ok:
			continue
		case library == IdealLibrary:
			return row.collective(op), "", nil
		case row.Accelerator == "":
			return row.collective(op), fmt.Sprintf("%s of %s (%s): class default", op.Words(), a.Name, library), nil
		case row.Accelerator != a.Name || row.N != n:
			return row.collective(op), fmt.Sprintf("%s over %d of %s (%s): as measured over %d of %s",
				op.Words(), n, a.Name, library, row.N, row.Accelerator), nil
		default:
			return row.collective(op), "", nil
		}
	}
	return Collective{}, "", fmt.Errorf("no %s constants for library %q", op.Words(), library)
}

// findCollective picks the row with the fewest accelerators that is not below
// n, or else the one with the most. A default row (n = 0) serves any number.
func findCollective(rows []collectiveRow, accelerator, library string, n int) (collectiveRow, bool) {
	best, found := collectiveRow{}, false
	for _, r := range rows {
		if r.Accelerator != accelerator || r.Library != library {
			continue
		}
		better := !found || (best.N < n && r.N > best.N) || (r.N >= n && r.N < best.N)
		if better {
			best, found = r, true
		}
	}
	return best, found
}
