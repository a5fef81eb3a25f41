package heldout

import (
	"context"
	"math"
	"slices"
	"strings"
)

// bend is the error from which on a prediction counts in proportion, and below it by its
// square; mostLoss what one counts at most: a run that is taken over its knee, or whose
// protocol was another, rules no fit.
const (
	bend     = 0.05
	mostLoss = 0.5
)

// loss is the mean over the runs and their mean latencies of
//
//	sqrt(bend² + x²) - bend with x = min(mostLoss, |ln(predicted/measured)|)
func (r *repeater) loss(ctx context.Context, runs []*run, at place) (float64, error) {
	found, err := r.predict(ctx, runs, at)
	if err != nil {
		return 0, err
	}
	var sum float64
	n := 0
	for _, rows := range found {
		for i := range rows {
			if isMean(rows[i].Metric) {
				sum += math.Hypot(bend, min(mostLoss, math.Abs(math.Log(rows[i].Predicted/rows[i].Measured)))) - bend
				n++
			}
		}
	}
	return sum / float64(max(n, 1)), nil
}

// isMean tells whether a metric is one that a fit is made to.
func isMean(metric string) bool {
	return strings.Contains(metric, "_mean_") || strings.HasPrefix(metric, "silicon_")
}

// mostSweeps ends a fit in which moves that are judged by different runs undo each other.
const mostSweeps = 20

// fit is the place that some runs ask for, from the first values on. Knobs that none of them
// depends on have the values of those that stand in for them.
func (r *repeater) fit(ctx context.Context, runs []*run) (place, error) {
	at := make(place, len(r.knobs))
	single, pairs := r.knobs.moves()
	moved := true
	for n := 0; moved && n < mostSweeps; n++ {
		var err error
		if moved, err = r.sweep(ctx, runs, at, single); err == nil && !moved {
			moved, err = r.sweep(ctx, runs, at, pairs)
		}
		if err != nil {
			return nil, err
		}
	}
	spoken := func(i int) bool {
		return slices.ContainsFunc(runs, func(x *run) bool { return slices.Contains(x.on, i) })
	}
	for i := range at {
		if !spoken(i) {
			at[i] = at[r.knobs.standIn(i, spoken)]
		}
	}
	return at, nil
}

// sweep makes all moves once, and tells whether one of them led anywhere.
func (r *repeater) sweep(ctx context.Context, runs []*run, at place, moves []move) (moved bool, err error) {
	for _, m := range moves {
		further, err := r.descend(ctx, runs, at, m)
		if err != nil {
			return moved, err
		}
		moved = moved || further
	}
	return moved, nil
}

// move turns one knob by a value, or two of them.
type move []turn

type turn struct{ knob, by int }

// moves are all that a descent tries: each knob up and down, and up and down against the
// knob that it trades against.
func (k knobs) moves() (single, pairs []move) {
	for i := range k {
		single = append(single, move{{i, 1}}, move{{i, -1}})
		for j := range k {
			if k[i].of.against == k[j].of.key && (k[i].owner == k[j].owner || k[j].of.shared) {
				pairs = append(pairs, move{{i, 1}, {j, -1}}, move{{i, -1}, {j, 1}})
			}
		}
	}
	return single, pairs
}

// along is a place one move further; false where a list of values ends.
func (k knobs) along(at place, m move) (place, bool) {
	next := slices.Clone(at)
	for _, t := range m {
		next[t.knob] += t.by
		if next[t.knob] < 0 || next[t.knob] == len(k[t.knob].of.values) {
			return nil, false
		}
	}
	return next, true
}

// toldBy are the runs that a move is judged by: those that depend on its knobs, and of these those that
// tell its constants apart from others, if there are any.
func (k knobs) toldBy(runs []*run, m move) []*run {
	runs = slices.DeleteFunc(slices.Clone(runs), func(x *run) bool {
		return !slices.ContainsFunc(m, func(t turn) bool { return slices.Contains(x.on, t.knob) })
	})
	for _, t := range m {
		shows := k[t.knob].of.shows
		if shows != nil && slices.ContainsFunc(runs, shows) {
			runs = slices.DeleteFunc(runs, func(x *run) bool { return !shows(x) })
		}
	}
	return runs
}

// descend moves on as long as that makes things no worse, and tells whether it ended at a
// better place. Only runs that depend on the knobs are looked at.
func (r *repeater) descend(ctx context.Context, runs []*run, at place, m move) (moved bool, err error) {
	runs = r.knobs.toldBy(runs, m)
	if len(runs) == 0 {
		return false, nil
	}
	best, err := r.loss(ctx, runs, at)
	for next, inside := r.knobs.along(at, m); err == nil && inside; next, inside = r.knobs.along(next, m) {
		var loss float64
		if loss, err = r.loss(ctx, runs, next); err != nil || loss > best {
			break
		}
		if loss < best {
			best, moved = loss, true
			copy(at, next)
		}
	}
	return moved, err
}
