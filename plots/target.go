package plots

import (
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// target is a value of an axis that what is drawn is held against.
type target struct {
	value float64
	label string
}

// farAway is the factor from which an objective is left off the axis, because it would
// flatten the data.
const farAway = 100

// withTargets returns the lines that the values are held against, unless they are too far
// from them, and the values that the axis should cover. Of curves by class each class has
// its own line; beside those of all requests together a bound of one class says nothing.
func (m measure) withTargets(res *results.Results, by string, values []float64) (targets []target, cover []float64, marks []string) {
	slo := commonSLO(res)
	switch {
	case m.atLeast && !hasSLO(slo) && !res.Facts.Traffic.OwnObjectives:
		return nil, values, nil
	case by == results.ByClass && !m.atLeast && !sweptTable(res, "slo"):
		targets = m.classTargets(res)
	case !m.atLeast && slices.ContainsFunc(res.Clients, func(c results.Client) bool { return m.bound(c.SLO) != m.bound(slo) }):
		return nil, values, []string{"classes have bounds of their own"}
	case m.bound(slo) > 0:
		targets = []target{m.target(m.bound(slo), "")}
	}
	for _, t := range targets {
		if isFar(values, t.value) {
			marks = append(marks, t.label+" is off the scale")
		} else {
			cover = append(cover, t.value)
		}
	}
	targets = slices.DeleteFunc(targets, func(t target) bool { return isFar(values, t.value) })
	return targets, append(cover, values...), marks
}

// sweptTable tells whether a key of a table is swept.
func sweptTable(res *results.Results, table string) bool {
	return slices.ContainsFunc(res.Sweep, func(a results.Axis) bool { return strings.Contains(a.Path, table+".") })
}

// classTargets are the bounds of the classes of requests, each once, with the names of
// those that have it.
func (m measure) classTargets(res *results.Results) []target {
	var targets []target
	names := map[float64][]string{}
	for _, c := range res.Clients {
		bound := m.bound(c.SLO)
		if bound > 0 && names[bound] == nil {
			targets = append(targets, target{value: bound})
		}
		names[bound] = append(names[bound], c.Name)
	}
	for i, t := range targets {
		whose := ""
		if len(names[t.value]) < len(res.Clients) {
			whose = strings.Join(names[t.value], ", ")
		}
		targets[i] = m.target(t.value, whose)
	}
	return targets
}

// target is a line at a bound; whose is the classes that have it, "" for all.
func (m measure) target(bound float64, whose string) target {
	if m.atLeast {
		return target{bound, "target ≥ " + m.format(bound)}
	}
	return target{bound, joinWith(" ", whose, "SLO ≤ "+m.format(bound))}
}

// isFar says whether a bound lies more than farAway from all values.
func isFar(values []float64, bound float64) bool {
	lo, hi := chart.Extent(values, true)
	return hi > 0 && (bound > farAway*hi || bound < lo/farAway)
}

func hasSLO(s results.SLO) bool {
	return len(s.Bounds()) > 0
}
