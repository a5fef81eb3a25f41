package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// axisAt is where an axis is among those of the sweep; -1 for a path that is not swept.
func (e *Experiment) axisAt(path string) int {
	return slices.IndexFunc(e.Axes, func(a results.Axis) bool { return a.Path == path })
}

// checkPlotX refuses a horizontal axis that is not swept, and one of a single value.
func (e *Experiment) checkPlotX(s *PlotSpec) error {
	if !slices.Contains(overVariable, s.Kind) {
		return nil
	}
	s.X = cmp.Or(s.X, e.Axes[0].Path)
	x := e.axisAt(s.X)
	if x < 0 {
		return e.notSwept("x", s.X)
	}
	if err := e.checkOwners(s, "x", x); err != nil {
		return err
	}
	if mostValues(e.plotPoints(s), x, -1) < 2 {
		return &badinput.Error{Key: "x", Value: s.X, Problem: "has one value here, which makes no curve", Allowed: "a variable with two values"}
	}
	return nil
}

// checkOwners refuses an axis that varies a key of some of the strategies that the figure
// shows. The others run at all values of the first axis, and of another one have none.
func (e *Experiment) checkOwners(s *PlotSpec, key string, axis int) error {
	plan := results.Plan{Strategies: e.strategyNames(), Zipped: e.zipped()}
	for _, name := range plan.Strategies {
		isShown := s.Filter[results.ByStrategy] == nil || slices.ContainsFunc(s.Filter[results.ByStrategy], results.ValueOf(name).Same)
		if axis > 0 && isShown && !plan.Concerns(e.Axes[axis], name) {
			return &badinput.Error{
				Key:     key,
				Value:   e.Axes[axis].Path,
				Problem: fmt.Sprintf("is no key of strategy %q, which has no value of it", name),
				Allowed: "only with a filter of the strategies that have it",
			}
		}
	}
	return nil
}

// mostValues is how many different values an axis has at points at which another one has
// the same; -1: at all points.
func mostValues(points []point, axis, by int) int {
	values := map[results.Value]map[results.Value]bool{}
	most := 0
	for _, p := range points {
		var curve results.Value
		if by >= 0 {
			curve = plain(results.ValueOf(p[by]))
		}
		if values[curve] == nil {
			values[curve] = map[results.Value]bool{}
		}
		values[curve][plain(results.ValueOf(p[axis]))] = true
		most = max(most, len(values[curve]))
	}
	return most
}

// checkPlotBy refuses curves that cannot be told apart.
func (e *Experiment) checkPlotBy(s *PlotSpec) error {
	if s.Kind == results.PlotHeatmap {
		return e.checkHeatmapBy(s)
	}
	if !slices.Contains(withCurves, s.Kind) {
		return nil
	}
	s.By = cmp.Or(s.By, results.ByStrategy)
	wrong := &badinput.Error{Key: "by", Value: s.By}
	by := e.axisAt(s.By)
	switch {
	case s.By == results.ByStrategy:
		return nil
	case s.By == results.ByClass && len(e.Spec.Workload.Client) == 0:
		wrong.Problem, wrong.Allowed = "needs classes of requests, and there are none", "[[workload.client]] tables"
	case s.By == results.ByClass:
		return s.checkClasses()
	case by < 0:
		return e.notSwept("by", s.By, results.ByStrategy, results.ByClass)
	case s.By == s.X:
		wrong.Problem, wrong.Allowed = "is along the horizontal axis already", "another variable, strategy or class"
	case slices.Contains(overVariable, s.Kind) && mostValues(e.plotPoints(s), e.axisAt(s.X), by) < 2:
		wrong.Problem, wrong.Allowed = "leaves one point on every curve", "a variable whose values are those of several points"
	default:
		return e.checkOwners(s, "by", by)
	}
	return wrong
}

