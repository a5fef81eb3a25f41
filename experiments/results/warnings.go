package results

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// Kind says what a warning is about, for programs: texts may change.
type Kind string

// The kinds of warnings.
const (
	Estimated         Kind = "estimated"           // numbers rest on class defaults instead of measurements
	EnergyEstimated   Kind = "energy_estimated"    // those of energy do, and no others
	NoPrice           Kind = "no_price"            // an accelerator has none on the basis
	Rejected          Kind = "rejected"            // requests were too long
	QueueFull         Kind = "queue_full"          // requests were rejected because of those that waited
	TimedOut          Kind = "timed_out"           // requests gave up waiting at the router
	Lost              Kind = "lost"                // requests were lost with their replica
	Truncated         Kind = "truncated"           // requests were cut
	Unfinished        Kind = "unfinished"          // requests had not ended when the run did
	FewRequests       Kind = "few_requests"        // too few for a tail percentile
	ShortRun          Kind = "short_run"           // for the mean of a rate that drifts
	PartOfProfile     Kind = "part_of_profile"     // of a rate that changes by design, which has another mean
	ConstantThinkTime Kind = "constant_think_time" // of clients in a closed loop
	TraceReplayed     Kind = "trace_replayed"      // in every replication: what intervals are over
	SteadyShown       Kind = "steady_state"        // what is shown of a closed loop
	Unsettled         Kind = "unsettled"           // a steady state that came late, or not at all
	WholeShown        Kind = "whole_run"           // a closed loop without a steady state
	WithoutPrefixes   Kind = "without_prefixes"    // a built-in workload whose data share them
	Undecided         Kind = "undecided"           // too short to tell whether more is offered than can be served
	Empty             Kind = "empty"               // no request arrived
	Inexact           Kind = "inexact"             // latencies are too short for the clock of so long a run
	SearchEdge        Kind = "search_edge"         // loads beyond some are impossible
	SearchLimited     Kind = "search_limited"      // a search ended with several whole numbers that the answer may be
	Spared            Kind = "spared"              // runs ended before a failure struck
)

// Warning is what a reader of the results must know. Each is said once, with what it
// concerns, however many runs it is of.
type Warning struct {
	Kind  Kind    `json:"kind"`
	Text  string  `json:"text"`
	Where []Where `json:"where,omitempty"` // empty where it concerns everything
}

// Where is a strategy at a point, or at all of them.
type Where struct {
	Strategy string  `json:"strategy"`
	Point    Setting `json:"point,omitempty"` // empty: every point
	Name     string  `json:"name"`            // both in words
}

// mostNamed is up to how many strategies and points a warning's text names.
const mostNamed = 3

// String is the warning in a line of text.
func (w Warning) String() string {
	switch w.Kind {
	case Estimated:
		return "estimated: " + w.Text
	case EnergyEstimated:
		return "energy is estimated: " + w.Text
	case FewRequests:
		return w.Text // concerns the columns of all
	}
	if len(w.Where) == 0 {
		return w.Text
	}
	var names []string
	for _, where := range w.Where {
		names = append(names, where.Name)
	}
	if len(names) > mostNamed {
		names = append(names[:mostNamed-1], fmt.Sprintf("%d more points", len(names)-mostNamed+1))
	}
	return w.Text + ": " + strings.Join(names, "; ")
}

// fewForP99 is the number of completed requests below which a 99th percentile
// is mostly one of the few largest values.
const fewForP99 = 300

// countedKinds are the warnings about requests that can be counted in each run.
var countedKinds = []struct {
	kind  Kind
	count func(*Run) float64 // requests in one run; none means no warning
	text  string
}{
	{Rejected, func(r *Run) float64 { return r.Metrics[metrics.RejectedRequests] - float64(r.QueueFull) },
		"requests were rejected, being longer than the context or the KV cache: more would fit with model.max_model_len, hardware.kv_tokens or" +
			" hardware.gpu_memory_utilization, and workload.too_long = \"truncate\" cuts them"},
	{QueueFull, func(r *Run) float64 { return float64(r.QueueFull) },
		"requests were rejected, finding the queue full (strategy.max_waiting)"},
	{TimedOut, func(r *Run) float64 { return r.Metrics[metrics.TimedOutRequests] },
		"requests gave up waiting at the router (timeout and retries of [fleet.queue])"},
	{Lost, func(r *Run) float64 { return r.Metrics[metrics.LostRequests] },
		"requests were lost with the replica that served them, or its link ([[fleet.failure]])"},
	{Truncated, func(r *Run) float64 { return r.Metrics[metrics.TruncatedRequests] },
		"requests were cut, being longer than the context or the KV cache (workload.too_long)"},
	{Unfinished, func(r *Run) float64 { return r.Metrics[metrics.UnfinishedRequests] },
		"requests had not ended when the run did"},
}

