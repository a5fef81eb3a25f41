package results

import "kneepoint/sim/metrics"

// Tool is the name that marks results, and folders of them, as kneepoint's.
const Tool = "kneepoint"

// SchemaVersion is the version of the results' format; it grows when a reader
// of the previous one would misread it.
const SchemaVersion = 3

// Results is all that an experiment found out, and the plan that it followed. Aggregate
// makes it, Folder.Write writes it, and Read brings back what it was made of.
type Results struct {
	Tool          string `json:"tool"` // always "kneepoint": marks a folder as ours
	SchemaVersion int    `json:"schema_version"`
	Incomplete    bool   `json:"incomplete,omitempty"` // interrupted: runs are missing
	Plan
	Metrics         map[string]Metric `json:"metrics"`              // by key: how to read the numbers
	Warnings        []Warning         `json:"warnings"`             // foreseen ones first
	Series          []Series          `json:"series"`               // by strategies, in the order of the plan
	Differences     []Difference      `json:"differences"`          // from the first strategy, at every point
	KneeDifferences []KneeDifference  `json:"knee_differences"`     // likewise, of the curves
	Expectations    []Expectation     `json:"expectations"`         // in the order of the file; empty of incomplete results
	Claims          []Claim           `json:"claims"`               // likewise
	Tradeoffs       []Tradeoff        `json:"tradeoffs"`            // of experiments with claims
	Reproduced      []Reproduced      `json:"reproduced,omitempty"` // in the order of the file; empty of incomplete results
	Runs            []Run             `json:"-"`                    // in runs.ndjson
}

// Metric says how to read the numbers of a metric.
type Metric struct {
	Label   string        `json:"label"`  // as people say it, without the unit
	Unit    string        `json:"unit"`   // "" of a pure number
	Higher  metrics.Sense `json:"higher"` // better, worse or neither
	Meaning string        `json:"meaning"`
}

// definitions are all metrics by key, as files have them.
func definitions() map[string]Metric {
	all := make(map[string]Metric, len(metrics.Definitions))
	for _, d := range metrics.Definitions {
		all[d.Key] = Metric{d.Label(), d.Unit, d.Higher(), d.Doc}
	}
	return all
}

// Run is one simulation of one strategy at one point with one replication.
type Run struct {
	Strategy    string  `json:"strategy"`
	Point       Setting `json:"point"` // empty without a sweep
	Seed        uint64  `json:"seed"`
	Replication int     `json:"replication"`
	Key         string  `json:"key"` // equal keys have equal outcomes
	Outcome

	point int // of the plan
}

// Outcome is what one simulation yields. It does not say of which cell: equal
// simulations are done once.
type Outcome struct {
	Metrics metrics.Values `json:"metrics"`          // by key, in the units of metrics.Definitions
	Steady  metrics.Values `json:"steady,omitempty"` // of the measuring window, where there is one, or of the steady state

	// SteadyState is that of a closed loop, found by MSER-5; nil elsewhere, and where a
	// window is measured instead. With it Clients and the latencies of Why are those of the steady state.
	SteadyState *metrics.SteadyState `json:"steady_state,omitempty"`

	// ByScale is the attainment at metrics.Scales; nil without an objective. In a steady state
	// it is that of its requests.
	ByScale []float64 `json:"attainment_by_scale,omitempty"`

	Replay    *Replay      `json:"replay,omitempty"`     // of the replay of a trace
	Why       *metrics.Why `json:"why"`                  // never nil
	Clients   []ClientRun  `json:"clients,omitempty"`    // by class, in the order of the file
	Pools     []PoolRun    `json:"pools,omitempty"`      // where there are several, in the order of the file
	QueueFull int64        `json:"queue_full,omitempty"` // requests, of those rejected, that found the queue full
	Spared    int          `json:"spared,omitempty"`     // failures of pools that did not strike before the run ended
}

// ClientRun is the metrics of one class of requests in a run, a [[workload.client]] of
// the experiment.
type ClientRun struct {
	Name    string         `json:"name"`
	Metrics metrics.Values `json:"metrics"`
}

// PoolRun is the metrics of one pool of replicas in a run, by the pool's name.
type PoolRun struct {
	Name    string         `json:"name"`
	Metrics metrics.Values `json:"metrics"`
}

// Series is one curve: a strategy over the first swept variable, at fixed
// values of the other swept variables.
type Series struct {
	Strategy string  `json:"strategy"`
	Fixed    Setting `json:"fixed,omitempty"` // the other variables' values
	Label    string  `json:"label"`           // strategy, and Fixed when there is any
	Points   []Point `json:"points"`          // in the order of the sweep
	Knee     *Knee   `json:"knee"`            // nil where no load is swept

	// KneeOffered is the rate that the runs offered at the knee, where a rate is swept: with
	// short runs or a rate that drifts the knee is one over this rate, not over the
	// nominal one.
	KneeOffered *float64 `json:"knee_offered,omitempty"`
}

// Point is one point of a curve: the metrics over the replications, by key, in the
// units of metrics.Definitions. A metric without a value in any replication is absent.
type Point struct {
	Value     Value                       `json:"value"` // of the first swept variable; none without a sweep
	Metrics   map[string]metrics.Estimate `json:"metrics"`
	Steady    map[string]metrics.Estimate `json:"steady,omitempty"` // of the measuring window, where there is one
	Clients   []ClientPoint               `json:"clients,omitempty"`
	Pools     []PoolPoint                 `json:"pools,omitempty"`               // where there are several
	ByScale   []ScaledAttainment          `json:"attainment_by_scale,omitempty"` // none without an objective
	Saturated Finding                     `json:"saturated"`                     // in most replications; null: too short to tell
	Why       *metrics.Why                `json:"why"`                           // averaged over the replications

	group *group                    // of the runs that it is over
	of    func(*Run) metrics.Values // that its metrics are of; nil: those of all requests
}

// PoolPoint is the metrics of one pool of replicas over the replications. The pools of all points
// of a curve are the same, in the same order.
type PoolPoint struct {
	Name    string                      `json:"name"`
	Metrics map[string]metrics.Estimate `json:"metrics"`
}

// ClientPoint is the metrics of one class of requests over the replications. The
// classes of all points are the same, in the same order.
type ClientPoint struct {
	Name    string                      `json:"name"`
	Metrics map[string]metrics.Estimate `json:"metrics"`
}
