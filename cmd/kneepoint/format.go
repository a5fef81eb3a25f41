package main

import (
	"encoding/json"
	"io"
	"math"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// scale is the unit of a column, and how numbers are written in it. They are those of
// results: milliseconds, req/s, shares.
type scale struct {
	unit  string
	write func(float64) string
}

// title is that of a column: what is in it, and below that the unit, which no cell repeats.
func (s scale) title(what string) string {
	if s.unit == "" {
		return what
	}
	return what + "\n" + s.unit
}

// plain is a scale of numbers as they are.
func plain(unit string) scale { return scale{unit, units.Significant} }

// percents is the scale of shares.
var percents = scale{"", units.Percent}

// times is the scale of times of up to most milliseconds: milliseconds up to 10 s. From 9995
// on, three digits are those of 10.0 s.
func times(most float64) scale {
	if most < 9995 {
		return plain("ms")
	}
	return scale{"s", func(ms float64) string {
		s := ms / 1e3
		if math.Abs(s) < 0.9995 { // milliseconds, of which as much is said as of seconds
			return units.Shortest(units.Round(s, 3))
		}
		return units.Significant(s)
	}}
}

// intervalText is half the width of the confidence interval, in percent of the mean; nothing
// where one of them is not known. Percents compare between columns of different units.
func intervalText(e metrics.Estimate) string {
	switch share := e.Half / math.Abs(e.Mean); {
	case math.IsNaN(share): // fewer than two seeds, or nothing but zeros
		return ""
	case share > 1: // how much more says nothing: the mean may be anything
		return " ±>100%"
	default:
		return " ±" + units.Percent(share)
	}
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

// targetText is the share of requests that is asked for, in all of its digits.
func targetText(share float64) string { return units.Shortest(units.Round(100*share, 12)) + "%" }