// Rejects tells whether a warning is of requests that were not served: what a reader must
// know before any knee, whose attainment counts them as missed.
func (w *Warning) Rejects() bool {
	return slices.Contains([]Kind{Rejected, QueueFull, TimedOut, Lost}, w.Kind)
}

// warnings are those that were foreseen, and what the runs add: requests that were
// not served, which come first, or did not end, percentiles of few values.
func (p *Plan) warnings(groups []group) []Warning {
	var all []Warning
	for _, c := range countedKinds {
		var where []Where
		most := 0.0
		for i := range groups {
			if n := groups[i].largest(c.count); n > 0 {
				most = max(most, n)
				where = append(where, p.Where(groups[i].strategy, groups[i].point))
			}
		}
		if where != nil {
			all = append(all, Warning{c.kind, fmt.Sprintf("%s, at most %s a run", c.text, units.Shortest(most)), where})
		}
	}
	refusals := slices.IndexFunc(all, func(w Warning) bool { return !w.Rejects() })
	if refusals < 0 {
		refusals = len(all)
	}
	all = slices.Insert(all, refusals, p.Foreseen...)
	return slices.Concat(all, p.emptyWarnings(groups), p.sparedWarnings(groups), p.clockWarnings(groups), p.replayWarnings(groups),
		p.steadyWarnings(groups), p.undecided(groups), p.limitedSearches(), p.edgesOfSearches(), p.fewRequests(groups))
}

// emptyWarnings warn of runs without any request, whose numbers say nothing.
func (p *Plan) emptyWarnings(groups []group) []Warning {
	return p.warnWhere(groups, Empty, "no request arrived in some runs: they ended before the first one (workload.duration, measure.max_time)",
		func(r *Run) bool { return r.Metrics.Offered() == 0 })
}

// sparedWarnings warn of runs that say nothing of a failure.
func (p *Plan) sparedWarnings(groups []group) []Warning {
	return p.warnWhere(groups, Spared, "some runs ended before a failure struck, of which they say nothing (at, mtbf of [[fleet.failure]]; workload.num_requests, duration)",
		func(r *Run) bool { return r.Spared > 0 })
}

// clockWarnings warn of latencies that are not exact to a millionth: two times at the end
// of the run, whose difference they are, are float64 next to each other that are 2^-52 of it
// apart.
func (p *Plan) clockWarnings(groups []group) []Warning {
	return p.warnWhere(groups, Inexact,
		"TTFT or TPOT is below a million ticks of the clock at the end of the run, so that its last digits are rounding",
		func(r *Run) bool {
			least := 1e6 * 0x1p-52 * r.Metrics[metrics.Duration]
			for _, mean := range []string{"mean_ttft_ms", "mean_tpot_ms"} {
				if x := r.Metrics[mean] / 1e3; x > 0 && x < least {
					return true
				}
			}
			return false
		})
}

// warnWhere is a warning of the points with a run of which something is true; none where
// there are none.
func (p *Plan) warnWhere(groups []group, kind Kind, text string, isTrue func(*Run) bool) []Warning {
	var of []int
	for i := range groups {
		if slices.ContainsFunc(groups[i].runs, isTrue) {
			of = append(of, i)
		}
	}
	if len(of) == 0 {
		return nil
	}
	return []Warning{{kind, text, p.whereOf(groups, of)}}
}

// undecided warns of points whose runs are too short to tell whether they are
// saturated. Requests that all come at once have no rate.
func (p *Plan) undecided(groups []group) []Warning {
	var of []int
	for i := range groups {
		g := &groups[i]
		offered := g.largest(func(r *Run) float64 { return r.Metrics[metrics.OfferedRate] }) > 0
		if offered && p.saturated(g) == Unknown {
			of = append(of, i)
		}
	}
	if len(of) == 0 {
		return nil
	}
	return []Warning{
		{
			Undecided,
			"runs are too short to tell whether more is offered than can be served (saturated?); more requests would",
			p.whereOf(groups, of),
		},
	}
}

// fewRequests warns of tail percentiles of few values.
func (p *Plan) fewRequests(groups []group) []Warning {
	var of []int
	for i := range groups {
		g := &groups[i]
		if len(g.runs) > 0 && g.largest(func(r *Run) float64 { return r.Shown()[metrics.CompletedRequests] }) < fewForP99 {
			of = append(of, i)
		}
	}
	if len(of) == 0 {
		return nil
	}
	text := fmt.Sprintf("fewer than %d requests completed in some runs: their p99 rests on the few largest values", fewForP99)
	return []Warning{{FewRequests, text, p.whereOf(groups, of)}}
}

// Where names a strategy at a point of the plan, by its index, for warnings.
func (p *Plan) Where(strategy string, point int) Where {
	name := strategy
	for i, axis := range p.Sweep {
		name += fmt.Sprintf(", %s = %v", axis.Label, p.Points[point].Values[i])
	}
	return Where{strategy, p.SettingAt(point), name}
}
