package experiments

import (
	"fmt"
	"reflect"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// checkNotOverItself refuses the ratio of a strategy's metric to itself at the same
// point, which is 1 whatever the simulation says; key is that of the table.
func (e *Experiment) checkNotOverItself(key string, x *ExpectSpec) error {
	if x.Ratio == nil && len(x.At) < 2 || x.Ratio != nil && x.Ratio[0] != x.Ratio[1] {
		return nil
	}
	if len(x.At) == 2 && !reflect.DeepEqual(e.pointAt(x.At[0]), e.pointAt(x.At[1])) {
		return nil
	}
	if x.Ratio != nil {
		return &badinput.Error{
			Key:     key + ".ratio",
			Value:   fmt.Sprintf("%q", x.Ratio),
			Problem: "is a metric over itself: one strategy, at one point",
			Allowed: "two strategies, or two places in at",
		}
	}
	return &badinput.Error{
		Key:     key + ".at",
		Value:   x.At.EncodeTOML(),
		Problem: "is the same point twice: a metric over itself",
		Allowed: "two points, or one",
	}
}

// pointAt is a place by the values of its point, as far as these do not depend on
// results, as the sweep writes them: 8 and 8.0 are the same, and one of them may be the
// lowest.
func (e *Experiment) pointAt(p PlaceSpec) results.Place {
	if len(e.Axes) == 0 {
		return results.Place{}
	}
	first := &e.Axes[0]
	if v := first.Place(p.Word); !v.IsZero() {
		p = PlaceSpec{Value: v}
	}
	if !p.Value.IsZero() {
		p = PlaceSpec{Values: results.Setting{first.Path: p.Value}}
	}
	point := results.Place{Word: p.Word, Values: results.Setting{}}
	for _, axis := range e.Axes {
		if i := slices.IndexFunc(axis.Values, p.Values[axis.Path].Same); i >= 0 {
			point.Values[axis.Path] = axis.Values[i]
		}
	}
	return point
}
