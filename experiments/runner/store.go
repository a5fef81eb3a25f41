package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"sync"
)

// Store keeps what simulations found by a hash of all that it depends on: outcomes by
// the keys of their scenarios, and whatever else others keep by keys of their own. Its
// methods are called by several workers at once, and their errors end the run.
type Store interface {
	// Get sets what value points to, and is false where nothing is kept under the key;
	// *value may have anything in it then.
	Get(key string, value any) (bool, error)

	// Put keeps a value, which is plain data that JSON can hold. The key may have one
	// already, which is then equal.
	Put(key string, value any) error
}

// Keep is what the store has under a key, or else what find finds, which the store then
// keeps; a nil store keeps nothing. kept says which of the two it was.
func Keep[T any](store Store, key string, find func() (T, error)) (value T, kept bool, err error) {
	if store == nil {
		value, err = find()
		return value, false, err
	}
	if kept, err = store.Get(key, &value); err != nil || kept {
		return value, kept, err
	}
	if value, err = find(); err == nil {
		err = store.Put(key, value)
	}
	return value, false, err
}

// Key is the key of what depends on these values alone: their hash, in which numbers have
// all their digits.
func Key(parts ...any) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%+v\n", part)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Memory is a store that lasts as long as the process. The zero Memory is empty.
type Memory struct {
	values sync.Map // by key
}

// Get implements Store.
func (m *Memory) Get(key string, value any) (bool, error) {
	kept, known := m.values.Load(key)
	if known {
		reflect.ValueOf(value).Elem().Set(reflect.ValueOf(kept))
	}
	return known, nil
}

// Put implements Store.
func (m *Memory) Put(key string, value any) error {
	m.values.Store(key, value)
	return nil
}
