package main

import (
	"fmt"
	"io"

	"kneepoint/hardware/estimate"
	"kneepoint/units"
)

// renderPortable writes what a battery yields, and what the cooling sustains: a
// laptop or phone keeps its peak for minutes only. A server has neither line.
func renderPortable(w io.Writer, e *estimate.Report) {
	p := e.Portable
	if p == nil { // no battery, and no limit of the cooling is known
		return
	}
	if p.BatteryWh > 0 {
		fmt.Fprintf(w, "battery: %s tokens per percent of %s Wh, when the accelerator alone draws on it\n",
			units.Significant(p.TokensPerPercent), units.Significant(p.BatteryWh))
	}
	if p.SustainedTokensPerSecond > 0 {
		between := ""
		if p.SustainedLeast < p.SustainedMost {
			between = fmt.Sprintf(" (%s to %s)", units.Significant(p.SustainedLeast), units.Significant(p.SustainedMost))
		}
		fmt.Fprintf(w, "sustained: %s tok/s%s after %s at full load\n",
			units.Significant(p.SustainedTokensPerSecond), between, units.Seconds(p.SustainedAfterS))
	}
}
