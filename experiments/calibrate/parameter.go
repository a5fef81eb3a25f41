package calibrate

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// parameter is a constant of an engine profile that can be fitted.
type parameter struct {
	key       string
	low, high float64 // its physical range
	scale     float64 // how far it is expected to lie from the starting profile
	get       func(e *hardware.Engine) float64
	set       func(e *hardware.Engine, x float64)
	text      func(x float64) any // the value as a profile's file has it
}

// plainNumber is a number as it is.
func plainNumber(x float64) any { return x }

// duration is a time in seconds, written with its unit.
func duration(x float64) any {
	text, _ := units.Seconds(x).MarshalText()
	return string(text)
}

// parameters are all that can be fitted. Their scales are the differences
// between the engines of the catalog.
var parameters = []parameter{
	{"compute_efficiency", 0.05, 1, 0.15,
		func(e *hardware.Engine) float64 { return e.ComputeEfficiency },
		func(e *hardware.Engine, x float64) { e.ComputeEfficiency = x }, plainNumber},
	{"memory_efficiency", 0.05, 1, 0.15,
		func(e *hardware.Engine) float64 { return e.MemoryEfficiency },
		func(e *hardware.Engine, x float64) { e.MemoryEfficiency = x }, plainNumber},
	{"step_cpu", 0, 50e-3, 1.5e-3,
		func(e *hardware.Engine) float64 { return float64(e.StepCPU) },
		func(e *hardware.Engine, x float64) { e.StepCPU = units.Seconds(x) }, duration},
	{"step_cpu_per_sequence", 0, 1e-3, 15e-6,
		func(e *hardware.Engine) float64 { return float64(e.StepCPUPerSequence) },
		func(e *hardware.Engine, x float64) { e.StepCPUPerSequence = units.Seconds(x) }, duration},
	{"request_fixed", 0, 1, 5e-3,
		func(e *hardware.Engine) float64 { return float64(e.RequestFixed) },
		func(e *hardware.Engine, x float64) { e.RequestFixed = units.Seconds(x) }, duration},
}

// ParameterKeys are the constants of an engine profile that can be fitted.
func ParameterKeys() []string {
	keys := make([]string, len(parameters))
	for i := range parameters {
		keys[i] = parameters[i].key
	}
	return keys
}

// lookupParameters finds parameters by their keys; all of them for none.
func lookupParameters(keys []string) ([]parameter, error) {
	if len(keys) == 0 {
		return parameters, nil
	}
	known := ParameterKeys()
	var found []parameter
	for i, key := range keys {
		at := slices.Index(known, key)
		if at < 0 {
			return nil, &badinput.Error{Key: "--fit", Value: key, Problem: "not a constant that can be fitted",
				Allowed: "some of " + strings.Join(known, ", "), Nearest: badinput.Nearest(key, known)}
		}
		if slices.Contains(keys[:i], key) {
			return nil, &badinput.Error{Key: "--fit", Value: key, Problem: "named twice", Allowed: "each constant once"}
		}
		found = append(found, parameters[at])
	}
	return found, nil
}

// shift is how far a fit is from the starting profile, by parameter, in scales: so that
// one prior and one step width do for all.
type shift []float64

// shiftedEngine is the starting profile moved by a shift.
func shiftedEngine(start hardware.Engine, moved []parameter, at shift) hardware.Engine {
	e := start
	for i, p := range moved {
		p.set(&e, min(p.high, max(p.low, p.get(&start)+at[i]*p.scale)))
	}
	return e
}

// rounded is an engine with its parameters rounded to three digits.
func rounded(e hardware.Engine, moved []parameter) hardware.Engine {
	for _, p := range moved {
		p.set(&e, units.Round(p.get(&e), 3))
	}
	return e
}

// bounds are the distances from the starting profile, in scales, at which a parameter's
// range ends.
func (p *parameter) bounds(start *hardware.Engine) (low, high float64) {
	return (p.low - p.get(start)) / p.scale, (p.high - p.get(start)) / p.scale
}

// endOfRange tells whether a parameter lies at an end of its range, in words.
func (p *parameter) endOfRange(e *hardware.Engine) string {
	switch p.get(e) {
	case p.low:
		return fmt.Sprintf("%s ended at the least value that it can have", p.key)
	case p.high:
		return fmt.Sprintf("%s ended at the greatest value that it can have", p.key)
	}
	return ""
}
