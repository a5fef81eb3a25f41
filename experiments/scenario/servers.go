package scenario

import (
	"reflect"
	"sync"
)

// mostServers is how many servers are kept. A cost model's memos take about half
// a megabyte, and scenarios that are built one after another mostly share one.
const mostServers = 32

// servers are those that were made lately. They are found by the deployment's
// bytes; by its pointers at first, which most scenarios of an experiment share, and
// which cost nothing to compare. The zero value is empty.
type servers struct {
	mutex     sync.Mutex
	byBytes   map[string]*serverEntry
	byPointer map[Deployment]*serverEntry
}

// serverEntry is a server that is made once, by the worker that needs it first; others
// wait for it without holding the lock of all entries.
type serverEntry struct {
	once   sync.Once
	server *server
	err    error
}

// get makes the server of a deployment, or finds it.
func (s *servers) get(d *Deployment) (*server, error) {
	e := s.entry(d)
	e.once.Do(func() { e.server, e.err = d.serve() })
	return e.server, e.err
}

// entry is the entry of a deployment, a new one where there is none yet. What a
// deployment's numbers rest on is not part of a scenario's bytes, but of what is
// compared here: warnings come from it.
func (s *servers) entry(d *Deployment) *serverEntry {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if e := s.byPointer[*d]; e != nil {
		return e
	}
	all := canonical{sources: true}
	all.value(reflect.ValueOf(d))
	e := s.byBytes[string(all.text)]
	if e == nil {
		e = &serverEntry{}
	}
	s.keep(d, string(all.text), e)
	return e
}

// keep adds an entry, and forgets all others where there are mostServers: which of them
// will be needed again is not known, and making one again only costs time.
func (s *servers) keep(d *Deployment, bytes string, e *serverEntry) {
	if s.byBytes == nil || len(s.byBytes) == mostServers || len(s.byPointer) == mostServers {
		s.byBytes, s.byPointer = map[string]*serverEntry{}, map[Deployment]*serverEntry{}
	}
	s.byBytes[bytes], s.byPointer[*d] = e, e
}
