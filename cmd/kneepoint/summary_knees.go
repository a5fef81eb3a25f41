package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// kneeMeaning says in a line what the knees of a summary are, or where else it looks.
func kneeMeaning(res *results.Results) string {
	if len(res.Sweep) == 0 {
		return "what limits each strategy"
	}
	knee := firstKnee(res)
	switch {
	case knee == nil:
		value := ends(&res.Series[0])[1].Value
		if _, number := value.Number(); !number {
			return fmt.Sprintf("at %s %s", res.Sweep[0].Label, value)
		}
		return fmt.Sprintf("at the highest %s (%s)", res.Sweep[0].Label, value)
	case knee.Kind == results.KneePower || knee.Target == 0:
		return "knee: where throughput / latency is largest, as no SLO is set"
	}
	var shares []string // one for all, but where the attainment is swept
	for _, target := range res.Targets() {
		shares = append(shares, targetText(target))
	}
	return fmt.Sprintf("knee: %s %s of requests meet the SLO%s", whereMet(knee), strings.Join(shares, " or "), boundsText(res))
}

// whereMet says on which side of a knee the objective is met.
func whereMet(k *results.Knee) string {
	if k.Rising {
		return "from there on"
	}
	return "up to there"
}

// firstKnee is any knee; nil where there is none.
func firstKnee(res *results.Results) *results.Knee {
	for i := range res.Series {
		if res.Series[i].Knee != nil {
			return res.Series[i].Knee
		}
	}
	return nil
}

// boundsText names the bounds of the objective in brackets, where all requests have the same.
func boundsText(res *results.Results) string {
	var bounds []string
	for _, b := range res.SLO.Bounds() {
		bounds = append(bounds, b.Name+" "+units.Shortest(b.MS)+" ms")
	}
	for i := range res.Points {
		if res.Points[i].SLO != nil {
			return ""
		}
	}
	if len(bounds) == 0 || res.Facts.Traffic.OwnObjectives {
		return ""
	}
	return " (" + strings.Join(bounds, ", ") + ")"
}

// kneeSheet has what is most worth knowing of the first n curves, a row each.
func kneeSheet(res *results.Results, n int) *sheet {
	heads := []head{{title: "strategy", name: isName}}
	hasKnees, priced := firstKnee(res) != nil, hasMetric(res, metrics.CostPerMillionTokens)
	limited := hasKnees && firstKnee(res).Target > 0
	if hasKnees {
		heads = append(heads, kneeHead(res))
	}
	if len(res.KneeDifferences) > 0 {
		heads = append(heads, head{title: "over\n" + text.Snip(res.Strategies[0], 10, "…"), spare: 2})
	}
	heads = append(heads, head{title: "bottleneck", spare: 1})
	if limited {
		heads = append(heads, head{title: "missed\nfirst"})
	}
	if priced {
		heads = append(heads, head{title: "output\n$/Mtok", spare: 3})
	}
	t := newSheet(heads...)
	t.Style().Options.SeparateHeader = false
	for i := range res.Series[:n] {
		s := &res.Series[i]
		row := table.Row{s.Label}
		if hasKnees {
			row = append(row, kneeCell(s))
		}
		if len(res.KneeDifferences) > 0 {
			row = append(row, kneeRatio(res, s))
		}
		row = append(row, string(examined(res, s).Why.Bottleneck))
		if limited {
			row = append(row, cmp.Or(res.LimitingBound(s), "–"))
		}
		if priced {
			row = append(row, known(costAt(res, s), units.Significant))
		}
		t.AppendRow(row)
	}
	return t
}

func kneeHead(res *results.Results) head {
	return head{title: plain(cmp.Or(res.Sweep[0].Unit, res.Sweep[0].Label)).title("knee")}
}

// kneeCell is a knee with its interval, or between which swept loads it lies.
func kneeCell(s *results.Series) string {
	k := s.Knee
	switch {
	case k == nil:
		return "–"
	case k.Kind == results.KneeBelow && valueAt(ends(s)[0], metrics.Attainment) < k.Target:
		return "SLO never met"
	case k.Kind == results.KneeBelow && k.Rising, k.Kind == results.KneeBeyond && !k.Rising:
		return "beyond " + loadText(k.Value)
	case k.Kind == results.KneeBelow, k.Kind == results.KneeBeyond:
		return "below " + loadText(k.Value)
	case k.Kind == results.KneePower || k.Low == nil || k.High == nil:
		return loadText(k.Value)
	}
	about := "≈"
	if k.Kind == results.KneeSearched {
		about = ""
	}
	return fmt.Sprintf("%s%s (%s–%s)", about, loadText(k.Value), loadText(*k.Low), loadText(*k.High))
}

// kneeRatio is a knee over that of the first strategy, where they are known to differ. A curve
// that is compared with several has no one ratio, and one that ends before its knee is only
// more or less.
func kneeRatio(res *results.Results, s *results.Series) string {
	var found []*results.KneeDifference
	for i := range res.KneeDifferences {
		if d := &res.KneeDifferences[i]; d.Strategy == s.Strategy && holds(d.Fixed, s.Fixed) {
			found = append(found, d)
		}
	}
	if len(found) != 1 {
		return ""
	}
	d := found[0]
	base := slices.IndexFunc(res.Series, func(b results.Series) bool { return b.Strategy == d.Baseline && holds(d.Fixed, b.Fixed) })
	switch {
	case !d.Distinguishable:
		return "unclear"
	case isWithin(s.Knee) && base >= 0 && isWithin(res.Series[base].Knee):
		return kneeDifferenceText(d)
	case d.Relative.Mean < 0:
		return "less"
	}
	return "more"
}

// isWithin tells whether a knee is known on both sides.
func isWithin(k *results.Knee) bool { return k != nil && k.Low != nil && k.High != nil }

// holds tells whether all values of one setting are in another.
func holds(all, some results.Setting) bool {
	for path, v := range some {
		if !v.Same(all[path]) {
			return false
		}
	}
	return true
}

// examined is the point of a curve that a summary tells the bottleneck of: the last one that
// was simulated and meets the objective, near the knee where it was searched, the lowest one where none does, and without a knee
// the highest one.
func examined(res *results.Results, s *results.Series) *results.Point {
	for _, points := range [][]results.Point{res.KneePoints(s), s.Points} { // those of a search may all be beyond it
		if at := kneePoint(points, s.Knee); at >= 0 {
			return &points[at]
		}
	}
	if s.Knee != nil {
		return ends(s)[0]
	}
	return ends(s)[1]
}

// kneePoint is the index of the point with the highest load up to a knee: the last
// one that was simulated and meets the objective. It is -1 when there is none.
func kneePoint(points []results.Point, k *results.Knee) int {
	at, highest := -1, math.Inf(-1)
	if k == nil || k.Kind == results.KneeBelow {
		return at
	}
	knee, sign := k.Value, 1.0
	if k.Rising {
		sign = -1
	}
	for i, p := range points {
		if load, ok := p.Value.Number(); ok && sign*load <= sign*knee && sign*load > highest {
			at, highest = i, sign*load
		}
	}
	return at
}

// costAt is the price of a million output tokens at the knee, or where a curve without one is
// examined.
func costAt(res *results.Results, s *results.Series) float64 {
	if s.Knee != nil {
		return res.MetricAtKnee(s, metrics.CostPerMillionTokens)
	}
	return valueAt(examined(res, s), metrics.CostPerMillionTokens)
}
