package main

import (
	"fmt"
	"io"
	"strings"

	"kneepoint/hardware/estimate"
	"kneepoint/units"
)

// renderColdStart writes the parts of a cold start that take time, and a wake-up
// beside it.
func renderColdStart(w io.Writer, e *estimate.Report) {
	c := e.ColdStart
	if c == nil {
		return
	}
	from := ""
	if c.LoadFrom != "" {
		from = " from " + c.LoadFrom
	}
	weights := fmt.Sprintf("weights %s%s at %s GB/s", size(c.WeightsBytes), from, units.Significant(c.BytesPerSecond/1e9))
	var parts []string
	for _, p := range []struct {
		name string
		ms   float64
	}{{"start", c.StartMS}, {weights, c.WeightsMS}, {"compile", c.CompileMS}, {"graphs", c.GraphsMS}, {"first prompt", c.FirstRequestMS}} {
		if p.ms > 0 {
			parts = append(parts, p.name+" "+span(p.ms))
		}
	}
	fmt.Fprintf(w, "cold start: %s = %s\n", span(c.TimeMS), strings.Join(parts, " + "))
	if c.WakeUpMS > 0 {
		fmt.Fprintf(w, "wake-up from host memory: %s, %s per accelerator over %s\n", span(c.WakeUpMS), size(c.WakeUpBytes), c.WakeUpLink)
	}
}

// renderPortable writes what a battery yields, and what the cooling sustains.
func renderPortable(w io.Writer, e *estimate.Report) {
	p := e.Portable
	if p == nil {
		return
	}
	if p.BatteryWh > 0 {
		fmt.Fprintf(w, "battery: %s tokens per percent of %s Wh, when the accelerator alone draws on it\n",
			units.Significant(p.TokensPerPercent), units.Significant(p.BatteryWh))
	}
	if p.SustainedTokensPerSecond > 0 {
		fmt.Fprintf(w, "sustained: %s tok/s after %s at full load\n", units.Significant(p.SustainedTokensPerSecond), units.Seconds(p.SustainedAfterS))
	}
}
