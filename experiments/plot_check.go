package experiments

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// checkPlot fills in what a figure leaves out, and refuses one that the experiment has not
// the runs for. Its errors have keys of the table.
func (e *Experiment) checkPlot(s *PlotSpec) error {
	checks := []func(*PlotSpec) error{e.checkPlotKind, e.checkPlotObjective, e.checkPlotFilter, e.checkPlotX, e.checkPlotBy, e.checkPlotPlace}
	for _, check := range checks {
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

// checkPlotKind refuses a kind of figure that needs what the experiment lacks.
func (e *Experiment) checkPlotKind(s *PlotSpec) error {
	problem, allowed := "", ""
	switch {
	case slices.Contains(overVariable, s.Kind) && len(e.Axes) == 0:
		problem, allowed = "is over a swept variable, and nothing is swept", "a [sweep] table"
	case s.Kind == results.PlotHeatmap && (len(e.Axes) < 2 || e.zipped()):
		problem, allowed = "is over two variables, which are not swept in all combinations", "a [sweep] table with two paths, not zipped"
	case s.Kind == results.PlotCapacity && (len(e.Axes) == 0 || !e.Axes[0].IsLoad()):
		problem = "shows knees, and the first swept variable is no load"
		allowed = "workload.arrival.rate, workload.arrival.concurrency or workload.session.users first in [sweep]"
	case s.Kind == results.PlotFactors && len(e.Spec.Strategies) == 1:
		problem, allowed = "compares strategies with the first one, and there is no other", "another [[strategy]] table"
	case s.Kind == results.PlotPublished && len(e.Spec.Expect) == 0:
		problem, allowed = "shows what is expected, and nothing is", "an [[expect]] table"
	case s.Kind == results.PlotOverlay && len(e.Spec.Curves) == 0:
		problem, allowed = "shows what was published, and nothing is given", "a [[curve]] table"
	case s.Kind == results.PlotTradeoff && len(e.points)*len(e.Spec.Strategies) == 1:
		problem, allowed = "shows how runs differ, and there is one only", "a [sweep] table, or another [[strategy]] table"
	default:
		return nil
	}
	return &badinput.Error{Key: "kind", Value: s.Kind, Problem: problem, Allowed: allowed}
}

// ofObjective are the metrics that have no value without an SLO.
var ofObjective = []string{metrics.Goodput, metrics.Attainment, metrics.TTFTAttainment, metrics.TPOTAttainment, metrics.E2ELAttainment,
	metrics.ITLAttainment, metrics.CostPerMillionGoodTokens, metrics.EnergyPerMillionGoodTokens}

// checkPlotObjective refuses figures of what meets an SLO where there is none.
func (e *Experiment) checkPlotObjective(s *PlotSpec) error {
	if e.hasObjective() {
		return nil
	}
	for _, of := range []struct{ key, value string }{{"kind", s.Kind}, {"metric", s.Metric}, {"x", s.X}} {
		if of.value == results.PlotSLOScale || slices.Contains(ofObjective, of.value) {
			return &badinput.Error{
				Key:     of.key,
				Value:   of.value,
				Problem: "is about requests that meet an SLO, and there is none",
				Allowed: "a bound in [slo], or of a client",
			}
		}
	}
	return nil
}

// hasObjective tells whether requests have an SLO at some point.
func (e *Experiment) hasObjective() bool {
	s := &e.Spec
	for _, objective := range append(s.objectives(), s.SLO.Objective()) {
		if objective != (metrics.Objective{}) {
			return true
		}
	}
	return slices.ContainsFunc(e.Axes, func(a results.Axis) bool {
		return strings.HasSuffix(a.Path, "_ms") && (strings.HasPrefix(a.Path, "slo.") || strings.Contains(a.Path, ".slo."))
	})
}

// checkPlotFilter refuses a filter of what is not there, and one that leaves nothing to show.
func (e *Experiment) checkPlotFilter(s *PlotSpec) error {
	for _, path := range slices.Sorted(maps.Keys(s.Filter)) {
		key := fmt.Sprintf("filter.%q", path)
		all := e.valuesOf(path)
		if all == nil {
			return e.notSwept(key, path, results.ByStrategy)
		}
		for _, v := range s.Filter[path] {
			if keptOf(all, []results.Value{v}) == nil {
				return notAmong(key, v, all, "does not occur in the experiment")
			}
		}
		if s.Kind == results.PlotCapacity && path == e.Axes[0].Path {
			return &badinput.Error{Key: key, Value: s.Filter[path].EncodeTOML(), Problem: "has no effect on knees, which all of its values show",
				Allowed: "leave it out"}
		}
	}
	if len(e.plotPoints(s)) == 0 {
		return &badinput.Error{Key: "filter", Problem: "leaves no point of the sweep", Allowed: "values that are zipped together"}
	}
	strategies := s.Filter[results.ByStrategy]
	if s.Kind == results.PlotTradeoff && len(strategies) == 1 && len(e.plotPoints(s)) == 1 {
		return &badinput.Error{Key: "filter", Problem: "leaves one point, and nothing to compare it with", Allowed: "another value or strategy"}
	}
	if s.Kind == results.PlotFactors && len(strategies) == 1 && strategies[0].Same(e.valuesOf(results.ByStrategy)[0]) {
		return &badinput.Error{Key: `filter."strategy"`, Value: strategies[0].Any(), Problem: "leaves nothing to compare with the first strategy",
			Allowed: "another strategy"}
	}
	return nil
}

// notSwept refuses a path that is neither swept nor one of the words beside.
func (e *Experiment) notSwept(key, path string, words ...string) error {
	for _, axis := range e.Axes {
		words = append(words, axis.Path)
	}
	return &badinput.Error{Key: key, Problem: fmt.Sprintf("%q is not swept", path), Allowed: strings.Join(words, ", "),
		Nearest: badinput.Nearest(path, words)}
}

// mostListed is how many values a message lists.
const mostListed = 20

// notAmong refuses a value that is none of those of a variable.
func notAmong(key string, v results.Value, all []results.Value, problem string) error {
	var words []string
	for _, known := range all[:min(len(all), mostListed)] {
		words = append(words, known.String())
	}
	nearest := badinput.Nearest(v.String(), words)
	if len(all) > mostListed {
		words = append(words, "…")
	}
	return &badinput.Error{Key: key, Value: v.Any(), Problem: problem, Allowed: strings.Join(words, ", "), Nearest: nearest}
}

// plotPoints are the points of the sweep that the figure's filter leaves.
func (e *Experiment) plotPoints(s *PlotSpec) []point {
	if len(s.Filter) == 0 {
		return e.points
	}
	wanted := make([]map[results.Value]bool, len(e.Axes))
	for i, axis := range e.Axes {
		for _, v := range s.Filter[axis.Path] {
			if wanted[i] == nil {
				wanted[i] = map[results.Value]bool{}
			}
			wanted[i][plain(v)] = true
		}
	}
	var left []point
	for _, p := range e.points {
		hidden := false
		for i, values := range wanted {
			hidden = hidden || values != nil && !values[plain(results.ValueOf(p[i]))]
		}
		if !hidden {
			left = append(left, p)
		}
	}
	return left
}
