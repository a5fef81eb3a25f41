package results

import (
	"fmt"
	"math"
	"strings"

	"kneepoint/sim/metrics"
)

// series arranges the groups as curves over the first axis.
func (p *Plan) series(groups []group) []Series {
	var all []Series
	index := map[string]int{}
	var attainments []float64 // asked of the curves: an objective may be swept
	for _, strategy := range p.Strategies {
		axes := p.curveAxes(strategy)
		for i := range groups {
			g := &groups[i]
			if g.strategy != strategy || len(g.runs) == 0 || !p.onCurve(g.point, strategy) {
				continue
			}
			label := p.label(g, axes)
			at, known := index[label]
			if !known {
				at = len(all)
				index[label] = at
				attainments = append(attainments, p.slo(g.point).Attainment)
				all = append(all, p.curveOf(g, axes))
			}
			all[at].Points = append(all[at].Points, p.pointOf(g))
		}
	}
	for i := range all {
		all[i].Knee = p.knee(&all[i], attainments[i])
		all[i].KneeOffered = p.kneeOffered(&all[i])
	}
	return all
}

// Curves are the curves that the plan asks for, without their points.
func (p *Plan) Curves() []Series {
	var all []Series
	groups := p.groups()
	for _, strategy := range p.Strategies {
		axes, seen := p.curveAxes(strategy), map[string]bool{}
		for i := range groups {
			g := &groups[i]
			if g.strategy != strategy || !p.onCurve(g.point, strategy) {
				continue
			}
			if curve := p.curveOf(g, axes); !seen[curve.Label] {
				seen[curve.Label] = true
				all = append(all, curve)
			}
		}
	}
	return all
}

// curveOf is the one that a group is on, without points; axes tell those of the strategy apart.
func (p *Plan) curveOf(g *group, axes []Axis) Series {
	return Series{Strategy: g.strategy, Fixed: p.fixed(g, axes), Label: p.label(g, axes)}
}

// fixed is the values of the axes that tell the curves of a strategy apart; nil where
// there is one curve.
func (p *Plan) fixed(g *group, axes []Axis) Setting {
	if len(axes) == 0 {
		return nil
	}
	all, s := p.SettingAt(g.point), Setting{}
	for _, axis := range axes {
		s[axis.Path] = all[axis.Path]
	}
	return s
}

// label names a curve: the strategy, and the fixed values when there are any.
func (p *Plan) label(g *group, axes []Axis) string {
	parts, fixed := []string{g.strategy}, p.fixed(g, axes)
	for _, axis := range axes {
		parts = append(parts, fmt.Sprintf("%s %v", axis.Label, fixed[axis.Path]))
	}
	return strings.Join(parts, ", ")
}

// pointOf estimates every metric over the replications of a group.
func (p *Plan) pointOf(g *group) Point {
	point := Point{
		Metrics: g.estimates((*Run).Shown),
		Steady:  g.windowed(),
		Clients: g.clients(),
		Pools:   g.pools(),
		ByScale: g.byScale(),
		Why:     meanWhy(g.runs),
		group:   g,
	}
	if len(p.Sweep) > 0 {
		point.Value = p.Points[g.point].Values[0]
	}
	point.Saturated = p.saturated(g)
	return point
}

// saturated is whether more is offered at a point than can be served. Where the rate changes by
// design, a run that is long enough and ends without a backlog counts as one that is not: that the number
// in the system goes up and down is the rate's doing.
func (p *Plan) saturated(g *group) Finding {
	yes := 0
	for _, run := range g.runs {
		if run.sent() < metrics.SaturationRequests || p.traffic(run).Profile == "" {
			return g.most(metrics.Saturated)
		}
		if run.Metrics[metrics.Saturated] > 0 {
			yes++
		}
	}
	switch {
	case 2*yes > len(g.runs):
		return Yes
	case 2*yes < len(g.runs):
		return No
	}
	return Unknown
}

// windowed are the metrics of the measuring windows of the runs; nil where there is none. Of
// one trace that is replayed they have no interval: that of the bootstrap is of whole runs.
func (g *group) windowed() map[string]metrics.Estimate {
	all := g.estimates((*Run).windowed)
	if len(all) == 0 {
		return nil
	}
	if g.sameTraffic() {
		for key, estimate := range all {
			estimate.Half = math.NaN()
			all[key] = estimate
		}
	}
	return all
}

// clients are the metrics of the classes of requests over the runs.
func (g *group) clients() []ClientPoint {
	var all []ClientPoint
	for class, client := range g.runs[0].Clients {
		all = append(all, ClientPoint{client.Name, g.estimates(ofClass(class))})
	}
	return all
}

// pools are the metrics of the pools of replicas over the runs.
func (g *group) pools() []PoolPoint {
	var all []PoolPoint
	for pool, run := range g.runs[0].Pools {
		all = append(all, PoolPoint{run.Name, g.estimates(ofPool(pool))})
	}
	return all
}

// ofPool is the metrics of one pool in a run; none in one of a folder that was edited.
func ofPool(pool int) func(*Run) metrics.Values {
	return func(r *Run) metrics.Values {
		if pool >= len(r.Pools) {
			return nil
		}
		return r.Pools[pool].Metrics
	}
}

// ofClass is the metrics of one class of requests in a run; none in one of a folder that was
// edited.
func ofClass(class int) func(*Run) metrics.Values {
	return func(r *Run) metrics.Values {
		if class >= len(r.Clients) {
			return nil
		}
		return r.Clients[class].Metrics
	}
}
