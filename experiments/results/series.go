package results

import (
	"fmt"
	"strings"

	"kneepoint/sim/metrics"
)

// series arranges the groups as curves over the first axis.
func (p *Plan) series(groups []group) []Series {
	var all []Series
	index := map[string]int{}
	var attainments []float64 // asked of the curves: an objective may be swept
	for _, strategy := range p.Strategies {
		for i := range groups {
			g := &groups[i]
			if g.strategy != strategy || len(g.runs) == 0 {
				continue
			}
			label := p.label(g)
			at, known := index[label]
			if !known {
				at = len(all)
				index[label] = at
				attainments = append(attainments, p.slo(g.point).Attainment)
				all = append(all, Series{Strategy: g.strategy, Fixed: p.fixed(g), Label: label})
			}
			all[at].Points = append(all[at].Points, p.pointOf(g))
		}
	}
	for i := range all {
		all[i].Knee = p.knee(&all[i], attainments[i])
	}
	return all
}

// fixed is the values of all axes but the first. Zipped axes go together: a value
// of the first one says those of all.
func (p *Plan) fixed(g *group) Setting {
	if len(p.Sweep) < 2 || p.Zipped {
		return nil
	}
	s := p.setting(g.point)
	delete(s, p.Sweep[0].Path)
	return s
}

// label names a curve: the strategy, and the fixed values when there are any.
func (p *Plan) label(g *group) string {
	parts := []string{g.strategy}
	fixed := p.fixed(g)
	for _, axis := range p.Sweep {
		if v, ok := fixed[axis.Path]; ok {
			parts = append(parts, fmt.Sprintf("%s %v", axis.Label, v))
		}
	}
	return strings.Join(parts, ", ")
}

// pointOf estimates every metric over the replications of a group.
func (p *Plan) pointOf(g *group) Point {
	point := Point{
		Metrics: g.estimates(func(r *Run) metrics.Values { return r.Metrics }),
		Clients: g.clients(),
		Why:     meanWhy(g.runs),
	}
	if len(p.Sweep) > 0 {
		point.Value = p.Points[g.point].Values[0]
	}
	point.Saturated = point.Metrics[metrics.Saturated].Mean > 0.5
	return point
}

// clients are the metrics of the classes of requests over the runs.
func (g *group) clients() []ClientPoint {
	var all []ClientPoint
	for class, client := range g.runs[0].Clients {
		of := func(r *Run) metrics.Values {
			if class >= len(r.Clients) {
				return nil // of a folder that was edited
			}
			return r.Clients[class].Metrics
		}
		all = append(all, ClientPoint{client.Name, g.estimates(of)})
	}
	return all
}
