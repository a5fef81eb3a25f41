package workloads

import (
	"fmt"
	"math"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// mostRequests bounds the requests of a run, which takes some minutes for each hundred
// million.
const mostRequests = 1_000_000_000

// mostSegments bounds how often the rate of arrivals changes in a run: each change is
// drawn.
const mostSegments = 100_000_000

// Requests is the number of requests of a run that nothing ends early. It is exact
// unless a duration or stages end the arrivals, by which it is estimated from the rate, where
// there is one. trace is what is replayed, or nil.
func (s *Spec) Requests(trace *Trace) (n int, exact bool) {
	n = s.count(trace)
	if s.TraceTimes() && trace != nil {
		n = min(n, trace.Requests())
	}
	end := min(s.until(), s.stagesEnd())
	if math.IsInf(end, 1) {
		return n, true
	}
	if mean := s.expected(end); mean > 0 {
		return int(math.Min(float64(n), math.Ceil(mean))), false
	}
	if n == math.MaxInt {
		return DefaultRequests, false
	}
	return n, false
}

// requestRate is the mean rate of requests, those of all turns of conversations; 0 where
// none is given.
func (s *Spec) requestRate() float64 {
	return s.OfferedRate() * s.turns()
}

// turns is the mean number of requests of a conversation, 1 without any.
func (s *Spec) turns() float64 {
	if s.Session == nil {
		return 1
	}
	turns, err := s.Session.Turns.law()
	if err != nil {
		return 1
	}
	return turns.Mean()
}

// checkSize refuses traffic of more requests than can be simulated, or that lasts longer
// than the clock is exact, as far as that is known before a simulation.
func (s *Spec) checkSize(trace *Trace) error {
	if n, _ := s.Requests(trace); n > mostRequests {
		key := "duration"
		switch {
		case s.stagesEnd() < s.until() && s.Arrival == nil:
			key = "client"
		case s.stagesEnd() < s.until():
			key = "arrival.stages"
		case s.Duration == 0:
			key = "trace.repeat"
		}
		return &badinput.Error{Key: key, Problem: fmt.Sprintf("makes more requests than can be simulated: %.3g", float64(n)),
			Allowed: fmt.Sprintf("at most %d requests", mostRequests)}
	}
	for _, check := range []func(*Trace) error{s.checkSpan, s.checkReplay, s.checkThinking} {
		if err := check(trace); err != nil {
			return err
		}
	}
	return s.checkSegments()
}

// checkSpan refuses a rate at which the requests would take too long to arrive.
func (s *Spec) checkSpan(trace *Trace) error {
	n, exact := s.Requests(trace)
	if s.requestRate() == 0 || !exact {
		return nil
	}
	span := units.Seconds(s.reach(float64(n)))
	if span <= units.Longest {
		return nil
	}
	key := "arrival.rate"
	if s.Arrival == nil || s.Arrival.Rate == 0 {
		key = "client"
	}
	return &badinput.Error{Key: key, Value: s.OfferedRate(), Problem: fmt.Sprintf("%d requests would arrive over %.3g s", n, float64(span)),
		Allowed: "a higher rate or fewer requests: " + withinLongest}
}

// withinLongest says what is allowed, and why.
const withinLongest = "a run lasts at most 365d, in which the clock tells nanoseconds"

// checkReplay refuses a trace that is replayed so slowly, or so often, that it lasts
// too long.
func (s *Spec) checkReplay(trace *Trace) error {
	if trace == nil || !s.TraceTimes() {
		return nil
	}
	tick := float64(s.Trace.jitter()) * trace.scale
	n, _ := s.Requests(trace)
	_, last := trace.bounds()
	one := units.Seconds(last + tick)
	all := one + units.Seconds(float64((n-1)/trace.Rows())*trace.period(tick))
	e := badinput.Error{Problem: fmt.Sprintf("the last request would arrive after %.3g s", float64(all)), Allowed: withinLongest}
	switch {
	case one > units.Longest:
		e.Key, e.Value = "trace.time_scale", trace.scale
	case all > units.Longest && s.Duration == 0:
		e.Key, e.Value = "trace.repeat", trace.passes
	default:
		return nil
	}
	return &e
}

// checkThinking refuses clients of a closed loop, or users, who would think for too long
// in all, by the mean that is given.
func (s *Spec) checkThinking(trace *Trace) error {
	key, think := "arrival.think_time", &ThinkTime{}
	switch {
	case !s.Closed() || s.Duration > 0:
		return nil
	case s.Session != nil:
		key, think = "session.think_time", &s.Session.ThinkTime
	case s.Arrival != nil:
		think = &s.Arrival.ThinkTime
	}
	n, _ := s.Requests(trace)
	thoughts := float64(n)/float64(s.Clients()) - 1 // of each, between its requests
	total := units.Seconds(max(think.Mean, think.Min) * thoughts)
	if total <= units.Longest {
		return nil
	}
	return &badinput.Error{
		Key:     key,
		Problem: fmt.Sprintf("%d requests of %d clients would take more than %.3g s", n, s.Clients(), float64(total)),
		Allowed: "more clients or fewer requests: " + withinLongest,
	}
}

// checkSegments refuses a rate that changes too often.
func (s *Spec) checkSegments() error {
	arrival, span := s.arrival(), float64(s.Span())
	if err := badinput.Under("arrival", arrival.checkSegments(span)); err != nil {
		return err
	}
	for i := range s.Client {
		if c := &s.Client[i]; c.separate() {
			arrival := c.arrival()
			if err := badinput.Under(fmt.Sprintf("client[%d].arrival", i), arrival.checkSegments(span)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSegments refuses a rate that changes too often in a time in seconds.
func (a *ArrivalSpec) checkSegments(span float64) error {
	e := badinput.Error{Problem: fmt.Sprintf("the rate would change all the time in %.3g s", span)}
	shortest := span / mostSegments
	switch m := a.Modulation; {
	case m != nil && m.CV > 0 && float64(m.Tau) < driftSteps*shortest:
		e.Key, e.Value, e.Allowed = "modulation.tau", m.Tau.String(), fmt.Sprintf("at least %.3g s", driftSteps*shortest)
	case a.Hour > 0 && float64(a.Hour) < shortest:
		e.Key, e.Value, e.Allowed = "hour", a.Hour.String(), fmt.Sprintf("at least %.3g s", shortest)
	case a.Process == "onoff" && float64(a.On+a.Off) < shortest:
		e.Key, e.Value, e.Allowed = "on", a.On.String(), fmt.Sprintf("on and off of at least %.3g s together", shortest)
	default:
		return nil
	}
	return &e
}
