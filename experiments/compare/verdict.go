package compare

import (
	"cmp"
	"math"
	"slices"

	"kneepoint/sim/metrics"
)

// Verdict is what is known of how B differs from A in one metric at one point.
type Verdict string

// The verdicts. Of a metric of which neither more nor less is better, B has More or Less.
const (
	Better  Verdict = "better"
	Worse   Verdict = "worse"
	More    Verdict = "more"
	Less    Verdict = "less"
	Equal   Verdict = "equal"
	Unclear Verdict = "no significant difference" // one that chance makes, too
	Unknown Verdict = "not known"                 // nothing tells what chance makes
	Missing Verdict = "no value"                  // B has none, and A has one
)

// wrongly is the share of the differences that are called such which are chance's, on average. Where nothing
// differs at all, it is the probability that any is.
const wrongly = 0.05

// judge gives all rows their verdicts. Each rests on a probability that was adjusted for the number of
// rows: one in twenty of equals has an interval without 1 in it, and there may be hundreds.
func judge(rows []Row) {
	chances := make([]float64, len(rows))
	for i := range rows {
		chances[i] = rows[i].chance()
	}
	adjusted := adjust(chances)
	for i := range rows {
		rows[i].Chance = finite(adjusted[i])
		rows[i].Verdict = rows[i].verdict(adjusted[i])
	}
}

// chance is the probability of a difference that is at least as large where both sides are alike; NaN where
// that is not known.
func (r *Row) chance() float64 {
	if r.evidence == nil {
		return math.NaN()
	}
	t, df := r.evidence.against(1)
	return min(1, 2*survival(math.Abs(t), df))
}

// survival is the probability that a variable of Student's law exceeds t.
func survival(t, df float64) float64 {
	switch {
	case math.IsNaN(t):
		return math.NaN()
	case math.IsInf(t, 0):
		return 0.5 - math.Copysign(0.5, t)
	}
	return student(df).Survival(t)
}

// verdict is that of a row with an adjusted probability.
func (r *Row) verdict(chance float64) Verdict {
	switch gap := r.Difference.Mean; {
	case math.IsNaN(r.B.Mean):
		return Missing
	case math.Abs(gap) <= negligible*(math.Abs(r.A.Mean)+math.Abs(r.B.Mean)):
		return Equal
	case math.IsNaN(chance):
		return Unknown
	case chance > wrongly:
		return Unclear
	case r.Higher == metrics.Neither && gap > 0:
		return More
	case r.Higher == metrics.Neither:
		return Less
	case gap > 0 == (r.Higher == metrics.Better):
		return Better
	}
	return Worse
}

// tolerate marks the rows that are worse by more than the tolerance of their metric, a share of A. Where
// there are intervals, the one-sided test of that says so, at half of wrongly as an end of a 95 % interval does, adjusted for
// the number of rows that are held against a tolerance; and where there are none, the values alone.
func tolerate(rows []Row, tolerance map[string]float64) {
	chances := make([]float64, len(rows))
	for i := range rows {
		chances[i] = math.NaN()
		if share, held := tolerance[rows[i].Metric]; held {
			rows[i].Tolerance = &share
			chances[i] = rows[i].chanceWithin(share)
		}
	}
	adjusted := adjust(chances)
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Tolerance == nil:
		case math.IsNaN(adjusted[i]):
			r.Beyond = r.valueBeyond(*r.Tolerance)
		default:
			r.Beyond = adjusted[i] <= wrongly/2
		}
	}
}

// limit is the ratio of B to A at which B is worse by a share of A, and the sign of what is beyond it.
func (r *Row) limit(share float64) (ratio, sign float64) {
	if r.Higher == metrics.Better {
		return 1 - share, -1
	}
	return 1 + share, 1
}

// chanceWithin is the probability of runs that look at least as bad where B is worse by no more than a share.
func (r *Row) chanceWithin(share float64) float64 {
	if r.evidence == nil {
		return math.NaN()
	}
	ratio, sign := r.limit(share)
	t, df := r.evidence.against(ratio)
	return survival(sign*t, df)
}

// valueBeyond tells whether the value of B is worse by more than a share; no value is.
func (r *Row) valueBeyond(share float64) bool {
	ratio, sign := r.limit(share)
	gap := sign * (r.B.Mean - ratio*r.A.Mean)
	return math.IsNaN(gap) || gap > negligible*(math.Abs(r.A.Mean)+math.Abs(r.B.Mean))
}

// Undecided tells whether a row may be worse by more than its tolerance, though that is not known.
func (r *Row) Undecided() bool {
	switch {
	case r.Tolerance == nil || r.Beyond || r.evidence == nil || r.Verdict == Equal:
		return false
	case r.Higher == metrics.Better:
		return !(r.Ratio.Low >= 1-*r.Tolerance)
	}
	return !(r.Ratio.High <= 1+*r.Tolerance)
}

// adjust makes probabilities such that those up to a level are discoveries of which that share is false, on average: the
// i-th smallest of m, from 1 on, becomes m/i times as large, and no larger than the one behind. It holds where metrics
// rise and fall together, as those of the same runs do. NaN stands for none, and does not count. (Benjamini and Hochberg 1995,
// "Controlling the false discovery rate"; Benjamini and Yekutieli 2001 for what depends on each other.)
func adjust(chances []float64) []float64 {
	adjusted := make([]float64, len(chances))
	var order []int
	for i, p := range chances {
		if adjusted[i] = math.NaN(); !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(chances[i], chances[j]) })
	most := 1.0
	for rank, i := range slices.Backward(order) {
		most = min(most, chances[i]*float64(len(order))/float64(rank+1))
		adjusted[i] = most
	}
	return adjusted
}
