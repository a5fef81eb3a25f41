package main

import (
	"fmt"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderOffered says of every knee what its runs offered, where that is not what was asked
// for.
func renderOffered(p page, res *results.Results) {
	if !res.OfferedApart() {
		return
	}
	for i := range res.Series {
		if s := &res.Series[i]; s.KneeOffered != nil {
			p.paragraph(fmt.Sprintf("over the offered rate the knee of %s is at %s req/s: that is what runs at %s offer",
				s.Label, units.Significant(*s.KneeOffered), units.Significant(s.Knee.Value)))
		}
	}
}
