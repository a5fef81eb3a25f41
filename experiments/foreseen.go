package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/units"
	"kneepoint/workloads"
)

// warningsOf says what the numbers of a simulation rest on besides measurements.
func warningsOf(rests scenario.Assumptions) []results.Warning {
	var all []results.Warning
	if len(rests.Times) > 0 {
		all = append(all, results.Warning{Kind: results.Estimated, Text: strings.Join(rests.Times, "; ")})
	}
	if rests.Energy != "" {
		all = append(all, results.Warning{Kind: results.EnergyEstimated, Text: rests.Energy})
	}
	return all
}

// trafficWarnings say where what is offered may be something else than what was asked
// for, or is nothing that people do.
func trafficWarnings(w *workloads.Spec) []results.Warning {
	var all []results.Warning
	if tau, span := w.RateCorrelation(), w.Span(); tau > 0 && span > 0 && span < correlationTimes*tau {
		all = append(
			all,
			results.Warning{Kind: results.ShortRun, Text: fmt.Sprintf("runs are shorter than ten correlation times of the arrival rate (%v each): "+
				"more or less is offered than was asked for, as offered_rate says", tau)},
		)
	}
	if nominal, mean := w.OfferedRate(), w.MeanRate(); math.Abs(mean/nominal-1) >= meanApart {
		all = append(
			all,
			results.Warning{Kind: results.PartOfProfile, Text: fmt.Sprintf("requests arrive over %v, "+
				"in which the rate that changes by design has a mean of %.3g a second, not %.3g as on the whole", w.Span(), mean, nominal)},
		)
	}
	if w.ThinksAlike() {
		all = append(
			all,
			results.Warning{
				Kind: results.ConstantThinkTime,
				Text: "think_time is constant: clients who once meet in the queue meet again in every cycle; " +
					`people think by a law, like { type = "exponential", mean = 20 }`,
			},
		)
	}
	return all
}

// prefixWarnings say where a prefix cache finds nothing since a built-in workload has no
// prefixes, although its data do.
func (s *Spec) prefixWarnings() []results.Warning {
	w := &s.Workload
	caching := s.Strategies[0].KV.EnablePrefixCaching
	if w.Name == "" || w.Prefix != nil || w.Session != nil || w.Trace != nil || caching == nil || !*caching {
		return nil
	}
	about, err := workloads.Describe(w.Name)
	if err != nil || about.Repeats == 0 {
		return nil
	}
	return []results.Warning{
		{
			Kind: results.WithoutPrefixes,
			Text: fmt.Sprintf("workload %s has no prefixes that prompts share: of its data's prompt tokens a cache without limits finds %s; "+
				"replay the trace ([workload.trace]) to see what prefix caching gains", w.Name, units.Percent(about.Repeats)),
		},
	}
}

// meanApart is by which part the mean rate of a run differs from that of all stages, or of a whole
// day, where a reader must know.
const meanApart = 0.05

// correlationTimes is the least length of a run whose mean rate is near that of the
// process: with a coefficient of variation c of the rate, the mean over T has about
// c·√(2τ/T), 45 % of it at ten.
const correlationTimes = 10

// foreseen are the warnings of all strategies at all points, each once with those
// that it concerns: without names where that is all of them, and a strategy without
// a point where that is every point.
func (e *Experiment) foreseen(p *results.Plan) []results.Warning {
	var all []results.Warning
	concerned := map[string][]int{} // cells, by warning
	for i := range e.cells {
		for _, w := range e.cells[i].warnings {
			if concerned[w.String()] == nil {
				all = append(all, w)
			}
			concerned[w.String()] = append(concerned[w.String()], i)
		}
	}
	for i := range all {
		if cells := concerned[all[i].String()]; len(cells) < len(e.cells) {
			all[i].Where = e.where(p, cells)
		}
	}
	return all
}

// where names strategies as a whole, or at single points. Cells are counted by points
// and at each by strategies, as Experiment.cells has them.
func (e *Experiment) where(p *results.Plan, cells []int) []results.Where {
	strategies := len(e.Spec.Strategies)
	var all []results.Where
	for s, name := range p.Strategies {
		own := slices.DeleteFunc(slices.Clone(cells), func(cell int) bool { return cell%strategies != s })
		if len(own) == len(p.Points) {
			all = append(all, results.Where{Strategy: name, Name: name})
			continue
		}
		for _, cell := range own {
			all = append(all, p.Where(name, cell/strategies))
		}
	}
	return all
}
