package sim

import "kneepoint/units"

// at has the fleet run something at a time that is not past: before what arrives, ends or
// begins then. What looks at replicas then needs a fleet that follows them (see follow), so that
// all that ended before has. Once all requests have ended nothing is run any more.
func (f *fleet) at(at units.Seconds, run func()) {
	f.timers.add(at, run)
}

// atAgain is at for what happens again and again, and alone keeps no run going.
func (f *fleet) atAgain(at units.Seconds, run func()) {
	f.perpetual++
	f.at(at, func() {
		f.perpetual--
		run()
	})
}

// over tells whether all requests have ended, and no further one is to come before the run
// ends. Or those that are left wait for ever: nothing happens but that replicas fail, and that scalers look at
// pools which those do not wait for.
func (f *fleet) over() bool {
	at := f.nextArrival()
	if at < forever && at <= f.cut {
		return false
	}
	stuck := f.perpetual > 0 && len(f.timers.minHeap) == f.perpetual && f.agenda.next() == forever && !f.mayOrder()
	return stuck || f.flow.offered == f.flow.completed+f.flow.refused
}
