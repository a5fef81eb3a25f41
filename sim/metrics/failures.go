package metrics

import "kneepoint/units"

// Recovery is how long it took from failures until all was as before: the replicas that were
// lost are replaced, and no more requests are in the system than then, or on average until
// then. Failures meanwhile count as one with the first.
type Recovery struct {
	Count int
	Time  units.Seconds // in all
}

// Add adds an outage from which the run has recovered.
func (r *Recovery) Add(took units.Seconds) {
	r.Count++
	r.Time += took
}

// setFailures stores what failures did to some pools, where any of them has failures.
func (v Values) setFailures(rec *Record, pools []PoolRecord) {
	failures, fails := 0, false
	var retried int64
	var up, down units.Seconds
	for i := range pools {
		p := &pools[i]
		fails = fails || p.Fails
		retried += p.Totals.Retried
		for _, r := range p.Replicas {
			_, ready, released := r.times(rec)
			failed := r.failed(ready, released)
			if r.Failed > 0 {
				failures++
				down += max(failed, min(r.Replaced, rec.Ended)) - failed
			}
			up += failed - ready
		}
	}
	if !fails {
		return
	}
	v.Set(Failures, float64(failures))
	v.Set(RetriedRequests, float64(retried))
	v.Set(Availability, float64(up/(up+down)))
}

// setRecovery stores how long a run takes to recover, where it has.
func (v Values) setRecovery(rec *Record) {
	if n := rec.Recovery.Count; n > 0 {
		v.Set(RecoveryTime, float64(rec.Recovery.Time)/float64(n))
	}
}
