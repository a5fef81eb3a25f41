package main

import (
	"fmt"
	"io"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// renderOffered says of every knee what its runs offered, where that is not what was asked
// for.
func renderOffered(w io.Writer, res *results.Results) {
	if !res.OfferedApart() {
		return
	}
	for i := range res.Series {
		if s := &res.Series[i]; s.KneeOffered != nil {
			fmt.Fprintf(w, "over the offered rate the knee of %s is at %s req/s: that is what runs at %s offer\n",
				s.Label, units.Significant(*s.KneeOffered), units.Significant(s.Knee.Value))
		}
	}
}
