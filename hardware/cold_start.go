package hardware

import (
	"maps"
	"slices"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// ColdStart is what an engine spends between its launch and the first token:
//
//	Start + Distributed (on several accelerators) + weights + Compile + Graphs + FirstRequest
//
// where the weights take their bytes over the bandwidth of LoadFrom. An engine
// that was put to sleep, its weights in the host's memory and all else in place,
// wakes up in
//
//	WakeUpFixed + bytes of an accelerator / (host link * WakeUpEfficiency)
//
// A simulation has it where replicas start during the run.
type ColdStart struct {
	Start       units.Seconds `toml:"start" check:"nonnegative"`       // process, imports, device context
	Distributed units.Seconds `toml:"distributed" check:"nonnegative"` // worker processes and communicators, where there are several accelerators
	LoadFrom    string        `toml:"load_from"`                       // a class of storage, or a bandwidth
	Compile     units.Seconds `toml:"compile" check:"nonnegative"`     // just-in-time compilation, its caches warm
	Graphs      units.Seconds `toml:"graphs" check:"nonnegative"`      // allocator, profiling run, graph capture

	// FirstRequest is what the first request takes beyond a later one.
	FirstRequest units.Seconds `toml:"first_request" check:"nonnegative"`

	WakeUpFixed      units.Seconds `toml:"wake_up_fixed" check:"nonnegative"`
	WakeUpEfficiency float64       `toml:"wake_up_efficiency" check:"fraction"` // of the host link; 0: the engine cannot sleep

	// Sources says for each parameter where its value comes from.
	Sources   map[string]string `toml:"sources"`
	Estimated []string          `toml:"estimated"` // parameters that rest on no measurement
}

// Validate refuses storage that is neither a class nor a bandwidth.
func (c *ColdStart) Validate() error {
	_, err := ParseStorage(c.LoadFrom)
	return badinput.At("load_from", err)
}

// Storage is where the weights come from: the storage that is asked for, or that of
// the profile where none is. It is the zero Storage where the profile has none either.
func (c *ColdStart) Storage(asked Storage) Storage {
	if asked.Bandwidth > 0 {
		return asked
	}
	own, _ := ParseStorage(c.LoadFrom)
	return own
}

// givenBy marks the parameters that a profile's table gives as its own.
func (c *ColdStart) givenBy(table any, profile string) {
	keys, _ := table.(map[string]any)
	c.Sources = maps.Clone(c.Sources)
	for key := range keys {
		c.Sources[key] = profile
	}
	c.Estimated = slices.DeleteFunc(slices.Clone(c.Estimated), func(key string) bool { _, given := keys[key]; return given })
}
