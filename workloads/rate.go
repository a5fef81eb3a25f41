package workloads

import (
	"errors"
	"fmt"
	"math"

	"kneepoint/units"
)

// Rate is a number of requests per second; +Inf means that all requests arrive
// at once. Zero means "not given".
type Rate float64

// infinite is the rate at which everything arrives at once.
var infinite = Rate(math.Inf(1))

// DecodeTOML reads a number greater than 0, or the string "inf".
func (r *Rate) DecodeTOML(v any) error {
	var x float64
	switch v := v.(type) {
	case int64:
		x = float64(v)
	case int:
		x = float64(v)
	case float64:
		x = v
	case string:
		if v == "inf" {
			*r = infinite
			return nil
		}
	}
	if !(x > 0) || math.IsInf(x, 1) {
		return errors.New(`must be a number greater than 0, or the string "inf"`)
	}
	if x < slowest {
		return fmt.Errorf("less than one request in eleven days, at which the clock would lose milliseconds; at least %v", slowest)
	}
	*r = Rate(x)
	return nil
}

// slowest is the lowest rate, in requests per second.
const slowest = 1e-6

// EncodeTOML is the inverse of DecodeTOML.
func (r Rate) EncodeTOML() any {
	if r == infinite {
		return "inf"
	}
	return float64(r)
}

// ThinkTime is how long a client of a closed loop waits after a response before
// it sends its next request.
type ThinkTime units.Seconds

// EncodeTOML is the inverse of DecodeTOML.
func (t ThinkTime) EncodeTOML() any {
	text, _ := units.Seconds(t).MarshalText()
	return string(text)
}

// DecodeTOML reads a duration, like "2s".
func (t *ThinkTime) DecodeTOML(v any) error {
	switch v := v.(type) {
	case string:
		s, err := units.ParseSeconds(v)
		if err == nil && s < 0 {
			err = errors.New("must not be negative")
		}
		*t = ThinkTime(s)
		return err
	case map[string]any:
		return errors.New(`a law of think times is not supported yet; write one duration, like "2s"`)
	}
	return fmt.Errorf(`not a duration: write a number and a unit in quotes, like "2s"`)
}
