package main

import (
	"fmt"
	"io"
	"strings"

	"kneepoint/hardware/estimate"
	"kneepoint/units"
)

// renderColdStart writes the parts of a cold start that take time, as a sum, and a
// wake-up beside it, which is what keeps a model ready in the host's memory buys.
func renderColdStart(w io.Writer, e *estimate.Report) {
	c := e.ColdStart
	if c == nil { // the engine's profile does not say how it starts
		return
	}
	fmt.Fprintf(w, "cold start: %s = %s\n", span(c.TimeMS), strings.Join(coldStartParts(c), " + "))
	if c.WakeUpMS > 0 {
		fmt.Fprintf(w, "wake-up from host memory: %s, %s per accelerator over %s\n", span(c.WakeUpMS), size(c.WakeUpBytes), c.WakeUpLink)
	}
}

// coldStartParts are in the order in which they happen. The weights say where they
// are read from and how fast, since that is what an operator can change.
func coldStartParts(c *estimate.ColdStart) []string {
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
	return parts
}
