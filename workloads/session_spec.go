package workloads

import (
	"cmp"
	"math"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// mostTurns bounds the length of a conversation.
const mostTurns = 10_000

// SessionSpec is the [workload.session] table: requests are the turns of
// conversations. The prompt of a turn is everything that was said before, prompts
// and answers, and a new input. The next turn comes ThinkTime after the answer, or, with
// ThinkFrom "request", ThinkTime after the turn before it was sent, if that is answered by then.
//
// Conversations start by the arrival process, whose rate then counts them; or, with
// Users, each of the users has one at a time, and starts the next ThinkTime after the
// last answer.
type SessionSpec struct {
	Turns Turns `toml:"turns" required:"true"`

	// FirstInput is the law of the first turn's input, Input that of the inputs
	// after it, Output that of the answers. Nil: FirstInput as Input, Input and
	// Output as those of the workload.
	FirstInput *LengthSpec `toml:"first_input"`
	Input      *LengthSpec `toml:"input"`
	Output     *LengthSpec `toml:"output"`

	ThinkTime ThinkTime `toml:"think_time"`
	ThinkFrom string    `toml:"think_from" oneof:"answer request"` // "" is answer
	Users     int       `toml:"users" check:"positive"`

	// Start says whether users join over their first cycle, in the middle of a
	// conversation, or all at time 0 with the first turn; "" is the former.
	Start string `toml:"start" oneof:"staggered at_once"`
}

// Turns is the law of the number of turns; a plain number is always that many.
type Turns LengthSpec

// DecodeTOML reads a number, or the table of a law.
func (t *Turns) DecodeTOML(v any) error {
	table, ok := v.(map[string]any)
	if !ok {
		table = map[string]any{"type": "fixed", "mean": v}
	}
	err := strict.Decode(table, (*LengthSpec)(t))
	if err != nil && !ok {
		return &badinput.Error{Value: v, Problem: "not a number of turns", Allowed: "a number from 1 on, or the table of a law"}
	}
	return err
}

// EncodeTOML is the inverse of DecodeTOML.
func (t Turns) EncodeTOML() any { return strict.Encode((*LengthSpec)(&t)) }

// law draws numbers of turns.
func (t Turns) law() (LengthLaw, error) {
	t.Max = cmp.Or(t.Max, mostTurns)
	return (*LengthSpec)(&t).Law()
}

// Validate reports what is missing or contradictory.
func (s *SessionSpec) Validate() error {
	if turns := (*LengthSpec)(&s.Turns); turns.Type == "" {
		return &badinput.Error{Key: "turns", Problem: "missing"}
	} else if err := badinput.Under("turns", turns.validateAlone()); err != nil {
		return err
	}
	if most := math.Max(s.Turns.Mean, float64(max(s.Turns.Min, s.Turns.Max))); most > mostTurns {
		return &badinput.Error{Key: "turns", Value: most, Problem: "out of range", Allowed: "at most 10000"}
	}
	if err := s.validateThinkFrom(); err != nil {
		return err
	}
	if s.Users < 0 {
		return &badinput.Error{Key: "users", Value: s.Users, Problem: "must be greater than 0"}
	}
	return validateLengths(laws{"first_input", s.FirstInput}, laws{"input", s.Input}, laws{"output", s.Output})
}

// paced tells whether turns follow each other by when they were sent, as load generators send them
// that keep the rate of every user.
func (s *SessionSpec) paced() bool { return s.ThinkFrom == "request" }

// validateThinkFrom refuses what a pause between turns as they are sent needs, or does without.
func (s *SessionSpec) validateThinkFrom() error {
	e := &badinput.Error{Key: "think_from", Value: s.ThinkFrom}
	switch {
	case s.ThinkFrom == "":
		return nil
	case s.ThinkTime.Constant() && s.ThinkTime.Mean == 0 && s.ThinkTime.Min == 0:
		e.Problem = "has no effect without think_time"
	case s.paced() && s.Users > 0:
		e.Problem, e.Allowed = "not supported yet with users", "conversations that arrival starts"
	default:
		return nil
	}
	return e
}

// validateSession checks what conversations and the rest of the workload say of
// each other.
func (s *Spec) validateSession() error {
	whole, n := s.Prefix.wholePrompts()
	switch {
	case s.Trace != nil:
		return &badinput.Error{Key: "session", Problem: "has no effect beside a trace, which has its own requests"}
	case whole != "":
		return &badinput.Error{
			Key:     "prefix." + whole,
			Value:   n,
			Problem: "has no effect beside conversations",
			Allowed: "count and tokens, of what comes before them",
		}
	case s.Arrival != nil && s.Session.Users > 0:
		return &badinput.Error{Key: "arrival", Problem: "has no effect with session.users, who start their conversations themselves"}
	case s.Session.Start != "" && s.Session.Users == 0:
		return &badinput.Error{
			Key:     "session.start",
			Value:   s.Session.Start,
			Problem: "has no effect without session.users: arrivals start conversations",
		}
	case s.Arrival != nil && s.Arrival.Process == "closed":
		return &badinput.Error{Key: "arrival.process", Value: "closed", Problem: "does not start conversations", Allowed: "session.users"}
	case s.Arrival != nil && s.Arrival.atOnce():
		return &badinput.Error{
			Key:     "arrival",
			Problem: "starts conversations without end at time 0",
			Allowed: "a process with a rate, or session.users",
		}
	case s.Arrival != nil && s.Arrival.Normalize:
		return &badinput.Error{Key: "arrival.normalize", Value: true, Problem: "not supported yet with conversations"}
	case s.Arrival != nil && s.Arrival.Ramp != nil:
		return &badinput.Error{Key: "arrival.ramp", Problem: "not supported yet with conversations", Allowed: "stages or hourly"}
	case s.Arrival != nil && s.Arrival.MaxConcurrency > 0:
		return &badinput.Error{Key: "arrival.max_concurrency", Value: s.Arrival.MaxConcurrency, Problem: "not supported yet with conversations"}
	}
	for _, part := range []struct {
		key           string
		own, workload *LengthSpec
	}{{"input", s.Session.Input, s.Input}, {"output", s.Session.Output, s.Output}} {
		switch {
		case part.own != nil && part.workload != nil:
			return &badinput.Error{Key: part.key, Problem: "has no effect beside session." + part.key}
		case part.own == nil && part.workload == nil:
			return &badinput.Error{Key: "session." + part.key, Problem: "missing", Allowed: "here or as workload." + part.key}
		case part.own == nil:
			if err := validateLengths(laws{part.key, part.workload}); err != nil {
				return err
			}
		}
	}
	return badinput.Under("session", s.Session.Validate())
}
