package experiments

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/scenario"
	"kneepoint/sim/metrics"
)

// fewForP99 is the number of completed requests below which a 99th percentile
// is mostly one of the few largest values.
const fewForP99 = 300

// EstimatedPrefix begins the warning that names what numbers rest on where that
// is not a measurement.
const EstimatedPrefix = "estimated: "

// EnergyPrefix begins the warning of the same kind that concerns the metrics of
// energy alone.
const EnergyPrefix = "energy is estimated: "

// warningsOf says what numbers rest on.
func warningsOf(rests scenario.Assumptions) []string {
	var all []string
	if len(rests.Times) > 0 {
		all = append(all, EstimatedPrefix+strings.Join(rests.Times, "; "))
	}
	if rests.Energy != "" {
		all = append(all, EnergyPrefix+rests.Energy)
	}
	return all
}

// warnings says what a reader of the results must know: estimated constants,
// requests that were refused or did not end, percentiles of few values. Each is
// said once, with the points that it concerns.
func (e *Experiment) warnings(groups []group) []string {
	var all []string
	for i := range e.cells {
		for _, w := range e.cells[i].warnings {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	for _, kind := range []struct {
		count func(*Run) float64
		text  string
	}{
		{func(r *Run) float64 { return r.Metrics["rejected"] - float64(r.QueueFull) },
			"requests were rejected, being longer than the context or the KV cache (workload.too_long)"},
		{func(r *Run) float64 { return float64(r.QueueFull) }, "requests were rejected, finding the queue full (strategy.max_waiting)"},
		{countOf("truncated"), "requests were cut, being longer than the context or the KV cache (workload.too_long)"},
		{countOf("unfinished"), "requests had not ended when the run did"},
	} {
		all = append(all, e.counted(groups, kind.count, kind.text)...)
	}
	for _, g := range groups {
		if len(g.runs) > 0 && g.largest(countOf("completed")) < fewForP99 {
			return append(all, fmt.Sprintf("fewer than %d requests completed in some runs: their p99 rests on the few largest values", fewForP99))
		}
	}
	return all
}

// countOf is a metric that counts requests.
func countOf(metric string) func(*Run) float64 {
	return func(r *Run) float64 { return r.Metrics[metric] }
}

// counted warns of a number of requests, with the points at which it is not zero.
func (e *Experiment) counted(groups []group, count func(*Run) float64, text string) []string {
	var where []string
	most := 0.0
	for _, g := range groups {
		if n := g.largest(count); n > 0 {
			most = max(most, n)
			where = append(where, e.describe(g))
		}
	}
	if len(where) == 0 {
		return nil
	}
	if len(where) > 3 {
		where = append(where[:2], fmt.Sprintf("%d more points", len(where)-2))
	}
	return []string{fmt.Sprintf("%s, at most %s a run: %s", text, metrics.Format(most), strings.Join(where, "; "))}
}

// largest is the largest number of requests over the runs.
func (g *group) largest(count func(*Run) float64) float64 {
	most := 0.0
	for _, run := range g.runs {
		most = max(most, count(run))
	}
	return most
}

// describe names a group: its strategy, and its point when there is a sweep.
func (e *Experiment) describe(g group) string {
	text := g.strategy
	for i, axis := range e.Axes {
		text += fmt.Sprintf(", %s = %v", axis.Label, g.point[i])
	}
	return text
}
