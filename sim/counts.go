package sim

import (
	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
)

// advance integrates the counts of the replica up to now.
func (r *replica) advance(now units.Seconds) {
	dt := float64(now - r.changed)
	totals := &r.fleet.record.Totals
	totals.InFrontEnd += float64(len(r.frontEnd.minHeap)) * dt
	totals.Waiting += float64(r.backlog()) * dt
	totals.Running += float64(r.size) * dt
	totals.KVBlocks += float64(r.pool.used()) * dt
	switch r.held {
	case policies.HeldByMemory:
		totals.HeldByMemory += float64(r.backlog()) * dt
		r.clocks.memory += units.Seconds(dt)
	case policies.HeldBySlots:
		totals.HeldBySlots += float64(r.backlog()) * dt
	}
	r.changed = now
	r.fleet.latest = max(r.fleet.latest, now)
}

// fill notes how full the memory is.
func (r *replica) fill() {
	totals := &r.fleet.record.Totals
	totals.KVMax = max(totals.KVMax, float64(r.pool.used())/float64(r.pool.total))
}

// gap records one inter-token gap that differs from the step's duration.
func (r *replica) gap(d units.Seconds, inWindow bool) {
	r.fleet.record.ITL.Add(d, 1)
	if inWindow {
		r.fleet.record.ITLIn.Add(d, 1)
	}
}

// count adds n steps, what they cost and the time they took, to the totals.
func (r *replica) count(n int, cost hardware.Cost, took units.Seconds) {
	t := &r.fleet.record.Totals
	t.Steps += int64(n)
	t.Busy += took
	t.Bytes += cost.Bytes
	t.FLOPs += cost.FLOPs
	t.LinkBytes += cost.LinkBytes
}
