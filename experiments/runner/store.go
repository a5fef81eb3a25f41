package runner

import (
	"sync"

	"kneepoint/experiments/scenario"
)

// Store keeps outcomes by the keys of their scenarios. Workers call it at the same
// time.
type Store interface {
	// Get returns an outcome, false where there is none.
	Get(key string) (scenario.Outcome, bool, error)
	Put(key string, o scenario.Outcome) error
}

// Memory is a store that lasts as long as the process. The zero Memory is empty.
type Memory struct {
	outcomes sync.Map // of scenario.Outcome, by key
}

// Get implements Store.
func (m *Memory) Get(key string) (scenario.Outcome, bool, error) {
	o, known := m.outcomes.Load(key)
	if !known {
		return scenario.Outcome{}, false, nil
	}
	return o.(scenario.Outcome), true, nil
}

// Put implements Store.
func (m *Memory) Put(key string, o scenario.Outcome) error {
	m.outcomes.Store(key, o)
	return nil
}
