package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// renderKnees says of every curve how much load it bears, and how that differs from the
// first strategy's. What is not swept over a load has no knee and no line.
func renderKnees(p page, res *results.Results) {
	if slices.ContainsFunc(res.Series, func(s results.Series) bool { return s.Knee != nil }) {
		p.heading("knees")
	}
	for i := range res.Series {
		if s := &res.Series[i]; s.Knee != nil {
			p.paragraph(fmt.Sprintf("knee of %s: %s%s", s.Label, kneeText(s.Knee, res), unservedText(s)))
		}
	}
	for i := range res.KneeDifferences {
		d := &res.KneeDifferences[i]
		p.paragraph(fmt.Sprintf("knee of %s compared with %s%s: %s", d.Strategy, d.Baseline, fixedText(d.Fixed, res), kneeDifferenceText(d)))
	}
}

// kneeText says where a knee is and how sure that is: searched it has an interval,
// between two swept loads it is only bounded, and at the ends of the sweep on one side.
func kneeText(k *results.Knee, res *results.Results) string {
	unit := cmp.Or(res.Sweep[0].Unit, res.Sweep[0].Label)
	at := loadText(k.Value) + " " + unit
	meets := fmt.Sprintf("%s of requests meet the SLO%s", targetText(k.Target), basisText(k))
	switch k.Kind {
	case results.KneeBelow:
		beyond := "below"
		if k.Rising {
			beyond = "above"
		}
		return fmt.Sprintf("%s %s: at no swept load %s", beyond, at, meets)
	case results.KneeBeyond:
		beyond := "more"
		if k.Rising {
			beyond = "less"
		}
		return fmt.Sprintf("%s or %s: even there %s", at, beyond, meets)
	case results.KneePower: // a proxy, which people must not take for an objective
		return fmt.Sprintf("%s, where throughput / latency is largest (no SLO is set)", at)
	case results.KneeSearched:
		return fmt.Sprintf("%s (%s to %s, 95%% confidence): %s %s", at, loadText(*k.Low), loadText(*k.High), whereMet(k), meets)
	case results.KneeBracketed:
		return fmt.Sprintf("≈ %s (between %s and %s): %s %s", at, loadText(*k.Low), loadText(*k.High), whereMet(k), meets)
	default:
		return fmt.Sprintf("≈ %s (between the swept %s and %s): up to there %s", at, loadText(*k.Low), loadText(*k.High), meets)
	}
}

// loadText is a load with three digits, which show an interval of some percent.
func loadText(x float64) string { return units.Shortest(units.Round(x, 3)) }

// basisText says of which requests an attainment is.
func basisText(k *results.Knee) string {
	if k.Basis == results.SteadyState {
		return ", in the steady state"
	}
	return ", over runs as long as stated"
}

// unservedText says that a knee counts requests that were never served.
func unservedText(s *results.Series) string {
	if s.Knee.Kind == results.KneePower {
		return ""
	}
	var found []string
	for _, unserved := range []struct{ key, name string }{
		{metrics.RejectedRequests, "rejected"}, {metrics.TimedOutRequests, "timed out"}, {metrics.LostRequests, "lost"},
	} {
		if slices.ContainsFunc(s.Points, func(p results.Point) bool { return p.Metrics[unserved.key].Mean > 0 }) {
			found = append(found, unserved.name)
		}
	}
	if found == nil {
		return ""
	}
	return " (those " + strings.Join(found, " or ") + " count as missed)"
}

// fixedText names the other swept values of a curve.
func fixedText(fixed results.Setting, res *results.Results) string {
	text := ""
	for _, axis := range res.Sweep {
		if v, ok := fixed[axis.Path]; ok {
			text += fmt.Sprintf(", %s %v", axis.Label, v)
		}
	}
	return text
}

// kneeDifferenceText is by how much a knee differs, only where it is known to.
func kneeDifferenceText(d *results.KneeDifference) string {
	ratio := 1 + d.Relative.Mean
	switch {
	case !d.Distinguishable:
		return "not distinguishable"
	case math.IsNaN(d.Relative.Half):
		return factor(&ratio)
	}
	return fmt.Sprintf("%s%s", factor(&ratio), plusMinus(halfOfFactor(ratio, d.Relative.Half)))
}

// halfOfFactor is half the interval of a ratio x as factor writes it: of 1/x, where that
// is above 1, it is that of x over x², to first order.
func halfOfFactor(x, half float64) float64 {
	if x < same {
		return half / (x * x)
	}
	return half
}
