package strict

import (
	"encoding"
	"reflect"
)

type encoder interface{ EncodeTOML() any }

// Encode is the inverse of Decode: the struct as a table in which every key
// stands, defaults included. Keys that are not supported yet and tables that
// are not there are left out.
func Encode(v any) map[string]any {
	value := reflect.Indirect(reflect.ValueOf(v))
	table := map[string]any{}
	fields := fieldsOf(value.Type())
	for _, key := range fields.keys {
		f := fields.byKey[key]
		if f.later {
			continue
		}
		if x, ok := encodeValue(value.FieldByIndex(f.index)); ok {
			table[key] = x
		}
	}
	return table
}

func encodeValue(v reflect.Value) (any, bool) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, false
		}
		return encodeValue(v.Elem())
	}
	if e, ok := v.Interface().(encoder); ok {
		return e.EncodeTOML(), true
	}
	if t, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := t.MarshalText()
		return string(text), err == nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return Encode(v.Interface()), true
	case reflect.Slice:
		list := make([]any, 0, v.Len())
		for i := range v.Len() {
			if x, ok := encodeValue(v.Index(i)); ok {
				list = append(list, x)
			}
		}
		return list, true
	case reflect.Interface, reflect.Map:
		if v.IsNil() {
			return nil, false
		}
	}
	return v.Interface(), true
}
