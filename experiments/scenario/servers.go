package scenario

import (
	"crypto/sha256"
	"reflect"
	"sync"
)

// mostServers is how many servers are kept. A cost model's memos take about half
// a megabyte, and scenarios that are built one after another mostly share one.
const mostServers = 32

// servers are those that were made last, by deployment.
type servers struct {
	mutex sync.Mutex
	kept  map[[sha256.Size]byte]*serverEntry
	order [][sha256.Size]byte // in which they were made
}

// serverEntry is a server that is made once, by whoever asks first.
type serverEntry struct {
	once   sync.Once
	server *server
	err    error
}

// get makes the server of a deployment, or finds it. What a deployment's numbers
// rest on is not part of a scenario's bytes, but of what is compared here, where
// warnings come from.
func (s *servers) get(d *Deployment) (*server, error) {
	all := canonical{sources: true}
	all.value(reflect.ValueOf(d))
	e := s.entry(sha256.Sum256(all.text))
	e.once.Do(func() { e.server, e.err = d.serve() })
	return e.server, e.err
}

// entry is the entry of a deployment, a new one where there is none yet.
func (s *servers) entry(key [sha256.Size]byte) *serverEntry {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if e := s.kept[key]; e != nil {
		return e
	}
	if s.kept == nil {
		s.kept = map[[sha256.Size]byte]*serverEntry{}
	}
	if len(s.order) == mostServers {
		delete(s.kept, s.order[0])
		s.order = s.order[1:]
	}
	e := &serverEntry{}
	s.kept[key], s.order = e, append(s.order, key)
	return e
}
