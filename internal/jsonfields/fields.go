package jsonfields

import (
	"encoding/json"
	"slices"
)

// Field is a key of an object and its value.
type Field struct {
	Key   string
	Value json.RawMessage
}

// Fields is the fields of an object, in its order.
type Fields []Field

// Get is the value of a key; nil where it is not there.
func (f Fields) Get(key string) json.RawMessage {
	for i := range f {
		if f[i].Key == key {
			return f[i].Value
		}
	}
	return nil
}

// Keys are those of all fields, sorted.
func (f Fields) Keys() []string {
	keys := make([]string, len(f))
	for i := range f {
		keys[i] = f[i].Key
	}
	slices.Sort(keys)
	return keys
}
