package runner

import (
	"context"

	"kneepoint/experiments/scenario"
	"kneepoint/internal/crash"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
)

// Watch simulates a scenario and records a timeline of it. It returns for how many tokens the
// KV blocks of all replicas have room. A panic becomes an error.
func Watch(ctx context.Context, builder *scenario.Builder, s scenario.Scenario, timeline *metrics.Timeline) (kvTokens float64, err error) {
	defer crash.Catch(&err)
	built, err := builder.Build(s)
	if err != nil {
		return 0, err
	}
	built.Config.Timeline = timeline
	rec, err := sim.Run(ctx, built.Config)
	if err != nil {
		return 0, err
	}
	for i := range rec.Pools {
		p := &rec.Pools[i]
		kvTokens += float64(len(p.Replicas) * p.Blocks * p.BlockSize)
	}
	return kvTokens, nil
}
