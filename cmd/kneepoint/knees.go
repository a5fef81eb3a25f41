package main

import (
	"cmp"
	"fmt"
	"io"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderKnees says of every curve how much load it bears. What is not swept over a
// load has no knee and no line.
func renderKnees(w io.Writer, res *results.Results) {
	before := "\n" // one empty line, and none without knees
	for i := range res.Series {
		s := &res.Series[i]
		if s.Knee != nil {
			fmt.Fprintf(w, "%sknee of %s: %s\n", before, s.Label, kneeText(s.Knee, res))
			before = ""
		}
	}
}

// kneeText says where a knee is and how sure that is: between two swept loads it is
// interpolated, at the ends of the sweep it is only bounded.
func kneeText(k *results.Knee, res *results.Results) string {
	at := units.Significant(k.Value) + " " + cmp.Or(res.Sweep[0].Unit, res.Sweep[0].Label)
	meets := fmt.Sprintf("%s of requests meet the SLO", units.Percent(res.SLO.Attainment))
	switch k.Kind {
	case results.KneeBelow:
		return fmt.Sprintf("below %s: at no swept load %s", at, meets)
	case results.KneeBeyond:
		return fmt.Sprintf("%s or more: even there %s", at, meets)
	case results.KneePower: // a proxy, which people must not take for an objective
		return fmt.Sprintf("%s, where throughput / latency is largest (no SLO is set)", at)
	default:
		return fmt.Sprintf("≈ %s (interpolated): up to there %s", at, meets)
	}
}
