package hardware

import (
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Burst says how long an accelerator whose limit of power binds in prompts computes at its
// full clock before that limit slows it down: for Full after a long rest, and for Recovery of
// a shorter one, rest being all time without prompts, in which memory is the limit. After that
// it computes at the share Sustained of the rate. Kernels are measured at the full clock.
type Burst struct {
	Sustained float64       `toml:"sustained" check:"share"`
	Full      units.Seconds `toml:"full" check:"positive"`
	Recovery  float64       `toml:"recovery" check:"share"`
}

// After is the time at the full clock that there is after a rest,
//
//	min(Full, Recovery * rest)
func (b *Burst) After(rest units.Seconds) units.Seconds {
	return max(0, min(b.Full, units.Seconds(b.Recovery)*rest))
}

// check refuses one that is given in part.
func (b *Burst) check() error {
	for _, part := range []struct {
		key   string
		given bool
	}{{"sustained", b.Sustained > 0}, {"full", b.Full > 0}, {"recovery", b.Recovery > 0}} {
		if !part.given && *b != (Burst{}) {
			return &badinput.Error{Key: "burst." + part.key, Problem: "missing"}
		}
	}
	return nil
}
