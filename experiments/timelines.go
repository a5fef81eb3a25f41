package experiments

import (
	"context"

	"kneepoint/experiments/results"
)

// timelines simulates the runs again of which figures ask for a timeline, and records it.
// What it has recorded when ctx ends is returned with the error.
func (e *Experiment) timelines(ctx context.Context, res *results.Results, o Options) ([]results.Timeline, error) {
	var all []results.Timeline
	for _, w := range res.ToWatch() {
		run := &res.Runs[w.Run]
		timeline := run.NewTimeline(w.Window)
		if timeline == nil {
			continue
		}
		if err := e.watch(ctx, e.simulated(w.Run, o), timeline, o.Store); err != nil {
			return all, err
		}
		all = append(all, run.Watched(timeline, w.Window))
	}
	return all, nil
}
