package hardware

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"kneepoint/internal/catalog"
	"kneepoint/units"
)

// efficiencyRow is one fit, or the class default of all accelerators where Accelerator is empty.
type efficiencyRow struct {
	Accelerator string  `toml:"accelerator"`
	Backend     string  `toml:"backend"`
	Version     string  `toml:"version"`
	Format      string  `toml:"format"`
	LatencyUS   float64 `toml:"t0_us"`
	Compute     float64 `toml:"ec"`
	Memory      float64 `toml:"em"`
	Norm        float64 `toml:"q"`
	Quantize    float64 `toml:"quant_c"`
	Fill        float64 `toml:"fill"`
	Mixed       float64 `toml:"mixed"`
	From        string  `toml:"from"` // what the constants come from; empty: kernels
}

type efficiencyTable struct {
	Operator Operator        `toml:"operator"`
	Rows     []efficiencyRow `toml:"rows"`
}

var efficiencyFiles = catalog.NewFolder(catalogFiles, "catalog/efficiency/*.toml", func(t *efficiencyTable) error {
	for _, r := range t.Rows {
		if !r.physical() {
			return fmt.Errorf("efficiency of %s: %+v would beat the hardware's peaks", t.Operator, r)
		}
	}
	return nil
})

// efficiencies are the rows of an operator.
func efficiencies(op Operator) ([]efficiencyRow, error) {
	tables, err := efficiencyFiles.With(fmt.Sprintf("operator = %q", op))
	if err != nil {
		return nil, err
	}
	var rows []efficiencyRow
	for _, t := range tables {
		rows = append(rows, t.Rows...)
	}
	return rows, nil
}

// physical reports whether no kernel with these constants is faster than the
// hardware's peaks allow.
func (r *efficiencyRow) physical() bool {
	return r.LatencyUS >= 0 && r.Quantize >= 0 && r.Fill >= 0 && r.Mixed >= 0 && r.Norm >= 1 &&
		0 < r.Compute && r.Compute <= 1 && 0 < r.Memory && r.Memory <= 1
}

func (r *efficiencyRow) efficiency() Efficiency {
	return Efficiency{Latency: units.Microseconds(r.LatencyUS), Compute: r.Compute, Memory: r.Memory,
		Norm: r.Norm, Quantize: r.Quantize, Fill: r.Fill, Mixed: r.Mixed}
}

// LookupEfficiency returns the constants of an operator's kernels in a format
// (a compute type, the type of keys and values, or weight-only quantization) as
// a backend writes them. It looks for measurements on the accelerator itself,
// then on the one that its KernelsLike names, then on any of the same
// architecture, then for the default of its vendor's accelerators, which run the
// same libraries, then for that of all; at each stop for the backend, then vllm,
// then any backend. Unless the accelerator itself was
// measured, estimated tells in words what stands in; elementwise kernels have
// one set of constants for all, and the ideal backend rests on nothing. Balanced experts of which
// nothing was measured have the constants of others, and estimated says so.
func LookupEfficiency(op Operator, a *Accelerator, backend, format string) (e Efficiency, estimated string, err error) {
	rows, err := efficiencies(op)
	if err != nil {
		return Efficiency{}, "", err
	}
	for name := range owners(a) {
		if row, ok := findRow(rows, name, backend, format); ok {
			estimated := row.standsIn(op, a)
			if share, differs := row.carried(op, rows, a); differs {
				row.Memory, estimated = share, estimated+byMultiprocessor
			}
			return row.efficiency(), estimated, nil
		}
	}
	if op == BalancedGEMM {
		e, estimated, err = LookupEfficiency(GroupedGEMM, a, backend, format)
		return e, cmp.Or(estimated, fmt.Sprintf("balanced experts (%s) on %s: kernels with the loads of trained routers", format, a.Name)), err
	}
	return defaultEfficiency(op, rows, a, backend, format)
}

// defaultEfficiency is that of an accelerator of which, and of whose relatives, nothing was measured.
func defaultEfficiency(op Operator, rows []efficiencyRow, a *Accelerator, backend, format string) (Efficiency, string, error) {
	row, found := findRow(rows, "", backend, format)
	if !found {
		return Efficiency{}, "", fmt.Errorf("no efficiency constants for %s in %s", op, format)
	}
	estimated := row.standsIn(op, a)
	if row.Backend == IdealLibrary {
		return row.efficiency(), estimated, nil
	}
	if class, ok := classOf(rows, a, format); ok {
		row, estimated = class, fmt.Sprintf("kernels of %s: class default of %s", a.Name, a.Vendor)
		if exposed := exposure(rows, a.Vendor, a.HeldOut); exposed > 0 && a.copiesInBulk(op, format) {
			row.Memory, estimated = bulkShare(a, exposed, 1, 0), estimated+byMultiprocessor
		}
	}
	most, err := mostSustained(a)
	if err != nil {
		return Efficiency{}, "", err
	}
	row.Compute = min(row.Compute, most, mostUnpacked(rows, a.Vendor, format)/float64(a.widePeak()))
	return row.efficiency(), estimated, nil
}

// owners are the accelerators whose measured constants serve one, the best first.
func owners(a *Accelerator) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(a.Name) || a.KernelsLike != "" && !yield(a.KernelsLike) {
			return
		}
		for _, name := range sameArchitecture(a) {
			if !yield(name) {
				return
			}
		}
	}
}

// standsIn tells what a row stands in for when it is used on an accelerator;
// nothing when that is what was measured.
func (r *efficiencyRow) standsIn(op Operator, a *Accelerator) string {
	switch {
	case r.From != "":
		return fmt.Sprintf("%s kernels (%s) of %s: from %s", op, r.Format, r.Accelerator, r.From)
	case r.Accelerator == a.Name || r.Backend == IdealLibrary || op == Elementwise:
		return ""
	case r.Accelerator == "":
		return fmt.Sprintf("kernels of %s: class default", a.Name)
	case r.Accelerator == a.KernelsLike:
		return fmt.Sprintf("kernels of %s: as measured on %s", a.Name, r.Accelerator)
	default:
		return fmt.Sprintf("%s kernels (%s) of %s: as measured on %s", op, r.Format, a.Name, r.Accelerator)
	}
}

// findRow picks the row of an accelerator, or that of all if it has no name, by format and then by backend, vllm, any backend.
func findRow(rows []efficiencyRow, accelerator, backend, format string) (efficiencyRow, bool) {
	best, rank := -1, 0
	for i, r := range rows {
		if r.Accelerator != accelerator || r.Format != format {
			continue
		}
		if got := backendRank(r.Backend, backend); got > rank {
			best, rank = i, got
		}
	}
	if best < 0 {
		return efficiencyRow{}, false
	}
	return rows[best], true
}

// backendRank orders a row's backend by how well it serves the wanted one. The
// rows of "ideal" serve only who asks for them.
func backendRank(have, wanted string) int {
	switch {
	case have == wanted:
		return 3
	case have == "ideal" || wanted == "ideal":
		return 0
	case have == "vllm":
		return 2
	default:
		return 1
	}
}

func sameArchitecture(a *Accelerator) []string {
	files, err := acceleratorFiles.With(fmt.Sprintf("architecture = %q", a.Architecture))
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range files {
		for _, b := range f.Accelerator {
			if b.Architecture == a.Architecture && b.Name != a.Name {
				names = append(names, b.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}
