package runner

import (
	"sync"

	"kneepoint/experiments/results"
)

// Store keeps outcomes by the keys of their scenarios. Its methods are called by
// several workers at once, and their errors end the run.
type Store interface {
	// Get returns an outcome, false where there is none.
	Get(key string) (results.Outcome, bool, error)

	// Put keeps an outcome. The key may have one already, which is then equal.
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
