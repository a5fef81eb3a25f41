package experiments

import (
	"context"

	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
	"kneepoint/sim/metrics"
)

// findKnee searches a knee, unless the store has what the same search has found. Where a
// search goes is told by the scenarios that it starts from, which variable leads from one to
// the other, the question and the limits.
func (e *Experiment) findKnee(
	ctx context.Context,
	at func(load float64) (scenario.Scenario, error),
	q search.Question,
	limits search.Limits,
	options search.Options,
	store runner.Store,
) (search.Finding, error) {
	met, err := at(q.Met)
	if err != nil {
		return search.Finding{}, err
	}
	missed, err := at(q.Missed)
	if err != nil {
		return search.Finding{}, err
	}
	key := runner.Key("search", search.Revision, met.Key(), missed.Key(), e.Axes[0].Path, q, limits)
	found, _, err := runner.Keep(store, key, func() (search.Finding, error) { return search.Find(ctx, at, q, limits, options) })
	return found, err
}

// watch records a timeline of a scenario, unless the store has it.
func (e *Experiment) watch(ctx context.Context, s scenario.Scenario, timeline *metrics.Timeline, store runner.Store) error {
	key := runner.Key("timeline", s.Key(), timeline.From, timeline.Width, len(timeline.Fleet))
	kept, _, err := runner.Keep(store, key, func() (metrics.Timeline, error) {
		err := runner.Watch(ctx, e.builder, s, timeline)
		return *timeline, err
	})
	*timeline = kept
	return err
}
