package results

import (
	"fmt"
	"math"
	"strings"

	"kneepoint/sim/metrics"
)

// Place is where on a curve a metric is looked at: a word, a value of the first
// swept variable, or values of several. The zero Place is the one point of an
// experiment without a sweep.
type Place struct {
	Word   string  `json:"word,omitempty"`   // one of Words
	Value  Value   `json:"value,omitzero"`   // where one variable is swept, or several are zipped
	Values Setting `json:"values,omitempty"` // one for each variable that is swept
}

// Words are the places that depend on the results, as an experiment file names them.
var Words = []string{Lowest, Highest, AtKnee, Saturation}

// The words for places.
const (
	Lowest     = "lowest"  // swept value
	Highest    = "highest" // swept value
	AtKnee     = "knee"
	Saturation = "saturation" // where output throughput is highest
)

// Place is the value of the axis at a word; none where that depends on results.
func (a *Axis) Place(word string) Value {
	var best Value
	for _, v := range a.Values {
		switch word {
		case Lowest, Highest:
			if best.IsZero() || (v.order() < best.order()) == (word == Lowest) {
				best = v
			}
		case Saturation:
			if len(a.Values) == 1 {
				best = v
			}
		}
	}
	return best
}

// name says where the place is on a sweep of axes.
func (p *Place) name(axes []Axis) string {
	switch {
	case !p.Value.IsZero():
		return fmt.Sprintf("at %s %v", axes[0].Label, p.Value)
	case p.Word != "":
		return "at " + p.Word
	case len(p.Values) > 0:
		var parts []string
		for _, axis := range axes {
			if v, given := p.Values[axis.Path]; given {
				parts = append(parts, fmt.Sprintf("%s %v", axis.Label, v))
			}
		}
		return "at " + strings.Join(parts, ", ")
	}
	return ""
}

// PointAt is the point of a curve at a place; nil where there is none: where that is on
// another curve, the run was cut short before it, or the knee lies below the sweep. At a
// knee it is the swept value nearest to it.
func (p *Plan) PointAt(s *Series, at Place) *Point {
	switch {
	case s == nil || at.Values != nil && !s.holds(&at):
		return nil
	case at.Word == AtKnee:
		return p.nearestToKnee(s)
	}
	return p.find(s, &at)
}

// PointShown is the point of a curve that a figure looks at: PointAt, but of a curve that
// meets the objective nowhere, which has no knee, the lowest.
func (p *Plan) PointShown(s *Series, at Place) *Point {
	if point := p.PointAt(s, at); point != nil || at.Word != AtKnee || s.Knee == nil {
		return point
	}
	return p.PointAt(s, Place{Word: Lowest})
}

// find is the point of a curve at a place that is no knee; nil where there is none.
func (p *Plan) find(s *Series, at *Place) *Point {
	var best *Point
	for i := range s.Points {
		point := &s.Points[i]
		switch at.Word {
		case Lowest, Highest:
			if best == nil || (point.Value.order() < best.Value.order()) == (at.Word == Lowest) {
				best = point
			}
		case Saturation:
			if best == nil || point.mean(metrics.OutputThroughput) > best.mean(metrics.OutputThroughput) {
				best = point
			}
		default:
			wanted := at.Value
			if at.Values != nil {
				wanted = at.Values[p.Sweep[0].Path]
			}
			if len(p.Sweep) == 0 || point.Value.Same(wanted) {
				return point
			}
		}
	}
	return best
}

// nearestToKnee is the point nearest to the knee, as a figure shows it; nil where there is none.
func (p *Plan) nearestToKnee(s *Series) *Point {
	if s.Knee == nil || s.Knee.Kind == KneeBelow {
		return nil
	}
	scale := func(x float64) float64 { return x }
	if p.Sweep[0].Geometric() {
		scale = math.Log
	}
	var nearest *Point
	distance := math.Inf(1)
	for i := range s.Points {
		point := &s.Points[i]
		if d := math.Abs(scale(point.Value.order()) - scale(s.Knee.Value)); d < distance {
			nearest, distance = point, d
		}
	}
	return nearest
}

// curve is the curve of a strategy that a place lies on; nil when there is none.
func (p *Plan) curve(all []Series, strategy string, at *Place) *Series {
	for i := range all {
		if s := &all[i]; s.Strategy == strategy && s.holds(at) {
			return s
		}
	}
	return nil
}

// holds tells whether a place lies on the curve, of those of its strategy.
func (s *Series) holds(at *Place) bool {
	for path, v := range s.Fixed {
		if !v.Same(at.Values[path]) {
			return false
		}
	}
	return true
}
