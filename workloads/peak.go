package workloads

import (
	"math"
	"slices"

	"kneepoint/units"
)

// Stretch is a time in which the rate of all arrivals together is constant by design.
type Stretch struct {
	From, Until units.Seconds
	Rate        float64 // requests, or conversations, per second
}

// mostStretches bounds those of a profile: of hours beside stages that last for ever so long.
const mostStretches = 10_000

// Profile is how the rate changes by design: one day or week of hours, all stages, or as much of these as the
// workload's duration leaves. Of a ramp, whose rate follows the requests, it is one stretch at its
// highest rate. It is empty where the rate does not change, or in more than 10,000 steps.
func (s *Spec) Profile() []Stretch {
	if !s.Profiled() {
		return nil
	}
	end := 0.0
	for _, a := range s.streams() {
		end = max(end, a.period())
	}
	if s.Duration > 0 {
		end = min(end, float64(s.Duration))
	}
	times := []float64{0, end}
	for _, a := range s.streams() {
		for t := range a.changes(end) {
			if times = append(times, t); len(times) > mostStretches {
				return nil
			}
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	var all []Stretch
	for i, t := range times[:len(times)-1] {
		all = append(all, Stretch{From: units.Seconds(t), Until: units.Seconds(times[i+1]), Rate: s.rateAt(t)})
	}
	return all
}

// Steady is the workload as it would go on for ever at a time of its profile: that moment's rates, and no end.
func (s *Spec) Steady(at units.Seconds) Spec {
	c := *s
	c.Duration = 0
	c.Arrival = s.Arrival.steady(float64(at))
	c.Client = slices.Clone(s.Client)
	for i := range c.Client {
		c.Client[i].Arrival = c.Client[i].Arrival.steady(float64(at))
	}
	return c
}

func (s *Spec) rateAt(t float64) float64 {
	rate := 0.0
	for _, a := range s.streams() {
		rate += a.rateAt(t)
	}
	return rate
}

// steady has the rate of a time; arrivals that pause then hardly ever come, so that their class stays.
func (a *ArrivalSpec) steady(t float64) *ArrivalSpec {
	if a == nil || a.Profile() == "" {
		return a
	}
	c := *a
	c.Rate = Rate(max(a.rateAt(t), slowest))
	c.Stages, c.Hourly, c.Hour, c.Ramp = nil, nil, 0, nil
	return &c
}

// period is the time after which the profile ends or begins again; of a ramp some time.
func (a *ArrivalSpec) period() float64 {
	switch {
	case a.Stages != nil:
		return a.stagesEnd()
	case a.Hourly != nil:
		return float64(len(a.Hourly)) * a.hour()
	case a.Ramp != nil:
		return 1
	}
	return 0
}

// changes are the times before the end at which the rate may change.
func (a *ArrivalSpec) changes(end float64) func(yield func(float64) bool) {
	return func(yield func(float64) bool) {
		switch t := 0.0; {
		case a.Stages != nil:
			for i := range a.Stages {
				if t += float64(a.Stages[i].Duration); t >= end || !yield(t) {
					return
				}
			}
		case a.Hourly != nil:
			for i := 1; float64(i)*a.hour() < end; i++ {
				if !yield(float64(i) * a.hour()) {
					return
				}
			}
		}
	}
}

// rateAt is the rate at a time; of a ramp its highest.
func (a *ArrivalSpec) rateAt(t float64) float64 {
	switch {
	case a.Stages != nil:
		end := 0.0
		for i := range a.Stages {
			if end += float64(a.Stages[i].Duration); t < end {
				return a.Stages[i].Rate
			}
		}
		return 0
	case a.Hourly != nil:
		hour := int(math.Floor(t/a.hour()+1e-9)) % len(a.Hourly)
		return float64(a.Rate) * a.Hourly[hour] / meanOf(a.Hourly)
	case a.Ramp != nil:
		return max(a.Ramp.StartRPS, a.Ramp.EndRPS)
	}
	return float64(a.Rate)
}
