package results

import (
	"fmt"
	"slices"
)

// steadyWarnings say of closed loops which part of their runs is shown.
func (p *Plan) steadyWarnings(groups []group) []Warning {
	closed := p.Facts.Traffic.Process == "closed" || p.Facts.Traffic.Users > 0
	var found, unsettled, whole []int // groups
	first, most, last := 0, 0, 0
	for i := range groups {
		for _, run := range groups[i].runs {
			s := run.SteadyState
			switch {
			case s == nil && run.Steady == nil && closed:
				whole = append(whole, i)
			case s == nil:
				continue
			default:
				if len(found) == 0 {
					first = s.First
				}
				found = append(found, i)
				first, most, last = min(first, s.First), max(most, s.First), max(last, run.sent()-s.End)
				if !s.Settled {
					unsettled = append(unsettled, i)
				}
			}
		}
	}
	var all []Warning
	add := func(kind Kind, of []int, text string) {
		if len(of) > 0 {
			all = append(all, Warning{kind, text, p.whereOf(groups, slices.Compact(of))})
		}
	}
	add(
		SteadyShown,
		found,
		fmt.Sprintf("closed loop: steady state, without the first %s requests of a run (MSER-5) and the last %d", between(first, most), last),
	)
	add(Unsettled, unsettled, "the warm-up was not over in the first half of a run: what is shown may not be steady; more requests would tell")
	add(WholeShown, whole, "closed loop: the whole run is shown, its start included, being too short for a steady state, or streamed")
	return all
}

// sent is the number of requests of the run.
func (r *Run) sent() int { return int(r.Metrics.Offered()) }

// between is a range of numbers in words.
func between(low, high int) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// whereOf names groups; nil where it is all of them.
func (p *Plan) whereOf(groups []group, of []int) []Where {
	if len(of) == len(groups) {
		return nil
	}
	var where []Where
	for _, i := range of {
		where = append(where, p.Where(groups[i].strategy, groups[i].point))
	}
	return where
}
