package main

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// estimatedText names the constants that numbers rest on and nobody measured; "" where all are.
func estimatedText(res *results.Results) string {
	var reasons []string
	for _, w := range res.Warnings {
		if w.Kind == results.Estimated {
			reasons = append(reasons, w.Text)
		}
	}
	if reasons == nil {
		return ""
	}
	return "estimated: " + strings.Join(reasons, "; ")
}

// pricesText says which prices the costs of output rest on; "" where there are none.
func pricesText(res *results.Results) string {
	if res.Prices == nil || !hasMetric(res, metrics.CostPerMillionTokens) {
		return ""
	}
	return res.Prices.Text()
}

// noteTexts are warnings in a few words, before the points that they are of. Whole they are in
// the tables.
var noteTexts = map[results.Kind]string{
	results.NoPrice:           "an accelerator without a price",
	results.Rejected:          "requests rejected as too long",
	results.QueueFull:         "requests rejected by a full queue",
	results.TimedOut:          "requests timed out",
	results.Lost:              "requests lost with their replica",
	results.Truncated:         "requests cut",
	results.Unfinished:        "requests not ended",
	results.FewRequests:       "p99 of fewer than 300 requests",
	results.ShortRun:          "rates that drift more slowly than runs last",
	results.ConstantThinkTime: "clients in step, whose think time is constant",
	results.TraceReplayed:     "one trace in every replication",
	results.SteadyShown:       "closed loop: its steady state is shown",
	results.Unsettled:         "warm-up not over in time",
	results.WholeShown:        "closed loop: its start is shown too",
	results.WithoutPrefixes:   "no prefixes, which the data share",
	results.PartOfProfile:     "runs have a part of the stages or hours",
	results.Undecided:         "saturated? (runs too short)",
	results.Empty:             "no request arrived",
	results.SearchLimited:     "whole numbers that were not told apart (search.max_requests)",
	results.Spared:            "runs that ended before a failure struck",
	results.Inexact:           "latencies near the clock's resolution",
}

// notesText says in a paragraph what limits the results: those of an interrupted run first,
// then what was refused, saturated, or too short to tell.
func notesText(res *results.Results) string {
	var notes []string
	if res.Incomplete {
		notes = append(notes, fmt.Sprintf("only %d of %d runs were finished", len(res.Runs), len(res.Cells)))
	}
	saturated, points := 0, 0
	for i := range res.Series {
		for _, p := range res.Series[i].Points {
			points++
			if p.Saturated == results.Yes {
				saturated++
			}
		}
	}
	if saturated > 0 {
		notes = append(notes, fmt.Sprintf("saturated at %d of %d points", saturated, points))
	}
	for _, w := range res.Warnings {
		if w.Kind == results.SearchEdge {
			notes = append(notes, w.Text)
		}
		if text, ok := noteTexts[w.Kind]; ok {
			notes = append(notes, text+placesText(len(w.Where), points))
		}
	}
	if text := outsideText(res); text != "" {
		notes = append(notes, text)
	}
	if knee := firstKnee(res); knee != nil && knee.Basis == results.Horizon {
		notes = append(notes, "knees are of runs as long as stated")
	}
	if res.OfferedApart() {
		notes = append(notes, "rates offered differ from those asked for")
	}
	if notes == nil {
		return ""
	}
	return "note: " + strings.Join(notes, "; ")
}

// outsideText says how many knees are below the swept loads or above them, and who finds those;
// "" where none is. kneepoint knee itself has no swept loads.
func outsideText(res *results.Results) string {
	if slices.ContainsFunc(res.Points, func(p results.PlannedPoint) bool { return p.Searched != nil }) {
		return ""
	}
	outside, knees := 0, 0
	for i := range res.Series {
		knee := res.Series[i].Knee
		if knee == nil {
			continue
		}
		knees++
		if knee.Kind == results.KneeBelow || knee.Kind == results.KneeBeyond {
			outside++
		}
	}
	if outside == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s outside of the sweep, where kneepoint knee searches", outside, countOf(knees, "knee"))
}

// placesText counts the points that something is the case at; "" where that is all.
func placesText(n, points int) string {
	switch {
	case n == 0 || n >= points:
		return ""
	case n == 1:
		return " at 1 point"
	}
	return fmt.Sprintf(" at %d points", n)
}
