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
	slowed  slowdowns
	changed bool // since the last plan
}

// slowdowns are the failures that have made something slow and are not repaired, each of which multiplies the
// time that it takes. What a failure has made slow already, it does not make slower.
type slowdowns []*failing

// without are the slowdowns but for one.
func (s slowdowns) without(x *failing) slowdowns {
	return slices.DeleteFunc(s, func(y *failing) bool { return y == x })
}

// slow has replicas take longer for their steps, until they are repaired, and is when the
// last of them is.
func (x *failing) slow(replicas []*replica, now units.Seconds) (repaired units.Seconds) {
	replicas = slices.DeleteFunc(replicas, func(r *replica) bool { return slices.Contains(r.pace.slowed, x) })
	for _, r := range replicas {
		r.setPace(append(r.pace.slowed, x), now)
	}
	return x.repairEach(replicas, now, func(r *replica, at units.Seconds) {
		if r.stage != gone {
			r.setPace(r.pace.slowed.without(x), at)
		}
	})
}

// setPace changes by what a replica is slower, from its next step on.
func (r *replica) setPace(slowed slowdowns, now units.Seconds) {
	r.runUntil(now)
	r.pace = pace{slowed, true}
	r.fleet.reschedule(r)
}

// keepPace has the steps from the next plan on take as long as they do now.
func (r *replica) keepPace() {
	if !r.pace.changed {
		return
	}
	r.pace.changed, r.lines = false, &costLines{}
	r.series.end()
	own := r.fleet.config.Pools[r.poolIndex]
	for _, x := range r.pace.slowed {
		own.Cost = slowed{own.Cost, units.Seconds(x.Slowdown)}
	}
	r.pool = &own
}
