package workloads

import (
	"cmp"
	"math"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// DefaultRequests is the number of requests when a workload states neither a
// number nor a duration and its arrivals are not a trace's.
const DefaultRequests = 1000

// Spec is the [workload] table. Zero values mean "not given".
//
// A run has NumRequests requests, or those planned up to and including
// Duration; with both, whichever ends first. With neither it has every row of
// the trace, or DefaultRequests without one.
type Spec struct {
	Name        string        `toml:"name"` // of a built-in workload; a label here
	NumRequests int           `toml:"num_requests" check:"positive" most:"1000000000"`
	Duration    units.Seconds `toml:"duration" check:"positive"`

	// TooLong says what becomes of a request that is longer than the model's
	// context or the whole KV cache.
	TooLong string `toml:"too_long" oneof:"reject truncate error"`

	Arrival *ArrivalSpec `toml:"arrival"`
	Input   *LengthSpec  `toml:"input"`
	Output  *LengthSpec  `toml:"output"`

	// Trace gives the lengths and, unless Arrival names a process, the times.
	Trace *TraceSpec `toml:"trace"`

	// Prefix says which prompts begin alike, for prefix caching.
	Prefix *PrefixSpec `toml:"prefix"`

	// Session makes the requests turns of conversations.
	Session *SessionSpec `toml:"session"`

	// Client splits the requests into classes.
	Client []ClientSpec `toml:"client"`
}

// SetDefaults fills in what a table that does not say otherwise means.
func (s *Spec) SetDefaults() { s.TooLong = "reject" }

// Validate reports, as a *badinput.Error whose key is relative to the table,
// what is missing, contradictory or out of range, in this table or below it.
func (s *Spec) Validate() error {
	if s.NumRequests < 0 {
		return &badinput.Error{Key: "num_requests", Value: s.NumRequests, Problem: "must be greater than 0"}
	}
	if !nonnegative(float64(s.Duration)) {
		return &badinput.Error{Key: "duration", Value: float64(s.Duration), Problem: "must be greater than 0"}
	}
	if err := s.validateClients(); err != nil {
		return err
	}
	arrival := s.arrival()
	if (s.Session == nil || s.Session.Users == 0) && !s.everyClient((*ClientSpec).separate) {
		if err := badinput.Under("arrival", arrival.Validate()); err != nil {
			return err
		}
	}
	if err := s.validateSources(arrival.Process); err != nil {
		return err
	}
	if s.Prefix != nil {
		if err := badinput.Under("prefix", s.Prefix.Validate()); err != nil {
			return err
		}
	}
	if s.NumRequests == 0 && s.Duration > 0 && arrival.atOnce() {
		return &badinput.Error{Key: "num_requests", Problem: "missing: all requests arrive at once, so the duration does not limit them"}
	}
	if s.NumRequests == 0 && s.Duration > 0 && arrival.Normalize {
		return &badinput.Error{Key: "arrival.normalize", Value: true, Problem: "needs num_requests"}
	}
	if s.NumRequests == 0 && s.Duration > 0 && arrival.Ramp != nil {
		return &badinput.Error{Key: "arrival.ramp", Problem: "needs num_requests, over which it leads from one rate to the other"}
	}
	return nil
}

// validateSources checks that lengths and times come from one place each.
func (s *Spec) validateSources(process string) error {
	if s.Session != nil {
		return s.validateSession()
	}
	if s.Trace != nil {
		return s.validateTrace()
	}
	if process == "trace" {
		return &badinput.Error{Key: "trace", Problem: "missing: arrival.process is trace"}
	}
	for _, part := range []struct {
		key  string
		spec *LengthSpec
		own  func(*ClientSpec) bool
	}{{"input", s.Input, (*ClientSpec).ownInput}, {"output", s.Output, (*ClientSpec).ownOutput}} {
		if part.spec == nil && !s.everyClient(part.own) {
			return &badinput.Error{Key: part.key, Problem: "missing",
				Allowed: "a name, a trace, or lengths of input and output"}
		}
	}
	if key, _ := s.Prefix.wholePrompts(); key != "" && s.Output != nil && s.Output.Correlation != 0 {
		return &badinput.Error{
			Key:     "output.correlation",
			Value:   s.Output.Correlation,
			Problem: "has no meaning beside prefix." + key + ", whose prompts keep the lengths of their first requests",
			Allowed: "0",
		}
	}
	return validateLengths(laws{"input", s.Input}, laws{"output", s.Output})
}

// laws are those of lengths, by their key; nil where they are not given.
type laws struct {
	key  string
	spec *LengthSpec
}

// validateLengths checks the laws that are given.
func validateLengths(given ...laws) error {
	for _, l := range given {
		if l.spec == nil {
			continue
		}
		validate := l.spec.validateAlone
		if l.key == "output" {
			validate = l.spec.Validate
		}
		if err := badinput.Under(l.key, validate()); err != nil {
			return err
		}
	}
	return nil
}

func (s *Spec) validateTrace() error {
	if s.Input != nil {
		return &badinput.Error{Key: "input", Problem: "has no effect beside a trace, which has its own lengths"}
	}
	if s.Output != nil {
		return &badinput.Error{Key: "output", Problem: "has no effect beside a trace, which has its own lengths"}
	}
	if formats[s.Trace.Format].block > 0 && s.Prefix != nil {
		return prefixBesideIDs()
	}
	return badinput.Under("trace", s.Trace.Validate())
}

// prefixBesideIDs is the error of prefixes that are added to prompts which have something in common already.
func prefixBesideIDs() error {
	return &badinput.Error{
		Key:     "prefix",
		Problem: "has no effect beside a trace with hash ids or conversations, which say what prompts have in common",
	}
}

// Shares tells whether requests may have tokens in common by which a prefix cache finds
// them. The trace is that of a workload which replays one.
func (s *Spec) Shares(trace *Trace) bool {
	if s.Prefix != nil || s.Session != nil {
		return true
	}
	return trace != nil && trace.shares()
}

// arrival is the arrival table with its process filled in.
func (s *Spec) arrival() ArrivalSpec {
	var a ArrivalSpec
	if s.Arrival != nil {
		a = *s.Arrival
	}
	fallback := "poisson"
	if s.Trace != nil {
		fallback = "trace"
	}
	a.Process = cmp.Or(a.Process, fallback)
	return a
}

// count is the number of requests at most.
func (s *Spec) count(trace *Trace) int {
	switch {
	case s.NumRequests > 0:
		return s.NumRequests
	case s.Duration > 0 || !math.IsInf(s.stagesEnd(), 1):
		return math.MaxInt
	case trace != nil:
		return trace.Requests()
	}
	return DefaultRequests
}

// until is the time after which no request is planned.
func (s *Spec) until() float64 {
	if s.Duration > 0 {
		return float64(s.Duration)
	}
	return math.Inf(1)
}

// Closed reports whether the requests are those of a fixed number of clients or users,
// each of whom waits for the answer.
func (s *Spec) Closed() bool {
	return s.arrival().Process == "closed" || s.Session != nil && s.Session.Users > 0
}

// Clients is the number of clients or users of a closed loop, each with a request at a time;
// 0 where requests arrive by themselves.
func (s *Spec) Clients() int {
	switch {
	case s.Session != nil:
		return s.Session.Users
	case s.Arrival != nil:
		return s.Arrival.Concurrency
	}
	return 0
}

// ThinksAlike reports whether the clients of a closed loop always think equally long.
func (s *Spec) ThinksAlike() bool {
	think := &ThinkTime{}
	switch {
	case !s.Closed():
		return false
	case s.Session != nil:
		think = &s.Session.ThinkTime
	case s.Arrival != nil:
		think = &s.Arrival.ThinkTime
	}
	return think.Constant() && think.Mean > 0
}

// nonnegative reports whether x is finite and not below 0.
func nonnegative(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
