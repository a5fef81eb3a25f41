package experiments

import (
	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// clientSLOs are the bounds for the requests of each class: those of its client, and
// for bounds that the client leaves out, those of [slo]. nil without clients. A bound
// of 0 that a client gives means none, which is why its bounds are pointers.
func (s *Spec) clientSLOs() []SLOSpec {
	var all []SLOSpec
	for i := range s.Workload.Client {
		slo, own := s.SLO, &s.Workload.Client[i].SLO
		for _, bound := range []struct{ own, into *float64 }{
			{own.TTFTms, &slo.TTFTms}, {own.TPOTms, &slo.TPOTms}, {own.E2ELms, &slo.E2ELms}, {own.ITLp99ms, &slo.ITLp99ms},
		} {
			if bound.own != nil {
				*bound.into = *bound.own
			}
		}
		all = append(all, slo)
	}
	return all
}

// objectives are the clientSLOs for one request.
func (s *Spec) objectives() []metrics.Objective {
	var all []metrics.Objective
	for _, slo := range s.clientSLOs() {
		all = append(all, slo.Objective())
	}
	return all
}

// clients are the classes with their clientSLOs as data.
func (s *Spec) clients() []results.Client {
	var all []results.Client
	for class, slo := range s.clientSLOs() {
		all = append(all, results.Client{Name: s.Workload.ClientNames()[class], SLO: slo.forResults()})
	}
	return all
}
