package workloads

import (
	"math"

	"kneepoint/units"
)

// RateCorrelation is the longest time over which the rate of arrivals remembers: the
// correlation time of a modulation, and of ON and OFF phases 1/(1/on + 1/off); 0
// where the rate does not change.
func (s *Spec) RateCorrelation() units.Seconds {
	arrival := s.arrival()
	longest := arrival.rateCorrelation()
	for i := range s.Client {
		if own := s.Client[i].Arrival; own != nil {
			longest = max(longest, own.rateCorrelation())
		}
	}
	return longest
}

func (a *ArrivalSpec) rateCorrelation() units.Seconds {
	var longest units.Seconds
	if a.Process == "onoff" && a.On > 0 && a.Off > 0 {
		longest = 1 / (1/a.On + 1/a.Off)
	}
	if m := a.Modulation; m != nil && m.CV > 0 {
		longest = max(longest, m.Tau)
	}
	return longest
}

// Span is about how long requests arrive, by the nominal rate; 0 where none is given.
func (s *Spec) Span() units.Seconds {
	rate := s.OfferedRate()
	if s.Session != nil && rate > 0 {
		if turns, err := s.Session.Turns.law(); err == nil {
			rate *= turns.Mean()
		}
	}
	switch {
	case rate == 0 || math.IsInf(rate, 1):
		return 0
	case s.Duration > 0 && s.NumRequests > 0:
		return min(s.Duration, units.Seconds(float64(s.NumRequests)/rate))
	case s.Duration > 0:
		return s.Duration
	}
	return units.Seconds(float64(s.count(nil)) / rate)
}
