package workloads

import (
	"fmt"
	"math"
	"slices"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// selection collects the rows of a trace that were asked for.
type selection struct {
	scale, start, end float64
	limit             int
	taken             int // rows that were asked for
	rows              []row
	seen              bool    // a row, whether asked for or not
	first, last       float64 // arrivals
	keep              int     // rows; once there are more, none is kept, if none has anything in common with others
	passed            bool    // they are not kept
	digest            digest  // of those that are not
}

// add takes a row and reports whether it wants more. It refuses one that would arrive when
// the clock is not exact any more, or for which there is no room.
func (s *selection) add(r row) (more bool, err error) {
	s.seen = true
	if r.at >= s.end {
		return false, nil
	}
	if r.at >= s.start {
		r.at = (r.at - s.start) * s.scale
		if r.at > float64(units.Longest) {
			return false, &badinput.Error{
				Problem: fmt.Sprintf("would arrive after %.3g s: times count from 0 or from start, and time_scale multiplies them", r.at),
				Allowed: withinLongest,
			}
		}
		if err := s.take(r); err != nil {
			return false, err
		}
	}
	return s.taken < s.limit, nil
}

// take takes a row that was asked for.
func (s *selection) take(r row) error {
	if s.taken == 0 {
		s.first = r.at
	}
	s.taken, s.last = s.taken+1, r.at
	switch {
	case s.passed && r.content != nil:
		return errShares
	case s.passed:
		s.digest.put(&r)
		return nil
	case len(s.rows) == mostRows:
		return tooMuch(fmt.Sprintf("%d rows", mostRows))
	case len(s.rows) < s.keep:
		s.rows = append(s.rows, r)
		return nil
	}
	return s.pass(append(s.rows, r))
}

// pass keeps no rows from now on, if those until now have nothing in common.
func (s *selection) pass(rows []row) error {
	if s.keep = math.MaxInt; slices.ContainsFunc(rows, func(r row) bool { return r.content != nil }) {
		s.rows = rows
		return nil
	}
	for i := range rows {
		s.digest.put(&rows[i])
	}
	s.passed, s.rows = true, nil
	return nil
}

// empty says why nothing was selected.
func (s *selection) empty() error {
	if s.seen {
		return &badinput.Error{Key: "start", Value: units.Seconds(s.start).String(), Problem: "no row of the trace lies between start and end"}
	}
	return &badinput.Error{Problem: "the trace has no rows", Allowed: "a row for each request"}
}
