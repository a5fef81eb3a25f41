package compare

import (
	"math"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// SchemaVersion is the version of a comparison's JSON; it grows when a reader of the previous one would
// misread it.
const SchemaVersion = 1

// Comparison is how B differs from A.
type Comparison struct {
	SchemaVersion int    `json:"schema_version"`
	A             string `json:"a"` // as people call it: a folder, or a strategy of one
	B             string `json:"b"`

	// Paired tells that both served the same requests, replication by replication; Unpaired says why not.
	Paired   bool   `json:"paired"`
	Unpaired string `json:"unpaired,omitempty"`

	Differs []Key    `json:"differs,omitempty"` // keys of the experiments that are not the same
	OnlyA   []string `json:"only_a,omitempty"`  // points, or candidates of plans, that B lacks
	OnlyB   []string `json:"only_b,omitempty"`

	// Interrupted names the sides, "A" and "B", that are not whole: runs, or candidates, are missing.
	Interrupted []string `json:"interrupted,omitempty"`

	Rows []Row `json:"rows"`
}

// interrupted names the sides that were.
func interrupted(a, b bool) []string {
	var sides []string
	if a {
		sides = append(sides, "A")
	}
	if b {
		sides = append(sides, "B")
	}
	return sides
}

// Row is one metric at one point.
type Row struct {
	Metric string        `json:"metric"`
	Label  string        `json:"label"` // as people say it
	Unit   string        `json:"unit"`
	Higher metrics.Sense `json:"higher"` // whether more of it is better

	Strategy string          `json:"strategy"`        // or candidate of a plan
	Point    results.Setting `json:"point,omitempty"` // values of the swept variables

	A          metrics.Estimate `json:"a"`
	B          metrics.Estimate `json:"b"`
	Difference metrics.Estimate `json:"difference"` // B - A
	Ratio      Interval         `json:"ratio"`      // B / A

	// Differing is how many of the paired replications differ; absent where none are paired.
	Differing *int `json:"differing,omitempty"`

	Chance    *float64 `json:"chance"` // of such a difference where nothing differs, adjusted for the number of rows; null: not known
	Verdict   Verdict  `json:"verdict"`
	Tolerance *float64 `json:"tolerance,omitempty"` // share of A by which B may be worse; absent: any
	Beyond    bool     `json:"beyond"`              // worse by more than that

	evidence evidence
}

// Options say what is compared.
type Options struct {
	Metrics   []string           // keys; empty: the usual ones that both sides have
	Tolerance map[string]float64 // by key: share of A by which B may be worse
}

// newRow is a row of the evidence there is; without any it has the values alone.
func newRow(metric string, a, b metrics.Estimate, e evidence) Row {
	row := Row{Metric: metric, A: a, B: b, evidence: e, Difference: metrics.Estimate{Mean: math.NaN(), Half: math.NaN()},
		Ratio: Interval{math.NaN(), math.NaN(), math.NaN()}}
	if d, known := metrics.Lookup(metric); known {
		row.Label, row.Unit, row.Higher = d.Label(), d.Unit, d.Higher()
	}
	if e != nil {
		row.Difference, row.Ratio = e.difference(), e.ratio()
	}
	return row
}

// Rare tells whether most of the paired replications do not differ at all. Student's law, which the interval rests on, is that of
// differences that all have: of a rare one a few replications say little, and the interval is too narrow.
func (r *Row) Rare() bool {
	return r.Differing != nil && *r.Differing > 0 && 2**r.Differing < r.Difference.N
}

// Unseen is the greatest share of replications that may differ where the paired ones of a row all do not: that of which as many
// would show none in one of twenty comparisons, 1 - 0.05^(1/n). 0 where they are not all equal, or not paired.
func (r *Row) Unseen() float64 {
	if r.Differing == nil || *r.Differing > 0 {
		return 0
	}
	return 1 - math.Pow(wrongly, 1/float64(r.Difference.N))
}

// Count is how many rows have a verdict.
func (c *Comparison) Count(v Verdict) int {
	n := 0
	for i := range c.Rows {
		if c.Rows[i].Verdict == v {
			n++
		}
	}
	return n
}

// Beyond are the rows that are worse than is tolerated.
func (c *Comparison) Beyond() []*Row {
	var rows []*Row
	for i := range c.Rows {
		if c.Rows[i].Beyond {
			rows = append(rows, &c.Rows[i])
		}
	}
	return rows
}
