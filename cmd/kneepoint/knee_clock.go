package main

import "kneepoint/experiments"

// kneeClock says how many seconds of CPU the search of each knee took.
type kneeClock struct {
	now     func() float64 // of CPU, of this process so far
	last    float64        // when the last simulation ended
	seconds map[string]float64
}

func newKneeClock() *kneeClock {
	return &kneeClock{now: cpuSeconds, last: cpuSeconds(), seconds: map[string]float64{}}
}

// note counts what was done since the last simulation as that of the present curve.
func (c *kneeClock) note(s experiments.Searching) {
	now := c.now()
	c.seconds[s.Curve] += now - c.last
	c.last = now
}
