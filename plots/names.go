package plots

import (
	"strings"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// latencies are the names of what keys of metrics abbreviate.
var latencies = map[string]string{
	"ttft": "time to first token", "tpot": "time per output token", "itl": "inter-token latency", "e2el": "end-to-end latency",
}

// nameOf is a metric's label with a latency written out: "median time per output token".
func nameOf(d metrics.Definition) string {
	words := strings.Fields(d.Label())
	if name, ok := latencies[strings.ToLower(words[len(words)-1])]; ok {
		words[len(words)-1] = name
	}
	return strings.Join(words, " ")
}

// unitOf is the unit of a metric whose name says per what it is.
func unitOf(unit string) string {
	amount, _, _ := strings.Cut(unit, "/tok")
	amount, _, _ = strings.Cut(amount, "/Mtok")
	amount, _, _ = strings.Cut(amount, "/h")
	return amount
}

// dollars writes an amount of money.
func dollars(v float64) string { return "$" + units.Short(v) }