// ofClasses are metrics that runs have of every class of requests; besides them they have
// those of latencies but the gaps between tokens, which are those of all.
var ofClasses = []string{metrics.Duration, metrics.CompletedRequests, metrics.RejectedRequests, metrics.TimedOutRequests, metrics.LostRequests,
	metrics.UnfinishedRequests, metrics.TruncatedRequests, metrics.InputTokens, metrics.OutputTokens, metrics.OfferedRate, metrics.RequestThroughput, metrics.Goodput,
	metrics.OutputThroughput, metrics.TokenThroughput, metrics.Attainment, metrics.TTFTAttainment, metrics.TPOTAttainment,
	metrics.E2ELAttainment, metrics.ITLAttainment}

// isOfClass tells whether runs have a metric, or a latency, of every class of requests.
func isOfClass(key string) bool {
	return slices.Contains(ofClasses, key) || strings.HasSuffix(key, "_ms") && !strings.HasSuffix(key, "_itl_ms") ||
		slices.Contains([]string{"ttft", "tpot", "e2el"}, key)
}

// checkClasses refuses a figure by class of what runs have of all requests together.
func (s *PlotSpec) checkClasses() error {
	what := []string{s.Metric}
	switch s.Kind {
	case results.PlotTradeoff:
		what = append(what, s.X)
	case results.PlotSLOScale:
		what = []string{metrics.Attainment + " by scale"}
	}
	for _, key := range what {
		if !isOfClass(key) {
			return &badinput.Error{Key: "by", Value: s.By, Problem: "there is no " + key + " of a class, only of all requests together",
				Allowed: "strategy or a swept variable, or a metric of requests"}
		}
	}
	return nil
}

// checkHeatmapBy refuses a vertical axis that is none beside the horizontal one.
func (e *Experiment) checkHeatmapBy(s *PlotSpec) error {
	for i := 0; s.By == ""; i++ {
		if e.Axes[i].Path != s.X {
			s.By = e.Axes[i].Path
		}
	}
	by := e.axisAt(s.By)
	switch {
	case by < 0:
		return e.notSwept("by", s.By)
	case s.By == s.X:
		return &badinput.Error{Key: "by", Value: s.By, Problem: "is along the horizontal axis already", Allowed: "another swept variable"}
	case mostValues(e.plotPoints(s), by, -1) < 2:
		return &badinput.Error{Key: "by", Value: s.By, Problem: "has one value here, which makes no map", Allowed: "a variable with two values"}
	}
	return e.checkOwners(s, "by", by)
}

// checkPlotPlace refuses a place that is not on the curves.
func (e *Experiment) checkPlotPlace(s *PlotSpec) error {
	if !slices.Contains(atPlace, s.Kind) {
		return nil
	}
	given := s.At.EncodeTOML()
	switch {
	case len(e.Axes) == 0 && given == nil:
		return nil
	case len(e.Axes) == 0:
		return &badinput.Error{Key: "at", Value: given, Problem: "nothing is swept, so there is one point only", Allowed: "leave it out"}
	case given == nil && s.Kind == results.PlotFactors: // at low load, knee and highest load
		return nil
	case given == nil && e.Axes[0].IsLoad() && s.Kind != results.PlotTraffic: // which is the same for all, as knees are not
		s.At.Word = results.AtKnee
	case given == nil:
		s.At.Word = results.Highest
	case s.At.Word == results.AtKnee && !e.Axes[0].IsLoad():
		return &badinput.Error{Key: "at", Value: given, Problem: "a sweep of " + e.Axes[0].Path + " has no knee", Allowed: "one of its values"}
	case s.At.Word == "":
		return e.checkPlotValue(s)
	}
	return nil
}

// checkPlotValue refuses a value at which there is no point.
func (e *Experiment) checkPlotValue(s *PlotSpec) error {
	var values []results.Value
	for _, p := range e.plotPoints(s) {
		values = append(values, results.ValueOf(p[0]))
	}
	values = keptOf(e.Axes[0].Values, values)
	if keptOf(values, []results.Value{s.At.Value}) == nil {
		return notAmong("at", s.At.Value, values, "is no value at which there is a point to show")
	}
	return nil
}
