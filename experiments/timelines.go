package experiments

import (
	"context"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
)

// timelines simulates the runs again of which figures ask for a timeline, and records it.
// What it has recorded when ctx ends is returned with the error.
func (e *Experiment) timelines(ctx context.Context, res *results.Results, o Options) ([]results.Timeline, error) {
	var all []results.Timeline
	for _, i := range res.ToWatch() {
		timeline := res.Runs[i].NewTimeline()
		if timeline == nil {
			continue
		}
		kvTokens, err := runner.Watch(ctx, e.builder, e.simulated(i, o), timeline)
		if err != nil {
			return all, err
		}
		all = append(all, res.Runs[i].Watched(timeline, kvTokens))
	}
	return all, nil
}
