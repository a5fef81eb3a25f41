package sim

import "kneepoint/units"

// at has the fleet run something at a time that is not past: before what arrives, ends or
// begins then. What looks at replicas then needs a fleet that follows them (see follow), so that
// all that ended before has. Once all requests have ended nothing is run any more.
func (f *fleet) at(at units.Seconds, run func()) {
	f.timers.add(at, run)
}

// over tells whether all requests have ended, and no further one is to come before the run
// ends.
func (f *fleet) over() bool {
	at := f.nextArrival()
	return (at == forever || at > f.cut) && f.flow.offered == f.flow.completed+f.flow.refused
}
