package main

import (
	"encoding/json"
	"io"
	"math"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// mean writes an estimate without its interval.
func mean(format func(float64) string) func(metrics.Estimate) string {
	return func(e metrics.Estimate) string { return format(e.Mean) }
}

// interval appends the half width of the confidence interval, in percent of the
// mean, when both are known. Percents compare between columns of different units.
func interval(format func(float64) string) func(metrics.Estimate) string {
	return func(e metrics.Estimate) string {
		switch share := e.Half / math.Abs(e.Mean); {
		case math.IsNaN(share): // fewer than two seeds, or nothing but zeros
			return format(e.Mean)
		case share > 1: // how much more says nothing: the mean may be anything
			return format(e.Mean) + " ±>100%"
		default:
			return format(e.Mean) + " ±" + units.Percent(share)
		}
	}
}

// duration writes ms milliseconds in milliseconds up to 10 s, so that the cells of a
// column usually have one unit and compare at a glance. From 9995 on, three digits
// are those of 10.0 s.
func duration(ms float64) string {
	if ms >= 9995 {
		return units.Significant(ms/1e3) + " s"
	}
	return units.Significant(ms) + " ms"
}

// span writes ms milliseconds in the unit that suits them, from µs to hours: a decode
// step and a cold start are in one report.
func span(ms float64) string { return units.Seconds(ms / 1e3).String() }

// size writes n bytes in binary units, in which memory is sold.
func size(n float64) string { return units.Bytes(n).String() }

// printJSON writes a value for programs, indented for the people who look at it.
func printJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(value)
}
