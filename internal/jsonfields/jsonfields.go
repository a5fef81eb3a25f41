// Package jsonfields splits JSON objects into their fields without forgiving what
// encoding/json forgives: a key that stands there twice, of which it takes the last, and
// one that differs from a field's in case alone, which it takes for the field.
//
// It knows JSON's objects. It must not know what the keys mean.
package jsonfields

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"kneepoint/units/badinput"
)

// Split is the fields of an object. What is no object is a *badinput.Error.
func Split(text []byte) (Fields, error) { return new(Splitter).Split(text) }

// Splitter splits objects one after the other, which as a rule have the same keys.
type Splitter struct{ fields Fields }

// Split is the fields of an object, which are valid until the next one is split.
func (s *Splitter) Split(text []byte) (Fields, error) {
	if fields, ok := s.flat(text); ok {
		return fields, nil
	}
	return splitAny(text)
}

// splitAny is Split for all text.
func splitAny(text []byte) (Fields, error) {
	var fields Fields
	known := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(text))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil, notAnObject(err)
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, notAnObject(err)
		}
		key, _ := token.(string)
		if known[key] {
			return nil, &badinput.Error{Key: key, Problem: "stands there twice", Allowed: "each key once"}
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, notAnObject(err)
		}
		known[key] = true
		fields = append(fields, Field{key, value})
	}
	if _, err := d.Token(); err != nil {
		return nil, notAnObject(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, notAnObject(errors.New("something follows it"))
	}
	return fields, nil
}

// notAnObject says what is wrong with text that is no object; nil: it is another value.
func notAnObject(err error) error {
	e := &badinput.Error{Problem: "not a JSON object", Allowed: `{"key": value, …}`}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		e.Problem += ": " + err.Error()
	}
	return e
}

// CheckCase refuses fields whose keys differ from known ones in case alone.
func CheckCase(fields Fields, known ...string) error {
	for _, name := range known {
		for i := range fields {
			if key := fields[i].Key; key != name && strings.EqualFold(key, name) {
				return &badinput.Error{Key: key, Problem: "unknown key", Nearest: name}
			}
		}
	}
	return nil
}
