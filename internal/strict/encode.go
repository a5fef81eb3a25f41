package strict

import (
	"encoding"
	"reflect"
)

type encoder interface{ EncodeTOML() any }

// Encode is the inverse of Decode: the struct that v is, or points to, as a
// table of plain TOML values, defaults included, such that decoding the table
// gives the struct back, for every struct that Decode returns. Left out is what
// Decode does not take: keys that have no effect here, tables and lists that are
// not there, and zero values that mean "not given" because the key does not allow
// them.
func Encode(v any) map[string]any {
	return encodeStruct(reflect.Indirect(reflect.ValueOf(v)))
}

func encodeStruct(v reflect.Value) map[string]any {
	table := map[string]any{}
	fields := fieldsOf(v.Type())
	for _, key := range fields.keys {
		f := fields.byKey[key]
		if unmet, _ := fields.ineffective(f, v); unmet != nil {
			continue
		}
		value := v.FieldByIndex(f.index)
		if x, ok := encodeValue(value); ok && !(value.IsZero() && refused(x, value.Type(), f)) {
			table[key] = x
		}
	}
	return table
}

// refused reports whether Decode would not read x into a field of type t.
func refused(x any, t reflect.Type, f field) bool {
	return decodeValue(x, reflect.New(t).Elem(), f) != nil
}

// encodeValue returns v as a plain value; false when it is not there.
func encodeValue(v reflect.Value) (any, bool) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, false
		}
		return encodeValue(v.Elem())
	}
	if e, ok := v.Interface().(encoder); ok {
		x := e.EncodeTOML()
		return x, x != nil
	}
	if t, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := t.MarshalText()
		return string(text), err == nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return encodeStruct(v), true
	case reflect.Slice:
		return encodeSlice(v), !v.IsNil()
	case reflect.Map:
		return encodeMap(v), !v.IsNil()
	case reflect.Interface:
		return v.Interface(), !v.IsNil()
	}
	return encodeScalar(v), true
}

func encodeSlice(v reflect.Value) []any {
	list := make([]any, 0, v.Len())
	for i := range v.Len() {
		if x, ok := encodeValue(v.Index(i)); ok {
			list = append(list, x)
		}
	}
	return list
}

func encodeMap(v reflect.Value) map[string]any {
	table := map[string]any{}
	for entries := v.MapRange(); entries.Next(); {
		if x, ok := encodeValue(entries.Value()); ok {
			table[entries.Key().String()] = x
		}
	}
	return table
}

// encodeScalar returns v as one of the types that a TOML parser yields.
func encodeScalar(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.CanFloat():
		return v.Float()
	case v.Kind() == reflect.String:
		return v.String()
	}
	return v.Interface()
}
