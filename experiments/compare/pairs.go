package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// place is a strategy, by its number, at a point.
type place struct {
	strategy int
	point    string
}

// runsByPlace are the runs of the strategies that are compared.
func (s *Side) runsByPlace() map[place][]*results.Run {
	all := map[place][]*results.Run{}
	for i := range s.Results.Runs {
		run := &s.Results.Runs[i]
		if at := slices.Index(s.Strategies, run.Strategy); at >= 0 {
			key := place{at, pointKey(run.Point)}
			all[key] = append(all[key], run)
		}
	}
	return all
}

// pointKey is equal for settings of the same values: 8 is 8.0.
func pointKey(s results.Setting) string {
	var parts []string
	for path, v := range s {
		if x, isNumber := v.Number(); isNumber {
			parts = append(parts, fmt.Sprintf("%s=%g", path, x))
		} else {
			parts = append(parts, fmt.Sprintf("%s=%q", path, v.String()))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// pair is the runs of both sides at a place.
type pair struct {
	place
	setting results.Setting
	a, b    []*results.Run
}

// pairs are the places that both sides have runs of, in A's order.
func (a *Side) pairs(b *Side) []pair {
	of, over := a.runsByPlace(), b.runsByPlace()
	var all []pair
	for i := range a.Strategies {
		seen := map[place]bool{}
		for point := range a.Results.Points {
			setting := a.Results.SettingAt(point)
			at := place{i, pointKey(setting)}
			if len(of[at]) > 0 && len(over[at]) > 0 && !seen[at] {
				seen[at] = true
				all = append(all, pair{at, setting, of[at], over[at]})
			}
		}
	}
	return all
}

// lacking are the points of one side, in words, of which the other has no runs.
func lacking(a, b *Side) []string {
	of, over := a.runsByPlace(), b.runsByPlace()
	if len(over) == 0 || isSearched(a) || isSearched(b) { // a search chooses its points by what it finds
		return nil
	}
	var all []string
	for i, strategy := range a.Strategies {
		for point := range a.Results.Points {
			setting := a.Results.SettingAt(point)
			at := place{i, pointKey(setting)}
			if len(over[at]) > 0 || len(of[at]) == 0 {
				continue
			}
			parts := []string{strategy}
			for _, axis := range a.Results.Sweep {
				parts = append(parts, fmt.Sprintf("%s %v", cmp.Or(axis.Label, axis.Path), setting[axis.Path]))
			}
			all = append(all, strings.Join(parts, ", "))
		}
	}
	return all
}

// isSearched tells whether the points were chosen by a search.
func isSearched(s *Side) bool {
	return slices.ContainsFunc(s.Results.Points, func(p results.PlannedPoint) bool { return p.Searched != nil })
}

// row compares a metric; nil where A has no value of it. Of runs that all replay one trace, or do so on one side, there
// is one sample, which says nothing of chance.
func (p *pair) row(metric, strategy string, paired bool) *Row {
	a, b := valuesOf(p.a, metric), valuesOf(p.b, metric)
	row := newRow(metric, metrics.NewEstimate(a), metrics.NewEstimate(b), nil)
	if row.A.N == 0 {
		return nil
	}
	if x, y := p.matched(metric); paired && len(x) > 0 {
		row = newRow(metric, metrics.NewEstimate(x), metrics.NewEstimate(y), p.known(pairedMoments(x, y)))
		row.Differing = p.differing(x, y)
	} else if row.B.N > 0 {
		row = newRow(metric, row.A, row.B, p.known(unpairedMoments(present(a), present(b))))
	}
	row.Strategy, row.Point = strategy, p.setting
	return &row
}

// differing is how many values of paired replications differ; nil where they are replays, of which each is the same.
func (p *pair) differing(a, b []float64) *int {
	if sameTraffic(p.a) && sameTraffic(p.b) {
		return nil
	}
	n := 0
	for i := range a {
		if math.Abs(a[i]-b[i]) > negligible*(math.Abs(a[i])+math.Abs(b[i])) {
			n++
		}
	}
	return &n
}

// known is what the runs tell of precision.
func (p *pair) known(m moments) moments {
	if sameTraffic(p.a) && (sameTraffic(p.b) || !m.matched) || sameTraffic(p.b) && !m.matched {
		return m.unknownPrecision()
	}
	return m
}

// sameTraffic tells whether the replications differ in nothing, as replays of a trace.
func sameTraffic(runs []*results.Run) bool {
	r := runs[0].Replay
	return r != nil && len(r.Draws) == 0
}

// matched are the values of replications that both sides have.
func (p *pair) matched(metric string) (a, b []float64) {
	for _, run := range p.a {
		for _, other := range p.b {
			x, y := run.Shown().Get(metric), other.Shown().Get(metric)
			if run.Replication == other.Replication && !math.IsNaN(x) && !math.IsNaN(y) {
				a, b = append(a, x), append(b, y)
			}
		}
	}
	return a, b
}

// valuesOf are those of a metric by run; NaN where it has none.
func valuesOf(runs []*results.Run, metric string) []float64 {
	values := make([]float64, len(runs))
	for i, run := range runs {
		values[i] = run.Shown().Get(metric)
	}
	return values
}

// present are the values that there are.
func present(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}
