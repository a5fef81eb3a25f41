package sim

import (
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
)

// slowed is a cost model whose steps take longer, for the same energy above idle.
type slowed struct {
	hardware.CostModel
	factor units.Seconds
}

// Step implements hardware.CostModel.
func (s slowed) Step(w *hardware.Work) hardware.Cost {
	cost := s.CostModel.Step(w)
	cost.Time *= s.factor
	cost.Draft *= s.factor
	return cost
}

// Pipeline implements hardware.CostModel.
func (s slowed) Pipeline() hardware.Pipeline {
	if stages := s.CostModel.Pipeline(); stages != nil {
		return slowedStages{stages, s.factor}
	}
	return nil
}

// slowedStages are stages that take longer.
type slowedStages struct {
	hardware.Pipeline
	factor units.Seconds
}

// StageTimes implements hardware.Pipeline.
func (s slowedStages) StageTimes(w *hardware.Work, times []units.Seconds) {
	s.Pipeline.StageTimes(w, times)
	for i := range times {
		times[i] *= s.factor
	}
}

// pace is what makes a replica slower than others of its pool.
type pace struct {
	factors []float64
	changed bool // since the last plan
}

// slow has replicas take longer for their steps, until they are repaired, and is when the
// last of them is.
func (x *failing) slow(replicas []*replica, now units.Seconds) (repaired units.Seconds) {
	repaired = now
	for _, r := range replicas {
		r.setPace(append(r.pace.factors, x.Slowdown), now)
		if x.Repair == nil {
			continue
		}
		at := now + x.Repair(x.repaired)
		x.repaired++
		repaired = max(repaired, at)
		r.fleet.at(at, func() {
			if i := slices.Index(r.pace.factors, x.Slowdown); r.stage != gone {
				r.setPace(slices.Delete(r.pace.factors, i, i+1), at)
			}
		})
	}
	return repaired
}

// setPace changes by what a replica is slower, from its next step on.
func (r *replica) setPace(factors []float64, now units.Seconds) {
	r.runUntil(now)
	r.pace = pace{factors, true}
	r.fleet.reschedule(r)
}

// keepPace has the steps from the next plan on take as long as they do now.
func (r *replica) keepPace() {
	if !r.pace.changed {
		return
	}
	r.pace.changed, r.series = false, series{}
	own := r.fleet.config.Pools[r.poolIndex]
	for _, factor := range r.pace.factors {
		own.Cost = slowed{own.Cost, units.Seconds(factor)}
	}
	r.pool = &own
	if p, ok := r.engine.(*pipeline); ok {
		p.stages = hardware.PipelineOf(own.Cost)
	}
}
