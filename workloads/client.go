package workloads

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// ClientSpec is one [[workload.client]] table: a class of requests with lengths,
// an objective and a priority of its own. Zero values mean "not given".
//
// The class has either a Share of the requests of [workload.arrival], each drawn
// by itself, or an Arrival process of its own, which is merged with the others.
type ClientSpec struct {
	Name    string       `toml:"name"`
	Share   float64      `toml:"share" check:"share"`
	Arrival *ArrivalSpec `toml:"arrival"`

	// Input and Output are the laws of its lengths. Nil: those of the workload.
	Input  *LengthSpec `toml:"input"`
	Output *LengthSpec `toml:"output"`

	SLO      ClientSLO `toml:"slo"`
	Priority int       `toml:"priority"` // the lower, the more urgent
}

// ClientSLO is the objective of a class, in milliseconds. Nil: as in [slo]; 0: no
// bound.
type ClientSLO struct {
	TTFTms   *float64 `toml:"ttft_ms" check:"nonnegative"`
	TPOTms   *float64 `toml:"tpot_ms" check:"nonnegative"`
	E2ELms   *float64 `toml:"e2el_ms" check:"nonnegative"`
	ITLp99ms *float64 `toml:"itl_p99_ms" check:"nonnegative"`
}

// mostClients bounds the number of classes.
const mostClients = 1000

// shareRounding is how far shares may sum up to something else than 1, so that
// they can be written with two digits.
const shareRounding = 0.005

// ClientNames are the names of the classes, by class.
func (s *Spec) ClientNames() []string {
	names := make([]string, len(s.Client))
	for i := range s.Client {
		names[i] = cmp.Or(s.Client[i].Name, fmt.Sprintf("client %d", i+1))
	}
	return names
}

// streams are the arrivals that the workload has tables of.
func (s *Spec) streams() []*ArrivalSpec {
	var all []*ArrivalSpec
	if s.Arrival != nil {
		all = append(all, s.Arrival)
	}
	for i := range s.Client {
		if a := s.Client[i].Arrival; a != nil {
			all = append(all, a)
		}
	}
	return all
}

// OfferedRate is the mean rate of requests, or of conversations, 0 where none is given: that of
// all stages and of whole days or weeks.
func (s *Spec) OfferedRate() float64 {
	var rate Rate
	for _, a := range s.streams() {
		rate += a.meanRate()
	}
	return float64(rate)
}

// everyClient reports whether there are classes, all of them such.
func (s *Spec) everyClient(such func(*ClientSpec) bool) bool {
	for i := range s.Client {
		if !such(&s.Client[i]) {
			return false
		}
	}
	return len(s.Client) > 0
}

func (c *ClientSpec) separate() bool  { return c.Arrival != nil }
func (c *ClientSpec) sharing() bool   { return c.Arrival == nil }
func (c *ClientSpec) ownInput() bool  { return c.Input != nil }
func (c *ClientSpec) ownOutput() bool { return c.Output != nil }

// arrival is the class's arrival table with its process filled in.
func (c *ClientSpec) arrival() ArrivalSpec {
	a := *c.Arrival
	a.Process = cmp.Or(a.Process, "poisson")
	return a
}

// Validate reports what is missing or contradictory.
func (c *ClientSpec) Validate() error {
	switch {
	case c.Arrival != nil && c.Share != 0:
		return &badinput.Error{Key: "share", Value: c.Share, Problem: "has no effect beside an arrival table of its own"}
	case c.Arrival != nil:
		arrival := c.arrival()
		if err := badinput.Under("arrival", cmp.Or(arrival.Validate(), arrival.validateMerged())); err != nil {
			return err
		}
	case c.Share == 0:
		return &badinput.Error{
			Key:     "share",
			Problem: "missing",
			Allowed: "the part of the requests of workload.arrival that are of this class, or an arrival table of its own",
		}
	case !(c.Share > 0 && c.Share <= 1):
		return &badinput.Error{Key: "share", Value: c.Share, Problem: "must be greater than 0 and at most 1"}
	}
	return validateLengths(laws{"input", c.Input}, laws{"output", c.Output})
}

