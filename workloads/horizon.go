package workloads

import (
	"math"
	"slices"

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
	if rate := s.requestRate(); rate == 0 || math.IsInf(rate, 1) {
		return 0
	}
	end := min(s.until(), s.stagesEnd())
	if n := s.count(nil); n < math.MaxInt {
		end = min(end, s.reach(float64(n)))
	}
	return units.Seconds(end)
}

// MeanRate is the mean rate of requests, or of conversations, over the time in which they are
// expected to arrive: less or more than OfferedRate where that is only a part of what the rate goes
// through by design.
func (s *Spec) MeanRate() float64 {
	span := s.Span()
	if !s.Profiled() || span == 0 {
		return s.OfferedRate()
	}
	return s.expected(float64(span)) / float64(span) / s.turns()
}

// TraceTimes reports whether requests come at the times of a trace.
func (s *Spec) TraceTimes() bool { return s.Trace != nil && s.arrival().Process == "trace" }

// ReplayDraws names what is drawn beside a trace that is replayed at times which are the
// same in every replication; fixed is false of any other traffic.
func (s *Spec) ReplayDraws() (draws []string, fixed bool) {
	a := s.arrival()
	switch {
	case s.Trace == nil || slices.Contains(ratedProcesses, a.Process) && (a.Process != "constant" || a.Modulation != nil) && !a.atOnce():
		return nil, false
	case a.Process == "closed" && (a.Start != "at_once" || !a.ThinkTime.Constant()):
		return nil, false
	}
	for _, d := range []struct {
		what  string
		drawn bool
	}{{"arrivals within a tick of the trace's clock", a.Process == "trace" && s.Trace.jitter() > 0},
		{"classes of clients", len(s.Client) > 1}, {"shared prefixes", s.Prefix != nil && (s.Prefix.shared() > 1 || s.Prefix.Groups*s.Prefix.PerGroup > 1)}} {
		if d.drawn {
			draws = append(draws, d.what)
		}
	}
	return draws, true
}
