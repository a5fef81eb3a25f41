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

// where says at which place on the curves a figure looks.
func (r *request) where() string {
	s, swept := newSweep(r.res)
	switch {
	case r.At.Word == results.AtKnee:
		return " at the knee"
	case r.At.Word == results.Saturation:
		return " at the highest throughput"
	case r.At.Word != "" && swept:
		return " at the " + r.At.Word + " " + s.name()
	case swept:
		return " at " + s.quantity(valueName(r.At.Value))
	}
	return ""
}
