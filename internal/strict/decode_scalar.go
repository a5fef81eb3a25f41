package strict

import (
	"cmp"
	"fmt"
	"math"
	"reflect"

	"kneepoint/units/badinput"
	"kneepoint/units/printable"
)

// tooLarge is where whole numbers begin that a float64 does not tell apart. Readers of
// JSON, in which results are written, have no other numbers.
const tooLarge = 1 << 53

// longestText bounds a text: a path, the source of a number, a note on it.
const longestText = 10_000

// mostCount bounds numbers of things and of tokens: two of them can be multiplied.
const mostCount = 1e9

// decodeScalar reads text, a truth value or a number. A field of another kind is a
// mistake in the struct, and no wrong input.
func decodeScalar(v any, into reflect.Value, f field) error {
	switch into.Kind() {
	case reflect.String:
		return decodeString(v, into, f)
	case reflect.Bool:
		return decodeBool(v, into)
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return decodeWhole(v, into, f)
	case reflect.Float64:
		return decodeFloat(v, into, f)
	}
	return fmt.Errorf("a field of kind %s cannot be read", into.Kind())
}

func decodeString(v any, into reflect.Value, f field) error {
	s, ok := v.(string)
	if !ok {
		return wrongKind(v, "a string")
	}
	if err := checkLine(s); err != nil {
		return err
	}
	if len(s) > longestText {
		return &badinput.Error{Value: s, Problem: "too long", Allowed: fmt.Sprintf("at most %d bytes", longestText)}
	}
	if err := f.checkString(s); err != nil {
		return err
	}
	into.SetString(s)
	return nil
}

// checkLine refuses text that a table, a figure or a terminal could not show as it is.
func checkLine(s string) error {
	if printable.Line(s) {
		return nil
	}
	return &badinput.Error{Value: s, Problem: "must be one line of text, without control characters"}
}

func decodeBool(v any, into reflect.Value) error {
	b, ok := v.(bool)
	if !ok {
		return wrongKind(v, "true or false")
	}
	into.SetBool(b)
	return nil
}

// decodeWhole reads a whole number. 8.0 is one: what computes a sweep's values may
// write them all with a point.
func decodeWhole(v any, into reflect.Value, f field) error {
	want := "a whole number"
	if into.CanUint() {
		want = "a whole number that is not negative"
	}
	x, ok := asNumber(v)
	if !ok || x != math.Trunc(x) || into.CanUint() && x < 0 {
		return wrongKind(v, want)
	}
	if math.Abs(x) >= tooLarge {
		return &badinput.Error{Value: v, Problem: "too large", Allowed: "whole numbers below 2^53"}
	}
	if !into.CanUint() { // seeds count nothing
		f.most = cmp.Or(f.most, mostCount)
	}
	if err := f.checkNumber(v, x); err != nil {
		return err
	}
	if into.CanUint() {
		into.SetUint(uint64(x))
	} else {
		into.SetInt(int64(x))
	}
	return nil
}

// decodeFloat reads a number. "inf" and "nan" as text have the message of these numbers:
// a rate may be written "inf", so people try it elsewhere.
func decodeFloat(v any, into reflect.Value, f field) error {
	if v == "inf" || v == "nan" {
		return &badinput.Error{Value: v, Problem: "must be a finite number"}
	}
	x, ok := asNumber(v)
	if !ok {
		return wrongKind(v, "a number")
	}
	if err := f.checkNumber(v, x); err != nil {
		return err
	}
	into.SetFloat(x)
	return nil
}

// wrongKind refuses a value that is not what a key wants.
func wrongKind(v any, want string) error {
	return &badinput.Error{Value: v, Problem: "wrong kind of value", Allowed: want}
}

// asNumber is a number of any of the types that parsers and callers yield.
func asNumber(v any) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case int:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}
