package runner

import (
	"sync"

	"kneepoint/experiments/results"
)

// Store keeps outcomes by the keys of their scenarios. Workers call it at the same
// time.
type Store interface {
	// Get returns an outcome, false where there is none.
	Get(key string) (results.Outcome, bool, error)
	Put(key string, o results.Outcome) error
}

// Memory is a store that lasts as long as the process. The zero Memory is empty.
type Memory struct {
	outcomes sync.Map // of results.Outcome, by key
}

// Get implements Store.
func (m *Memory) Get(key string) (results.Outcome, bool, error) {
	o, known := m.outcomes.Load(key)
	if !known {
		return results.Outcome{}, false, nil
	}
	return o.(results.Outcome), true, nil
}

// Put implements Store.
func (m *Memory) Put(key string, o results.Outcome) error {
	m.outcomes.Store(key, o)
	return nil
}
