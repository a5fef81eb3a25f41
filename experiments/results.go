package experiments

import "kneepoint/sim/metrics"

// SchemaVersion is the version of the results' format; it grows when a reader
// of the previous one would misread it.
const SchemaVersion = 1

// Results is all that an experiment found out, and results.json as it stands.
type Results struct {
	Tool          string         `json:"tool"` // always "kneepoint": marks a folder as ours
	SchemaVersion int            `json:"schema_version"`
	Version       string         `json:"version"`
	Incomplete    bool           `json:"incomplete,omitempty"` // interrupted: runs are missing
	Experiment    map[string]any `json:"experiment"`           // fully resolved, defaults included
	Sweep         []Axis         `json:"sweep"`                // empty without a sweep
	SLO           SLO            `json:"slo"`
	Warnings      []string       `json:"warnings"`
	Series        []Series       `json:"series"`
	Differences   []Difference   `json:"differences"`
	Expectations  []Expectation  `json:"expectations"`
	Claims        []Claim        `json:"claims"`
	Tradeoffs     []Tradeoff     `json:"tradeoffs"` // of experiments with claims
	Runs          []Run          `json:"runs"`
}

// Title is the experiment's title.
func (r *Results) Title() string {
	title, _ := r.Experiment["title"].(string)
	return title
}

// Run is one simulation of one strategy at one point with one replication.
type Run struct {
	Strategy    string         `json:"strategy"`
	Point       map[string]any `json:"point"`
	Seed        uint64         `json:"seed"`
	Replication int            `json:"replication"`
	Metrics     metrics.Values `json:"metrics"`
	Steady      metrics.Values `json:"steady,omitempty"`
	Why         *metrics.Why   `json:"why"`
	Clients     []ClientRun    `json:"clients,omitempty"`    // by class, in the order of the file
	QueueFull   int64          `json:"queue_full,omitempty"` // requests, of those rejected, that found the queue full
}

// Series is one curve: a strategy over the first swept variable, at fixed
// values of the other swept variables.
type Series struct {
	Strategy string         `json:"strategy"`
	Fixed    map[string]any `json:"fixed,omitempty"` // the other variables' values
	Label    string         `json:"label"`           // strategy, and Fixed when there is any
	Points   []Point        `json:"points"`          // in the order of the sweep
	Knee     *Knee          `json:"knee"`            // null without a sweep
}

// Point is one place on a curve: the metrics over the replications.
type Point struct {
	Value     any                         `json:"value"` // of the first swept variable; null without a sweep
	Metrics   map[string]metrics.Estimate `json:"metrics"`
	Clients   []ClientPoint               `json:"clients,omitempty"`
	Saturated bool                        `json:"saturated"` // in most replications
	Why       *metrics.Why                `json:"why"`       // averaged over the replications
}

// KneeKind says what is known of a knee.
type KneeKind string

const (
	// KneeInterpolated lies between two swept points: the last one that meets
	// the objective and the first that does not.
	KneeInterpolated KneeKind = "interpolated"
	// KneeBeyond means that every swept point meets the objective: the knee is
	// at the last point or beyond it.
	KneeBeyond KneeKind = "beyond"
	// KneeBelow means that no swept point meets the objective, or without one
	// that all saturate.
	KneeBelow KneeKind = "below"
	// KneePower is Kleinrock's power knee, the swept point of largest
	// throughput / latency, used without an SLO.
	KneePower KneeKind = "power"
)

// Knee is the largest load that still meets the service level objective.
type Knee struct {
	Kind  KneeKind `json:"kind"`
	Value float64  `json:"value"` // of the first swept variable; for KneeBelow the first point
}

// SLO is the service level objective as in the experiment; zero means no bound.
type SLO struct {
	TTFTms     float64 `json:"ttft_ms" toml:"ttft_ms" check:"nonnegative"`
	TPOTms     float64 `json:"tpot_ms" toml:"tpot_ms" check:"nonnegative"`
	E2ELms     float64 `json:"e2el_ms" toml:"e2el_ms" check:"nonnegative"`
	Attainment float64 `json:"attainment" toml:"attainment" check:"share"`
	ITLp99ms   any     `json:"-" toml:"itl_p99_ms" later:"true"`
}

// Difference compares a strategy with the first one at the same point, paired
// by replication: both served the same traffic. Each estimate is that of the
// mean difference.
type Difference struct {
	Strategy string         `json:"strategy"`
	Baseline string         `json:"baseline"`
	Point    map[string]any `json:"point"`

	// Relative is (strategy - baseline) / baseline, Absolute strategy - baseline,
	// by metric.
	Relative map[string]metrics.Estimate `json:"relative"`
	Absolute map[string]metrics.Estimate `json:"absolute"`
}
