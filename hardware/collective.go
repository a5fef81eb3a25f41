package hardware

import (
	"fmt"
	"sync"

	"kneepoint/internal/units"
)

// Collective says how fast accelerators combine their parts over a link:
//
//	t = Latency + volume/(Fraction*bandwidth)
//
// where volume is what an accelerator sends: 2(n-1)/n of the data for an
// all-reduce, (n-1)/n for an all-gather.
type Collective struct {
	Latency  units.Seconds
	Fraction float64 // of the link's bandwidth in one direction
}

// Time is the duration for a volume sent per accelerator over the link.
func (c *Collective) Time(volume units.Bytes, link Link) units.Seconds {
	return c.Latency + units.Seconds(float64(volume)/(float64(link.Bandwidth)*c.Fraction))
}

type collectiveRow struct {
	Accelerator string  `toml:"accelerator"`
	Library     string  `toml:"library"`
	Version     string  `toml:"version"`
	N           int     `toml:"n"`
	LatencyUS   float64 `toml:"t0_us"`
	Fraction    float64 `toml:"fraction"`
}

func (r *collectiveRow) collective() Collective {
	return Collective{Latency: units.Microseconds(r.LatencyUS), Fraction: r.Fraction}
}

var allReduces = sync.OnceValues(loadAllReduces)

func loadAllReduces() ([]collectiveRow, error) {
	var table struct {
		Rows []collectiveRow `toml:"rows"`
	}
	if err := decodeFile("catalog/all-reduce.toml", &table); err != nil {
		return nil, err
	}
	for _, r := range table.Rows {
		if r.LatencyUS < 0 || r.Fraction <= 0 || r.Fraction > 1 {
			return nil, fmt.Errorf("all-reduce: %+v would beat the link", r)
		}
	}
	return table.Rows, nil
}

// LookupAllReduce returns the constants of an all-reduce over n accelerators
// with a library. It looks on the accelerator itself, then on the one that
// KernelsLike names, then for the library's default; the nearest measured
// number of accelerators not below n serves for others. Unless that exact case
// was measured, estimated tells in words what stands in.
func LookupAllReduce(a *Accelerator, library string, n int) (c Collective, estimated string, err error) {
	rows, err := allReduces()
	if err != nil {
		return Collective{}, "", err
	}
	for _, place := range []string{a.Name, a.KernelsLike, ""} {
		row, ok := findCollective(rows, place, library, n)
		switch {
		case !ok:
			continue
		case library == "ideal":
			return row.collective(), "", nil
		case row.Accelerator == "":
			return row.collective(), fmt.Sprintf("all-reduce of %s (%s): class default", a.Name, library), nil
		case row.Accelerator != a.Name || row.N != n:
			return row.collective(), fmt.Sprintf("all-reduce over %d of %s (%s): as measured over %d of %s",
				n, a.Name, library, row.N, row.Accelerator), nil
		default:
			return row.collective(), "", nil
		}
	}
	return Collective{}, "", fmt.Errorf("no all-reduce constants for library %q", library)
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
