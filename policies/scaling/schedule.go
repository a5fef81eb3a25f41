package scaling

import (
	"math"

	"kneepoint/policies"
	"kneepoint/units"
)

var scheduleEntry = Entry{
	Description: policies.Description{Name: "schedule", Key: "scaler",
		Doc:  "by the clock, whatever the load: as cron in KEDA, and scheduled actions of clouds",
		Keys: []string{"schedule", "period"}},
	New: func(p Parameters) Scaler { return &schedule{p.Steps, p.Period} },
}

// schedule wants the replicas of the last step.
type schedule struct {
	steps  []Step
	period units.Seconds
}

// Wanted implements Scaler.
func (c *schedule) Wanted(s *Signals) int {
	began, wanted := c.began(c.round(s.Now)), c.steps[0].Replicas
	for _, step := range c.steps {
		if began+step.At <= s.Now {
			wanted = step.Replicas
		}
	}
	return wanted
}

// Next implements Scaler.
func (c *schedule) Next(now units.Seconds) units.Seconds {
	round := c.round(now)
	for _, step := range c.steps {
		if at := c.began(round) + step.At; at > now {
			return at
		}
	}
	if c.period == 0 {
		return Never
	}
	return c.began(round + 1)
}

// round is how often the period has begun anew by a time, or does then but for rounding.
func (c *schedule) round(now units.Seconds) float64 {
	if c.period == 0 {
		return 0
	}
	return math.Floor(float64(now/c.period) + 1e-9)
}

// began is when a round began.
func (c *schedule) began(round float64) units.Seconds { return units.Seconds(round) * c.period }
