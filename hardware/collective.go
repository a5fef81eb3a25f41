package hardware

import (
	"fmt"
	"strings"
	"sync"

	"kneepoint/internal/catalog"
	"kneepoint/units"
)

// Collective says how fast accelerators combine their parts over a link:
//
//	t = Latency + volume/(Fraction*bandwidth)
//
// where volume is what an accelerator sends: 2(n-1)/n of the data for an
// all-reduce, (n-1)/n for the others.
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

// Operation is a kind of collective with constants of its own.
type Operation string

// The operations of the collective tables.
const (
	AllReduce     Operation = "all_reduce"
	AllGather     Operation = "all_gather"
	ReduceScatter Operation = "reduce_scatter"
	AllToAll      Operation = "all_to_all"
)

// Libraries that have constants for every operation.
const (
	NCCL         = "nccl"
	IdealLibrary = "ideal" // no latency, the link's full bandwidth
)

var collectives = sync.OnceValues(loadCollectives)

func loadCollectives() (map[Operation][]collectiveRow, error) {
	tables, err := catalog.DecodeFolder[struct {
		Operation Operation       `toml:"operation"`
		Rows      []collectiveRow `toml:"rows"`
	}](catalogFiles, "catalog/collectives")
	if err != nil {
		return nil, err
	}
	byOperation := map[Operation][]collectiveRow{}
	for _, t := range tables {
		for _, r := range t.Rows {
			if r.LatencyUS < 0 || r.Fraction <= 0 || r.Fraction > 1 {
				return nil, fmt.Errorf("%s: %+v would beat the link", t.Operation, r)
			}
		}
		byOperation[t.Operation] = t.Rows
	}
	return byOperation, nil
}

// LookupCollective returns the constants of an operation over n accelerators
// with a library. It looks on the accelerator itself, then on the one that
// KernelsLike names, then for the library's default; the nearest measured
// number of accelerators not below n serves for others. Unless that exact case
// was measured, estimated tells in words what stands in.
func LookupCollective(op Operation, a *Accelerator, library string, n int) (c Collective, estimated string, err error) {
	rows, err := collectives()
	if err != nil {
		return Collective{}, "", err
	}
	for _, accelerator := range []string{a.Name, a.KernelsLike, ""} {
		row, ok := findCollective(rows[op], accelerator, library, n)
		switch {
		case !ok:
			continue
		case library == IdealLibrary:
			return row.collective(), "", nil
		case row.Accelerator == "":
			return row.collective(), fmt.Sprintf("%s of %s (%s): class default", op.Words(), a.Name, library), nil
		case row.Accelerator != a.Name || row.N != n:
			return row.collective(), fmt.Sprintf("%s over %d of %s (%s): as measured over %d of %s",
				op.Words(), n, a.Name, library, row.N, row.Accelerator), nil
		default:
			return row.collective(), "", nil
		}
	}
	return Collective{}, "", fmt.Errorf("no %s constants for library %q", op.Words(), library)
}

// Collective returns the constants of a library between servers, the same for
// every operation: the network's own, or those of NCCL with RDMA, which are class
// defaults; the ideal library has none.
func (n *Network) Collective(library string) (c Collective, estimated bool, err error) {
	if library == IdealLibrary {
		return Collective{Fraction: 1}, false, nil
	}
	var class struct {
		LatencyUS float64 `toml:"t0_us"`
		Fraction  float64 `toml:"fraction"`
		Source    string  `toml:"source"`
	}
	if err := catalog.Decode(catalogFiles, "catalog/network.toml", &class); err != nil {
		return Collective{}, false, err
	}
	c = Collective{Latency: n.Latency, Fraction: n.Fraction}
	if c.Latency == 0 {
		c.Latency = units.Microseconds(class.LatencyUS)
	}
	if c.Fraction == 0 {
		c.Fraction = class.Fraction
	}
	return c, n.Latency == 0 || n.Fraction == 0, nil
}

// Words is the operation's name in a sentence.
func (op Operation) Words() string { return strings.ReplaceAll(string(op), "_", "-") }

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
