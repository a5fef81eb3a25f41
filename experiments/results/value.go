package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Value is a swept value: a whole number, a number, text, or true or false. The
// zero Value is none. A whole number is kept apart from a number that happens to
// be whole, since people see 100000000 or 1e+08, as the file had it.
type Value struct{ x any }

// Setting is the values of the swept variables, by path like "workload.arrival.rate".
type Setting map[string]Value

// ValueOf makes a value of what a TOML parser returns; nil is none. Of anything but a
// number, text or a truth value it keeps the text alone.
func ValueOf(x any) Value {
	switch x := x.(type) {
	case nil, int64, float64, string, bool:
		return Value{x}
	case int:
		return Value{int64(x)}
	}
	return Value{fmt.Sprint(x)}
}

// Any is the value as a TOML parser would return it.
func (v Value) Any() any { return v.x }

// IsZero tells whether there is no value.
func (v Value) IsZero() bool { return v.x == nil }

// String is the value as people read it.
func (v Value) String() string { return fmt.Sprint(v.x) }

// Number is the value as a number, in the unit of its axis; false when it is none.
func (v Value) Number() (float64, bool) {
	switch x := v.x.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// Same compares values; 8 and 8.0 are the same.
func (v Value) Same(w Value) bool {
	x, isX := v.Number()
	y, isY := w.Number()
	if isX && isY {
		return x == y
	}
	return v == w
}

// order is the value as a number to sort by; text ("inf") is largest.
func (v Value) order() float64 {
	if x, ok := v.Number(); ok {
		return x
	}
	return math.Inf(1)
}

// MarshalJSON writes a number that is no whole number with a point or an
// exponent, so that it is read back as such.
func (v Value) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(v.x)
	if _, isFloat := v.x.(float64); isFloat && !bytes.ContainsAny(text, ".e") {
		text = append(text, ".0"...)
	}
	return text, err
}

// UnmarshalJSON reads what MarshalJSON writes, and refuses lists and objects.
func (v *Value) UnmarshalJSON(text []byte) error {
	if whole, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		v.x = whole
		return nil
	}
	if err := json.Unmarshal(text, &v.x); err != nil {
		return err
	}
	switch v.x.(type) {
	case nil, float64, string, bool:
		return nil
	}
	return fmt.Errorf("%s is no swept value", text)
}
