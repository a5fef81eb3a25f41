package plots

import (
	"strings"

	"kneepoint/experiments/results"
)

// placeNotes say which points the figure shows of curves at their knees.
func (r *request) placeNotes() []string {
	if r.At.Word != results.AtKnee {
		return nil
	}
	notes := []string{"each curve at the swept value nearest to its knee"}
	if names := neverMet(r.res); len(names) > 0 {
		notes = append(notes, "SLO not met at any point, so at the lowest: "+strings.Join(names, ", "))
	}
	return notes
}

// nameAt names a curve, with the load where that is another one for each.
func (r *request) nameAt(s *results.Series, p *results.Point) string {
	if sweep, swept := newSweep(r.res); swept && (r.At.Word == results.AtKnee || r.At.Word == results.Saturation) {
		return seriesName(*s) + ", " + sweep.quantity(valueName(p.Value))
	}
	return seriesName(*s)
}

// where says at which place on the curves a figure looks: by its value where it is the same
// on all of them.
func (r *request) where() string {
	s, swept := newSweep(r.res)
	if !swept {
		return ""
	}
	switch {
	case r.At.Word == results.AtKnee && len(neverMet(r.res)) == len(r.res.Series):
		return " at the lowest " + s.name()
	case r.At.Word == results.AtKnee:
		return " at the knee"
	case r.At.Word == results.Saturation:
		return " at the highest throughput"
	}
	p := r.res.PointShown(&r.res.Series[0], r.At)
	switch {
	case p == nil:
		return ""
	case s.categories != nil:
		return " with " + s.name() + " " + valueName(p.Value)
	}
	return " at " + s.quantity(valueName(p.Value))
}
