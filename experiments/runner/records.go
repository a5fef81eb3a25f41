package runner

import (
	"context"
	"sync"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// recordLog passes records on in the order of the sequence. A record waits for
// those before it, and a limited number of scenarios is under way, so that memory
// does not fill with records that wait for one long simulation.
type recordLog struct {
	receive func(index int, o results.Outcome, rec *metrics.Record) error // nil: no records are wanted
	room    chan struct{}                                                 // one entry for each scenario under way
	mutex   *sync.Mutex                                                   // of calls of receive, and of the fields after it

	waiting  map[int]recorded
	next     int // index of the scenario to be passed on
	failures []error
}

// recorded is a run that ended; without a record it failed.
type recorded struct {
	outcome results.Outcome
	record  *metrics.Record
}

func newRecordLog(o *Options, mutex *sync.Mutex) recordLog {
	return recordLog{receive: o.Records, mutex: mutex, room: make(chan struct{}, lookAhead*o.Workers), waiting: map[int]recorded{}}
}

// reserve waits until another scenario may be under way. It is false when ctx has
// ended before.
func (l *recordLog) reserve(ctx context.Context) bool {
	if l.receive == nil {
		return ctx.Err() == nil
	}
	select {
	case l.room <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// add adds the record of a scenario that was under way, nil where it failed, and passes
// on those whose turn it is. Each makes room for another scenario.
func (l *recordLog) add(index int, o results.Outcome, rec *metrics.Record) {
	if l.receive == nil {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.waiting[index] = recorded{o, rec}
	for r, here := l.waiting[l.next]; here; r, here = l.waiting[l.next] {
		l.passOn(l.next, r)
		l.next++
		<-l.room
	}
}

// passOn gives one record to the receiver, unless the simulation failed. What the
// receiver returns is kept for the end: it ends nothing.
func (l *recordLog) passOn(index int, r recorded) {
	delete(l.waiting, index)
	if r.record == nil {
		return
	}
	if err := l.receive(index, r.outcome, r.record); err != nil {
		l.failures = append(l.failures, err)
	}
}
