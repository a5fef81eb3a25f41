package workloads

import (
	"errors"
	"fmt"
	"math"
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
		return fmt.Errorf("less than one request in eleven days; at least %v", slowest)
	}
	if x > fastest {
		return errors.New(`more than a request in a nanosecond, which is all at once: "inf"`)
	}
	*r = Rate(x)
	return nil
}

// The lowest and the highest rate, in requests per second.
const (
	slowest = 1e-6
	fastest = 1e9
)

// EncodeTOML is the inverse of DecodeTOML.
func (r Rate) EncodeTOML() any {
	if r == infinite {
		return "inf"
	}
	return float64(r)
}
