package experiments

import (
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// objectives are the bounds for the requests of each class: those of its client, and
// for bounds that the client leaves out, those of [slo]. nil without clients. A bound
// of 0 that a client gives means none, which is why its bounds are pointers.
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