// validateMerged refuses arrivals that cannot be merged with those of others.
func (a *ArrivalSpec) validateMerged() error {
	const why = "not supported yet where a client has arrivals of its own"
	switch {
	case !slices.Contains(ratedProcesses, a.Process):
		return &badinput.Error{Key: "process", Value: a.Process, Problem: why, Allowed: "one of " + strings.Join(ratedProcesses, ", ")}
	case a.Rate == infinite:
		return &badinput.Error{Key: "rate", Value: "inf", Problem: why, Allowed: "a number greater than 0"}
	case a.Normalize:
		return &badinput.Error{Key: "normalize", Value: true, Problem: why}
	case a.Ramp != nil:
		return &badinput.Error{Key: "ramp", Problem: why, Allowed: "stages or hourly"}
	case a.MaxConcurrency > 0:
		return &badinput.Error{Key: "max_concurrency", Value: a.MaxConcurrency, Problem: why}
	}
	return nil
}

// validateClients checks the classes, against each other and against the rest of
// the workload.
func (s *Spec) validateClients() error {
	switch n := len(s.Client); {
	case n == 0:
		return nil
	case n > mostClients:
		return &badinput.Error{Key: "client", Value: n, Problem: "too many", Allowed: fmt.Sprintf("at most %d", mostClients)}
	}
	names, shares := s.ClientNames(), 0.0
	for i := range s.Client {
		key := fmt.Sprintf("client[%d]", i)
		if err := badinput.Under(key, s.Client[i].Validate()); err != nil {
			return err
		}
		if first := slices.Index(names, names[i]); first < i {
			return &badinput.Error{Key: key + ".name", Value: names[i], Problem: "another client has this name; names must be unique"}
		}
		shares += s.Client[i].Share
	}
	if shares > 0 && math.Abs(shares-1) > shareRounding {
		return &badinput.Error{Key: "client", Problem: fmt.Sprintf("the shares sum up to %.6g", shares), Allowed: "shares that sum up to 1"}
	}
	if err := s.validateBesideClients(); err != nil {
		return err
	}
	return s.validateReplaced()
}

// validateBesideClients refuses what does not go together with classes.
func (s *Spec) validateBesideClients() error {
	own := slices.IndexFunc(s.Client, func(c ClientSpec) bool { return c.separate() })
	whole, n := s.Prefix.wholePrompts()
	switch {
	case s.Session != nil:
		return &badinput.Error{Key: "client", Problem: "not supported yet beside conversations"}
	case whole != "":
		return &badinput.Error{
			Key:     "prefix." + whole,
			Value:   n,
			Problem: "not supported yet beside clients",
			Allowed: "count and tokens",
		}
	case s.Trace != nil && own >= 0:
		return &badinput.Error{Key: fmt.Sprintf("client[%d].arrival", own), Problem: "not supported yet beside a trace", Allowed: "share"}
	case own >= 0 && !s.everyClient((*ClientSpec).separate):
		arrival := s.arrival()
		return badinput.Under("arrival", arrival.validateMerged())
	}
	if s.Trace == nil {
		return nil
	}
	for i := range s.Client {
		if c := &s.Client[i]; c.ownInput() || c.ownOutput() {
			return &badinput.Error{Key: fmt.Sprintf("client[%d]", i), Problem: "has lengths of its own, which have no effect beside a trace"}
		}
	}
	return nil
}

// validateReplaced refuses tables of the workload that every class replaces.
func (s *Spec) validateReplaced() error {
	for _, part := range []struct {
		key   string
		given bool
		own   func(*ClientSpec) bool
	}{{"arrival", s.Arrival != nil, (*ClientSpec).separate}, {"input", s.Input != nil, (*ClientSpec).ownInput},
		{"output", s.Output != nil, (*ClientSpec).ownOutput}} {
		if part.given && s.everyClient(part.own) {
			return &badinput.Error{Key: part.key, Problem: "has no effect: every client has its own"}
		}
	}
	return nil
}
