package experiments

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// timelines simulates the runs again of which figures ask for a timeline, and records it, several
// at a time. What it has recorded when ctx ends is returned with the error, in the order of the runs.
func (e *Experiment) timelines(ctx context.Context, res *results.Results, o Options) ([]results.Timeline, error) {
	watches := res.ToWatch()
	recorded := make([]*metrics.Timeline, len(watches))
	group, ctx := errgroup.WithContext(ctx)
	if group.SetLimit(o.Workers); o.Workers <= 0 {
		group.SetLimit(runtime.GOMAXPROCS(0))
	}
	for i, w := range watches {
		timeline := res.Runs[w.Run].NewTimeline(w.Window)
		if timeline == nil {
			continue
		}
		group.Go(func() error {
			err := e.watch(ctx, e.simulated(w.Run, o), timeline, o.Store)
			if err == nil {
				recorded[i] = timeline
			}
			return err
		})
	}
	err := group.Wait()
	var all []results.Timeline
	for i, w := range watches {
		if recorded[i] != nil {
			all = append(all, res.Runs[w.Run].Watched(recorded[i], w.Window))
		}
	}
	return all, err
}
