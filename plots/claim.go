package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// limit is up to where one series meets an objective.
type limit struct {
	name  string
	kind  results.KneeKind // as between swept points where it was searched
	value float64
	tied  []string // names of those that it is not known to differ from
}

// sloLimits returns the knees of all series as limits of the service level
// objective; nothing unless every series has one.
func sloLimits(res *results.Results) []limit {
	var limits []limit
	for i := range res.Series {
		one := &res.Series[i]
		if one.Knee == nil || one.Knee.Kind == results.KneePower {
			return nil
		}
		l := limit{name: seriesName(*one), kind: one.Knee.Kind, value: one.Knee.Value}
		if l.kind == results.KneeSearched || l.kind == results.KneeBracketed {
			l.kind = results.KneeInterpolated
		}
		for k := range res.Series {
			if other := &res.Series[k]; k != i && other.Knee != nil {
				if _, apart := res.CompareKnees(one, other); !apart {
					l.tied = append(l.tied, seriesName(*other))
				}
			}
		}
		limits = append(limits, l)
	}
	return limits
}

// ties tells whether two limits are not known to differ.
func (l limit) ties(other limit) bool { return slices.Contains(l.tied, other.name) }

// byValue sorts limits from the best to the worst.
func byValue(limits []limit) []limit {
	rank := map[results.KneeKind]int{results.KneeBeyond: 0, results.KneeInterpolated: 1, results.KneeBelow: 2}
	sorted := slices.Clone(limits)
	slices.SortStableFunc(sorted, func(a, b limit) int {
		return cmp.Or(cmp.Compare(rank[a.kind], rank[b.kind]), cmp.Compare(b.value, a.value))
	})
	return sorted
}

// upTo says up to where an objective is met, like "SLO met up to 14.2 req/s
// with continuous, 5.1 with static"; "" when there is nothing to say.
func upTo(met string, limits []limit, s sweep) string {
	if len(limits) == 0 || !s.isLoad() {
		return ""
	}
	sorted := byValue(limits)
	best, worst := sorted[0], sorted[len(sorted)-1]
	switch {
	case best.kind == results.KneeBelow:
		return fmt.Sprintf("%s at no swept %s", met, s.amount())
	case worst.kind == results.KneeBeyond:
		return fmt.Sprintf("%s over the whole sweep, up to %s", met, s.quantity(exact(worst.value)))
	case len(sorted) == 1:
		return fmt.Sprintf("%s up to %s", met, s.quantity(approximate(best.value)))
	}
	if len(sorted) > 3 {
		best.name, worst.name = together(best, limits), together(worst, limits)
		sorted = []limit{best, worst}
	}
	claim := met
	for i, l := range sorted {
		number := l.text()
		switch {
		case i > 0 && l.ties(best):
			claim += fmt.Sprintf(", not distinguishable with %s", l.name)
		case l.kind == results.KneeBelow && i > 0:
			claim += fmt.Sprintf(", never with %s", l.name)
		case i == 0:
			claim += fmt.Sprintf(" up to %s with %s", s.quantity(number), l.name)
		default:
			claim += fmt.Sprintf(", %s with %s", number, l.name)
		}
	}
	return claim
}

// together names a limit and those that are not known to differ from it, in the order of
// the series.
func together(best limit, limits []limit) string {
	var names []string
	for _, l := range limits {
		if l.name == best.name || l.ties(best) && l.kind == best.kind {
			names = append(names, l.name)
		}
	}
	if len(names) > 2 {
		return fmt.Sprintf("%s and %d others", names[0], len(names)-1)
	}
	return strings.Join(names, " and ")
}

func (l limit) text() string {
	if l.kind == results.KneeBeyond {
		return "at least " + exact(l.value)
	}
	return approximate(l.value)
}

// greatestRatio is the factor up to which loads are compared as a ratio. Beyond,
// the smaller one is next to nothing, and the ratio says little of the greater.
const greatestRatio = 20

// timesTheLoad compares the best series with the worst: "Within the SLO,
// continuous serves 2.8× the load of static"; "" unless the worst series' limit
// is known and clearly, but not vanishingly, smaller.
func timesTheLoad(limits []limit, s sweep) string {
	if len(limits) < 2 || !s.isLoad() {
		return ""
	}
	sorted := byValue(limits)
	best, worst := sorted[0], sorted[len(sorted)-1]
	if worst.ties(best) {
		return ""
	}
	if worst.kind != results.KneeInterpolated || worst.value <= 0 || best.value < 1.1*worst.value || best.value > greatestRatio*worst.value {
		return ""
	}
	atLeast := ""
	if best.kind == results.KneeBeyond {
		atLeast = "at least "
	}
	return fmt.Sprintf("Within the SLO, %s serves %s%s the load of %s", best.name, atLeast, times(best.value/worst.value), worst.name)
}

// peak is the largest value of a metric of one series.
type peak struct {
	name string
	metrics.Estimate
}

// peaks returns the largest value of the metric of every series that has one, swept or at a searched knee,
// from the greatest to the least.
func (m measure) peaks(res *results.Results, swept sweep) []peak {
	var all []peak
	for _, s := range res.Series {
		best := peak{name: seriesName(s)}
		found := false
		for _, p := range s.Points {
			if e := estimate(p, m.key); finite(e.Mean) && (!found || e.Mean > best.Mean) {
				best.Estimate, found = e, true
			}
		}
		if k := s.Knee; found && m.isGoodput(swept) && k != nil && k.Kind == results.KneeSearched && goodputAtKnee(k) > best.Mean {
			best.Estimate = metrics.Estimate{Mean: goodputAtKnee(k), Half: k.Target * (*k.High - *k.Low) / 2}
		}
		if found {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, func(a, b peak) int { return cmp.Compare(b.Mean, a.Mean) })
	return all
}

// reaches says what the best series reaches, and how much less the worst:
// "Goodput reaches 13.1 req/s with continuous, 2.7× static". Peaks whose
// intervals overlap, or that differ by less than 5 %, are not told apart, and beyond
// greatestRatio both are named.
func reaches(what, unit string, all []peak) string {
	if len(all) == 0 || !(all[0].Mean > 0) {
		return ""
	}
	best, worst := all[0], all[len(all)-1]
	value := func(p peak) string { return units.Short(p.Mean) + " " + unit }
	switch {
	case len(all) == 1 || best.Mean < 1.05*worst.Mean || !(best.Low() > worst.High()):
		return fmt.Sprintf("%s reaches %s", what, value(best))
	case best.Mean > greatestRatio*worst.Mean:
		return fmt.Sprintf("%s reaches %s with %s, %s with %s", what, value(best), best.name, value(worst), worst.name)
	default:
		return fmt.Sprintf("%s reaches %s with %s, %s %s", what, value(best), best.name, times(best.Mean/worst.Mean), worst.name)
	}
}
