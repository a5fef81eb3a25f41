package jsonfields

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	fields, err := Split([]byte(` {"a": 1e3, "b": {"a": [1, 2]}, "A": null} `))
	if err != nil || len(fields) != 3 || string(fields.Get("a")) != "1e3" || string(fields.Get("b")) != `{"a": [1, 2]}` || string(fields.Get("A")) != "null" || fields.Get("c") != nil {
		t.Errorf("%s, %v", fields, err)
	}
	for text, want := range map[string]string{
		"":                 "not a JSON object: unexpected EOF",
		"3":                "not a JSON object",
		"[1]":              "not a JSON object",
		"null":             "not a JSON object",
		`{"a": 1`:          "not a JSON object: unexpected EOF",
		`{"a": }`:          "not a JSON object: invalid",
		`{"a": 1} {}`:      "something follows",
		`{"a": 1, "a": 1}`: "a: stands there twice",
		`{"a": NaN}`:       "invalid character 'N'",
		`{a: 1}`:           "not a JSON object: invalid",
	} {
		if _, err := Split([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestFlat: lines of traces are split without encoding/json, all else is left to it, and where both split they agree.
func TestFlat(t *testing.T) {
	for text, want := range map[string]bool{
		`{"timestamp": 27.5, "input_length": 0, "hash_ids": [0, 17 ,2 ], "type": "text" }`: true,
		"\t{ \"a\":-1,\r\n\"\":\"\"}": true,
		`{"a": {"b": 1}}`:             false,
		`{"a": [[1]]}`:                false,
		`{"a": []}`:                   false,
		`{"a": true}`:                 false,
		`{"a": 1e3}`:                  false,
		`{"a": "\n"}`:                 false,
		`{"a": "ü"}`:                  false,
		"{\"a\": \"\t\"}":             false,
		`{"a": "\"}`:                  false,
		`{"a": [1, 2}`:                false,
		`{"a": 01}`:                   false,
		`{"a": 1.}`:                   false,
		`{"a": -}`:                    false,
		`{"a": 1, "a": 2}`:            false,
		`{"a": 1,}`:                   false,
		`{"a": [1,]}`:                 false,
		`{"a": 1} 2`:                  false,
		`{"a": 1`:                     false,
		`{"a": "1`:                    false,
		`{}`:                          false,
		``:                            false,
	} {
		got, ok := new(Splitter).flat([]byte(text))
		if ok != want {
			t.Errorf("%s: %t", text, ok)
		}
		if slow, err := splitAny([]byte(text)); ok && (err != nil || !reflect.DeepEqual(got, slow)) {
			t.Errorf("%s: %s, want %s, %v", text, got, slow, err)
		}
	}
}

// TestSplitterForgets: of an object before nothing is left in the next one, whether that has the same keys, fewer or others.
func TestSplitterForgets(t *testing.T) {
	var s Splitter
	for _, text := range []string{`{"a": 1, "b": 2}`, `{"a": 3, "b": 4}`, `{"b": 5}`, `{"b": 6, "c": true}`, `{"b": 7, "b": 8}`, `{"c": 9, "a": 10, "d": 11}`, `{"c": 12, "a"`, `{"": 13}`} {
		got, err := s.Split([]byte(text))
		want, wrong := splitAny([]byte(text))
		if !reflect.DeepEqual(got, want) || (err == nil) != (wrong == nil) {
			t.Errorf("%s: %s, %v, want %s, %v", text, got, err, want, wrong)
		}
	}
}

// TestManyFields: an object with many fields takes no more than a few.
func TestManyFields(t *testing.T) {
	text := []byte(`{"": 0`)
	for i := range 100_000 {
		text = fmt.Appendf(text, `, "%d": 1`, i)
	}
	if fields, err := Split(append(text, '}')); err != nil || len(fields) != 100_001 || fields.Keys()[1] != "0" {
		t.Errorf("%d fields, %v", len(fields), err)
	}
}

func TestCheckCase(t *testing.T) {
	fields := Fields{{Key: "Rate"}, {Key: "other"}}
	if err := CheckCase(fields, "other"); err != nil {
		t.Error(err)
	}
	if err := CheckCase(fields, "other", "rate"); err == nil || err.Error() != `Rate: unknown key; did you mean "rate"?` {
		t.Errorf("%v", err)
	}
}

// FuzzSplit: every object that Split takes, encoding/json takes too, with as many fields, and what is split without
// it, it splits in the same way.
func FuzzSplit(f *testing.F) {
	f.Add(`{"a": 1, "b": [null, "x"]}`)
	f.Add(`{"a": 1}}`)
	f.Add(`{"timestamp": 27.5, "hash_ids": [0, 17], "type": "text"}`)
	var s Splitter
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := s.flat([]byte(text)); ok {
			if slow, err := splitAny([]byte(text)); err != nil || !reflect.DeepEqual(got, slow) {
				t.Errorf("%q: %s, want %s, %v", text, got, slow, err)
			}
		}
		fields, err := Split([]byte(text))
		var plain map[string]json.RawMessage
		if wrong := json.Unmarshal([]byte(text), &plain); err == nil && (wrong != nil || len(plain) != len(fields)) {
			t.Errorf("%q: %d fields; encoding/json has %d, %v", text, len(fields), len(plain), wrong)
		}
	})
}
