package experiments

import (
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// ClientRun is the metrics of one class of requests in a run.
type ClientRun struct {
	Name    string         `json:"name"`
	Metrics metrics.Values `json:"metrics"`
}

// ClientPoint is the metrics of one class of requests over the replications.
type ClientPoint struct {
	Name    string                      `json:"name"`
	Metrics map[string]metrics.Estimate `json:"metrics"`
}

// objectives are what the requests of each class are held against: what its client
// says, and else [slo]. There are none without clients.
func (s *Spec) objectives() []metrics.Objective {
	var all []metrics.Objective
	for i := range s.Workload.Client {
		objective, own := s.SLO.Objective(), &s.Workload.Client[i].SLO
		for _, bound := range []struct {
			own  *float64 // in milliseconds
			into *units.Seconds
		}{{own.TTFTms, &objective.TTFT}, {own.TPOTms, &objective.TPOT}, {own.E2ELms, &objective.E2EL}} {
			if bound.own != nil {
				*bound.into = units.Seconds(*bound.own / 1e3)
			}
		}
		all = append(all, objective)
	}
	return all
}

// clientPoints are the metrics of the classes over the runs of a group.
func (g *group) clientPoints() []ClientPoint {
	if len(g.runs) == 0 {
		return nil
	}
	var all []ClientPoint
	for class, client := range g.runs[0].Clients {
		of := func(r *Run) metrics.Values { return r.Clients[class].Metrics }
		all = append(all, ClientPoint{client.Name, g.estimates(of)})
	}
	return all
}
