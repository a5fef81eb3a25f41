package experiments

import (
	"context"
	"errors"
	"math"

	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/search"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// impossible is why the file cannot have a load.
type impossible struct {
	load float64
	why  *badinput.Error
}

func (e *impossible) Error() string { return e.why.Error() }
func (e *impossible) Unwrap() error { return e.why }

// building makes scenarios at loads, of which some may be impossible: a mean length beyond what its law allows.
type building func(load float64) (scenario.Scenario, error)

// possible is a building that tells at which load nothing can be built.
func (b building) possible(load float64) (scenario.Scenario, error) {
	s, err := b(load)
	var why *badinput.Error
	if errors.As(err, &why) {
		err = &impossible{load, why}
	}
	return s, err
}

// findPossible searches a knee among the loads that the file can have: where one that is tried is impossible, it begins again with the last
// possible one on that side as the end, and says why there are none beyond.
func (e *Experiment) findPossible(
	ctx context.Context,
	at building,
	q search.Question,
	limits search.Limits,
	options search.Options,
	store runner.Store,
) (search.Finding, error) {
	edge := ""
	for {
		found, err := e.findKnee(ctx, at.possible, q, limits, options, store)
		found.Edge = edge
		var end *impossible
		if !errors.As(err, &end) {
			return found, err
		}
		last, side := at.lastTo(q.Met, end.load, q.Whole), &q.Smallest
		if end.load > q.Met {
			side = &q.Largest
		}
		if *side == last || last == end.load {
			return found, end.why
		}
		*side, edge = last, end.why.Error()
	}
}

// lastTo is the load nearest to an impossible one that is possible, from one that is on, to three digits.
func (b building) lastTo(possible, impossible float64, whole bool) float64 {
	const digits = 4
	for {
		middle := units.Round(math.Sqrt(possible*impossible), digits)
		if whole {
			middle = math.Floor((possible + impossible) / 2)
		}
		if middle == possible || middle == impossible {
			return possible
		}
		if _, err := b(middle); err == nil {
			possible = middle
		} else {
			impossible = middle
		}
	}
}
