package workloads

import (
	"cmp"
	"math"
	"slices"

	"kneepoint/units"
)

// How many factors hourly has.
const (
	hoursOfADay  = 24
	hoursOfAWeek = 168
)

// stagesEnd is when the last stage is over.
func (a *ArrivalSpec) stagesEnd() float64 {
	end := 0.0
	for _, s := range a.Stages {
		end += float64(s.Duration)
	}
	return end
}

// stageSegments are stages one after the other. What is behind them is up to the schedule.
func stageSegments(stages []StageSpec) segments {
	i := -1
	return func() (speed, length float64) {
		if i++; i < len(stages) {
			return stages[i].Rate, float64(stages[i].Duration)
		}
		return 1, infinity
	}
}

// hourSegments are the hours of hourly, over and over, whose mean speed is 1.
func hourSegments(a *ArrivalSpec) segments {
	i, mean, hour := -1, meanOf(a.Hourly), a.hour()
	return func() (speed, length float64) {
		i = (i + 1) % len(a.Hourly)
		return a.Hourly[i] / mean, hour
	}
}

// hour is the length of an hour in seconds.
func (a *ArrivalSpec) hour() float64 { return float64(cmp.Or(a.Hour, 3600*units.Seconds(1))) }

// expected is the mean number of requests that arrive within a time in seconds, 0 where no
// rate says it: the integral of the rate.
func (a *ArrivalSpec) expected(within float64) float64 {
	switch {
	case a.Stages != nil:
		return areaWithin(stageSegments(a.Stages), min(within, a.stagesEnd()))
	case a.Hourly != nil:
		period := float64(len(a.Hourly)) * a.hour()
		periods := math.Floor(within / period)
		return float64(a.Rate) * (periods*period + areaWithin(hourSegments(a), within-periods*period))
	}
	return float64(a.meanRate()) * within
}

// areaWithin is the integral of a speed over a time in seconds.
func areaWithin(next segments, within float64) float64 {
	area := 0.0
	for within > 0 {
		speed, length := next()
		area += speed * min(length, within)
		within -= length
	}
	return area
}

// meanRate is the mean rate of the whole of what the table describes, 0 where it names none.
func (a *ArrivalSpec) meanRate() Rate {
	switch {
	case a.Stages != nil:
		end := a.stagesEnd()
		return Rate(a.expected(end) / end)
	case a.Ramp != nil:
		return Rate(a.Ramp.mean())
	}
	return a.Rate
}

// RateRange is the lowest and the highest rate of a rate that changes by design, 0 where it does
// not.
func (a *ArrivalSpec) RateRange() (lowest, highest float64) {
	var rates []float64
	switch {
	case a.Stages != nil:
		for _, s := range a.Stages {
			rates = append(rates, s.Rate)
		}
	case a.Hourly != nil:
		mean := meanOf(a.Hourly)
		for _, factor := range a.Hourly {
			rates = append(rates, float64(a.Rate)*factor/mean)
		}
	case a.Ramp != nil:
		rates = []float64{a.Ramp.StartRPS, a.Ramp.EndRPS}
	default:
		return 0, 0
	}
	return slices.Min(rates), slices.Max(rates)
}

// Profiled reports whether the rate of any arrivals changes by design.
func (s *Spec) Profiled() bool {
	return slices.ContainsFunc(s.streams(), func(a *ArrivalSpec) bool { return a.Profile() != "" })
}

// ProfileKey is the key that changes the rate of the first arrivals whose rate changes by design: stages,
// hourly or ramp; "" where none does.
func (s *Spec) ProfileKey() string {
	for _, a := range s.streams() {
		if key := a.Profile(); key != "" {
			return key
		}
	}
	return ""
}

// stagesEnd is when the last stage of all arrivals is over; +Inf where some have none.
func (s *Spec) stagesEnd() float64 {
	end, streams := 0.0, s.streams()
	for _, a := range streams {
		if a.Stages == nil {
			return infinity
		}
		end = max(end, a.stagesEnd())
	}
	if len(streams) == 0 {
		return infinity
	}
	return end
}

// expected is the mean number of requests, those of all turns of conversations, of which the
// first ones arrive within a time in seconds.
func (s *Spec) expected(within float64) float64 {
	n := 0.0
	for _, a := range s.streams() {
		n += a.expected(within)
	}
	return n * s.turns()
}

// never is a time in seconds by which nobody arrives who has not come before.
const never = 1e18

// reach is the time in seconds by which n requests are expected; +Inf where there are never as
// many.
func (s *Spec) reach(n float64) float64 {
	if !s.Profiled() {
		return n / s.requestRate()
	}
	late := 1.0
	for s.expected(late) < n {
		if late *= 2; late > never {
			return infinity
		}
	}
	early := 0.0
	for range 60 { // more than a float64 has bits
		if middle := early + (late-early)/2; s.expected(middle) < n {
			early = middle
		} else {
			late = middle
		}
	}
	return late
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}
