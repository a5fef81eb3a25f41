package strict

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"kneepoint/units/badinput"
)

// What a struct or type may have, by the package's comment.
type defaulter interface{ SetDefaults() }
type validator interface{ Validate() error }
type decoder interface{ DecodeTOML(v any) error }

// Decode reads table into the struct that into points to. Its errors are
// *badinput.Error whose key is relative to the table.
func Decode(table map[string]any, into any) error {
	root := reflect.ValueOf(into).Elem()
	if err := decodeStruct(table, root); err != nil {
		return elsewhere(root.Type(), err)
	}
	return nil
}

// decodeStruct reads a table into a struct: keys in alphabetical order, so that of
// several mistakes the same one is named every time.
func decodeStruct(table map[string]any, into reflect.Value) error {
	pointer := into.Addr().Interface()
	if d, ok := pointer.(defaulter); ok {
		d.SetDefaults()
	}
	fields := fieldsOf(into.Type())
	for _, key := range sortedKeys(table) {
		f, ok := fields.byKey[key]
		if !ok {
			return unknownKey(key, fields.keys)
		}
		if err := decodeValue(table[key], into.FieldByIndex(f.index), f); err != nil {
			return under(key, err)
		}
	}
	if err := checkPresence(table, into, fields); err != nil {
		return err
	}
	if v, ok := pointer.(validator); ok {
		return v.Validate()
	}
	return nil
}

// checkPresence refuses what is missing and what would be ignored.
func checkPresence(table map[string]any, into reflect.Value, fields fieldSet) error {
	for _, key := range fields.keys {
		f := fields.byKey[key]
		_, present := table[key]
		if f.required && !present {
			return &badinput.Error{Key: key, Problem: "missing", Allowed: oneOf(f.oneof)}
		}
		if unmet, sibling := fields.ineffective(f, into); present && unmet != nil {
			return &badinput.Error{Key: key, Value: table[key],
				Problem: fmt.Sprintf("has no effect with %s = %q", unmet.key, sibling),
				Allowed: fmt.Sprintf("only with %s one of %s", unmet.key, strings.Join(unmet.values, ", "))}
		}
	}
	return nil
}

// under prefixes the key of err with the table that it is in, and makes wrong input of
// any other error: those of a type's own decoder are about the value.
func under(key string, err error) error {
	var bad *badinput.Error
	if errors.As(err, &bad) {
		return bad.Under(key)
	}
	return &badinput.Error{Key: key, Problem: err.Error()}
}

const unknown = "unknown key"

// unknownKey suggests the nearest key or, where none is near, lists all.
func unknownKey(key string, known []string) error {
	e := &badinput.Error{Key: key, Problem: unknown, Nearest: badinput.Nearest(key, known)}
	if e.Nearest == "" {
		e.Allowed = strings.Join(known, ", ")
	}
	return e
}

// decodeValue reads a value of any kind. A type that reads itself goes first: it may be
// of a kind that is read otherwise.
func decodeValue(v any, into reflect.Value, f field) error {
	if d, ok := into.Addr().Interface().(decoder); ok {
		if err := d.DecodeTOML(v); err != nil {
			return describe(v, err)
		}
		return nil
	}
	if t, ok := into.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return decodeText(v, t, into, f)
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return decodeValue(v, into.Elem(), f)
	case reflect.Struct:
		table, ok := v.(map[string]any)
		if !ok {
			return wrongKind(v, "a table")
		}
		return decodeStruct(table, into)
	case reflect.Slice:
		return decodeSlice(v, into, f)
	case reflect.Map:
		return decodeMap(v, into)
	case reflect.Interface:
		into.Set(reflect.ValueOf(v))
		return nil
	default:
		return decodeScalar(v, into, f)
	}
}

// describe adds the value to an error of a type's own decoder, unless that says already
// what is wrong where: it may be a part of the value.
func describe(v any, err error) error {
	var bad *badinput.Error
	if errors.As(err, &bad) {
		return bad
	}
	return &badinput.Error{Value: v, Problem: err.Error()}
}

// decodeText reads a quantity that is written with its unit. Most are numbers behind
// that, and have bounds as such.
func decodeText(v any, t encoding.TextUnmarshaler, into reflect.Value, f field) error {
	s, ok := v.(string)
	if !ok {
		return wrongKind(v, "a string with a unit")
	}
	if err := t.UnmarshalText([]byte(s)); err != nil {
		return &badinput.Error{Value: v, Problem: err.Error()}
	}
	if into.Kind() == reflect.Float64 {
		return f.checkNumber(v, into.Float())
	}
	return nil
}

// decodeSlice reads a list, whose elements have the checks of the list's field. It is
// found by reflection: parsers yield []any or lists of tables.
func decodeSlice(v any, into reflect.Value, f field) error {
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice {
		return wrongKind(v, "a list")
	}
	out := reflect.MakeSlice(into.Type(), list.Len(), list.Len())
	for i := range list.Len() {
		if err := decodeValue(list.Index(i).Interface(), out.Index(i), f); err != nil {
			return badinput.Under("["+strconv.Itoa(i)+"]", err)
		}
	}
	into.Set(out)
	return nil
}

// decodeMap reads a table whose keys are a user's own, like the paths of a sweep. In
// messages they are quoted, since they may have dots.
func decodeMap(v any, into reflect.Value) error {
	table, ok := v.(map[string]any)
	if !ok {
		return wrongKind(v, "a table")
	}
	out := reflect.MakeMap(into.Type())
	for _, key := range sortedKeys(table) {
		if err := checkLine(key); err != nil {
			return under(strconv.Quote(key), err)
		}
		element := reflect.New(into.Type().Elem()).Elem()
		if err := decodeValue(table[key], element, field{}); err != nil {
			return under(strconv.Quote(key), err)
		}
		out.SetMapIndex(reflect.ValueOf(key), element)
	}
	into.Set(out)
	return nil
}

// Tables are the tables of a list of tables, which a parser yields in one of two
// types; nil for anything else.
func Tables(list any) []map[string]any {
	if tables, ok := list.([]map[string]any); ok {
		return tables
	}
	var tables []map[string]any
	values, _ := list.([]any)
	for _, v := range values {
		table, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		tables = append(tables, table)
	}
	return tables
}

func sortedKeys(table map[string]any) []string { return slices.Sorted(maps.Keys(table)) }
