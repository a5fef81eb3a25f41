package runner

import (
	"context"

	"kneepoint/experiments/scenario"
	"kneepoint/internal/crash"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
)

// Watch simulates a scenario and records a timeline of it. A panic becomes an error.
func Watch(ctx context.Context, builder *scenario.Builder, s scenario.Scenario, timeline *metrics.Timeline) (err error) {
	defer crash.Catch(&err)
	built, err := builder.Build(s)
	if err != nil {
		return err
	}
	timeline.Objective, timeline.Classes = s.Objectives.All, s.Objectives.Classes
	built.Config.Timeline = timeline
	rec, err := sim.Run(ctx, built.Config)
	if err != nil {
		return err
	}
	timeline.AddReplicas(rec)
	return nil
}
